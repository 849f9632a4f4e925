// The views of the page, one line each: first the four tabs, then those listed in More, in the order of their cards. The first view is part
// of the built page; the others are loaded on demand.

import { h, type ComponentType } from 'preact';
import { CHECK_VIEW, MORE_VIEW, READ_VIEW } from '../app/store.ts';
import { loadLedger } from '../app/load-ledger.ts';
import { loadCatalogue } from '../models/catalogue.ts';
import type { Details, DetailFormat } from '../settings/details.ts';
import * as texts from '../texts/page.ts';
import { adoptStyle } from '../parts/adopt-style.ts';
import { CountView } from './count-view.tsx';
import type { AskingProps, ViewProps } from './view-props.ts';

type Component = ComponentType<ViewProps>;

export interface View {
  /** The name in links; empty for the first view. */
  readonly id: string;
  readonly title: string;
  readonly load: () => Component | Promise<Component>;
  /** Whether choosing a model in the header adds it, as long as there is room, instead of replacing the current one. */
  readonly adds?: boolean;
  /** Whether the view has models of its own. Choosing a listed model in the header then opens the first view. */
  readonly elsewhere?: boolean;
  /** The view that links to this one. A view with this member is not in the navigation. */
  readonly within?: string;
}

/** Makes the loader of a view that needs more than parameter counts. It loads the ledger together with the view. */
const withLedger = (load: () => Promise<ComponentType<AskingProps>>) => async (): Promise<Component> => {
  const [drawn, ledger] = await Promise.all([load(), loadLedger()]);
  return (props) => h(drawn, { ...props, ledger });
};

/** Loads the Compare view together with the published models, from which its example is chosen. */
async function compare() {
  const [{ CompareView }] = await Promise.all([import('./compare-view.tsx'), loadCatalogue().catch(() => undefined)]);
  return CompareView;
}

/** Loads the view of supported models with the list of published models. If the list cannot be loaded, the view says so. */
async function supported() {
  const [{ SupportedView }] = await Promise.all([import('./supported-view.tsx'), loadCatalogue().catch(() => undefined)]);
  return SupportedView;
}

/** Loads the More view with the published models, which its examples need. */
async function more() {
  const [{ MoreView, prepareExamples }] = await Promise.all([import('./more-view.tsx'), loadCatalogue().catch(() => undefined)]);
  await prepareExamples();
  return (props: AskingProps) => h(MoreView, { ...props, views: views.filter(({ within }) => within === MORE_VIEW) });
}

async function models() {
  const [{ ModelsView, prepareModels }, ledger] = await Promise.all([import('./models-view.tsx'), loadLedger()]);
  await prepareModels(ledger).catch(() => undefined);
  return ModelsView;
}

// prettier-ignore
export const views: readonly View[] = [
  { id: '', title: texts.views.count, load: () => CountView },
  { id: 'compare', title: texts.views.compare, load: withLedger(compare), adds: true },
  { id: 'memory', title: texts.views.memory, load: withLedger(async () => (await import('./memory-view.tsx')).MemoryView) },
  { id: MORE_VIEW, title: texts.views.more, load: withLedger(more) },
  { id: 'derive', title: texts.views.derive, load: withLedger(async () => (await import('./derive-view.tsx')).DeriveView), within: MORE_VIEW },
  { id: CHECK_VIEW, title: texts.views.check, load: withLedger(async () => (await import('./check-view.tsx')).CheckView), within: MORE_VIEW },
  { id: 'target', title: texts.views.target, load: withLedger(async () => (await import('./target-view.tsx')).TargetView), within: MORE_VIEW },
  { id: 'design', title: texts.views.design, load: withLedger(async () => (await import('./design-view.tsx')).DesignView), within: MORE_VIEW },
  { id: 'models', title: texts.views.models, load: withLedger(models), within: MORE_VIEW },
  { id: 'supported', title: texts.views.supported, load: withLedger(supported), within: MORE_VIEW },
  { id: 'lessons', title: texts.views.lessons, load: withLedger(async () => (await import('./lessons-view.tsx')).LessonsView), within: MORE_VIEW },
  { id: 'articles', title: texts.views.articles, load: withLedger(async () => (await import('./articles-view.tsx')).ArticlesView), elsewhere: true, within: MORE_VIEW },
  { id: READ_VIEW, title: texts.views.read, load: withLedger(async () => (await import('./read-view.tsx')).ReadView), within: MORE_VIEW },
  { id: 'embed', title: texts.views.embed, load: async () => (await import('./embed-view.tsx')).EmbedView, within: MORE_VIEW },
];

/** For each view with settings: loads the functions that parse and write them as text in an address. */
// prettier-ignore
const detailFormats: { readonly [View in keyof Details]: () => Promise<DetailFormat<Details[View]>> } = {
  check: () => Promise.resolve({ parse: (text) => text || undefined, write: (text) => text ?? '' }),
  memory: () => import('../settings/memory-setting.ts'),
  articles: () => import('../settings/article-choice.ts'),
  lessons: () => import('../settings/lesson-choice.ts'),
  target: () => import('../settings/target-setting.ts'),
  models: () => import('../settings/models-setting.ts'),
};

const hasDetails = (view: string): view is keyof Details => Object.hasOwn(detailFormats, view);

/** Parses the setting of a view from the text in an address; an empty object if the view has no settings. */
export async function parseDetails(view: string, text: string): Promise<Partial<Details>> {
  return hasDetails(view) ? { [view]: (await detailFormats[view]()).parse(text) } : {};
}

/** Writes a view's setting for an address; empty if the view has none. */
export async function writeDetail(view: string, details: Partial<Details>): Promise<string> {
  return hasDetails(view) ? writeWith(details[view], detailFormats[view] as () => Promise<DetailFormat<unknown>>) : '';
}

const writeWith = async (value: unknown, wording: () => Promise<DetailFormat<unknown>>) =>
  value === undefined ? '' : (await wording()).write(value);

/** The view with this name; the first view if the name is unknown. */
export const findView = (id: string): View => views.find((view) => view.id === id) ?? views[0];

/** The prefix of element ids in a view. */
export const viewName = ({ id }: View): string => id || 'model';

const loaded = new Map<View, Component>([[views[0], CountView]]);

/** The component of a view, once it is loaded. */
export const loadedComponent = (view: View): Component | undefined => loaded.get(view);

const loading = new Map<View, Promise<void>>([[views[0], Promise.resolve()]]);

/** Loads a view's script, style and program, once. After a failure, the next call tries again. */
export async function loadView(view: View): Promise<void> {
  const running = loading.get(view) ?? load(view);
  loading.set(view, running);
  await running.catch((error: unknown) => {
    loading.delete(view);
    throw error;
  });
}

async function load(view: View): Promise<void> {
  const [drawn, { default: style }] = await Promise.all([view.load(), import('#views-style')]);
  adoptStyle(style);
  loaded.set(view, drawn);
}
