// The views of the page: four tabs, then those that are reached from More, in the order of its cards. A line each. The first stands in the page as it is built; the others are loaded
// when they are first asked for.

import { h, type ComponentType } from 'preact';
import { MORE_VIEW, READ_VIEW } from '../app/store.ts';
import { loadLedger } from '../app/load-ledger.ts';
import { loadCatalogue } from '../models/catalogue.ts';
import type { Details, DetailFormat } from '../settings/details.ts';
import * as texts from '../texts/page.ts';
import { adoptStyle } from '../parts/adopt-style.ts';
import { CountView } from './count-view.tsx';
import type { AskingProps, ViewProps } from './view-props.ts';

type Component = ComponentType<ViewProps>;

export interface View {
  /** As links call it; empty for the first. */
  readonly id: string;
  readonly title: string;
  readonly load: () => Component | Promise<Component>;
  /** A model that is chosen comes in addition. */
  readonly adds?: boolean;
  /** It is about models of its own: one that is chosen is shown by the first view. */
  readonly elsewhere?: boolean;
  /** It is reached from this view, and is not in the navigation. */
  readonly within?: string;
}

/** A view that asks more than a count: the ledger comes with it. */
const withLedger = (load: () => Promise<ComponentType<AskingProps>>) => async (): Promise<Component> => {
  const [drawn, ledger] = await Promise.all([load(), loadLedger()]);
  return (props) => h(drawn, { ...props, ledger });
};

/** With what it takes an example from. */
async function compare() {
  const [{ CompareView }] = await Promise.all([import('./compare-view.tsx'), loadCatalogue().catch(() => undefined)]);
  return CompareView;
}

/** With what it lists. Where that does not come, the view says so. */
async function supported() {
  const [{ SupportedView }] = await Promise.all([import('./supported-view.tsx'), loadCatalogue().catch(() => undefined)]);
  return SupportedView;
}

/** With what it shows of all models. */
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
  { id: 'check', title: texts.views.check, load: withLedger(async () => (await import('./check-view.tsx')).CheckView), within: MORE_VIEW },
  { id: 'target', title: texts.views.target, load: withLedger(async () => (await import('./target-view.tsx')).TargetView), within: MORE_VIEW },
  { id: 'design', title: texts.views.design, load: withLedger(async () => (await import('./design-view.tsx')).DesignView), within: MORE_VIEW },
  { id: 'models', title: texts.views.models, load: withLedger(models), within: MORE_VIEW },
  { id: 'supported', title: texts.views.supported, load: withLedger(supported), within: MORE_VIEW },
  { id: 'lessons', title: texts.views.lessons, load: withLedger(async () => (await import('./lessons-view.tsx')).LessonsView), within: MORE_VIEW },
  { id: 'articles', title: texts.views.articles, load: withLedger(async () => (await import('./articles-view.tsx')).ArticlesView), elsewhere: true, within: MORE_VIEW },
  { id: READ_VIEW, title: texts.views.read, load: withLedger(async () => (await import('./read-view.tsx')).ReadView), within: MORE_VIEW },
  { id: 'embed', title: texts.views.embed, load: async () => (await import('./embed-view.tsx')).EmbedView, within: MORE_VIEW },
];

/** How an address words what a view shows beside the models: a line for each that shows anything. */
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

/** What an address says of what a view shows; of the others nothing. */
export async function parseDetails(view: string, text: string): Promise<Partial<Details>> {
  return hasDetails(view) ? { [view]: (await detailFormats[view]()).parse(text) } : {};
}

/** What a view shows as its address says it; empty for what it shows at first. */
export async function writeDetail(view: string, details: Partial<Details>): Promise<string> {
  return hasDetails(view) ? writeWith(details[view], detailFormats[view] as () => Promise<DetailFormat<unknown>>) : '';
}

const writeWith = async (value: unknown, wording: () => Promise<DetailFormat<unknown>>) =>
  value === undefined ? '' : (await wording()).write(value);

/** The view of a link; the first for one that nobody knows. */
export const findView = (id: string): View => views.find((view) => view.id === id) ?? views[0];

/** What ids in a view begin with. */
export const viewName = ({ id }: View): string => id || 'model';

const loaded = new Map<View, Component>([[views[0], CountView]]);

/** What draws a view, once it is loaded. */
export const loadedComponent = (view: View): Component | undefined => loaded.get(view);

const loading = new Map<View, Promise<void>>([[views[0], Promise.resolve()]]);

/** Its script and style, and the program that it asks: once, as a view that is drawn stays the same. After a failure it is tried again. */
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
