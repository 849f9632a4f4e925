// The views of the page, in the order of its navigation: a line each. The first stands in the page as it is built; the others are loaded
// when they are first asked for.

import { h, type ComponentType } from 'preact';
import { READ_VIEW } from '../app/store.ts';
import { whole } from '../app/load-ledger.ts';
import { catalogue } from '../models/catalogue.ts';
import type { Details, Wording } from '../settings/details.ts';
import * as texts from '../texts/page.ts';
import { wear } from '../parts/style.ts';
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
  /** It is reached from another view, and has no place of its own in the navigation. */
  readonly within?: string;
}

/** A view that asks more than a count: the ledger comes with it. */
const asking = (load: () => Promise<ComponentType<AskingProps>>) => async (): Promise<Component> => {
  const [drawn, ledger] = await Promise.all([load(), whole()]);
  return (props) => h(drawn, { ...props, ledger });
};

/** With what it takes an example from. */
async function compare() {
  const [{ CompareView }] = await Promise.all([import('./compare-view.tsx'), catalogue().catch(() => undefined)]);
  return CompareView;
}

/** With what it lists. Where that does not come, the view says so. */
async function supported() {
  const [{ SupportedView }] = await Promise.all([import('./supported-view.tsx'), catalogue().catch(() => undefined)]);
  return SupportedView;
}

async function models() {
  const [{ ModelsView, countPublished }, ledger] = await Promise.all([import('./models-view.tsx'), whole()]);
  await countPublished(ledger).catch(() => undefined);
  return ModelsView;
}

// prettier-ignore
export const views: readonly View[] = [
  { id: '', title: texts.views.count, load: () => CountView },
  { id: 'derive', title: texts.views.derive, load: asking(async () => (await import('./derive-view.tsx')).DeriveView) },
  { id: 'compare', title: texts.views.compare, load: asking(compare), adds: true },
  { id: 'memory', title: texts.views.memory, load: asking(async () => (await import('./memory-view.tsx')).MemoryView) },
  { id: READ_VIEW, title: texts.views.read, load: asking(async () => (await import('./read-view.tsx')).ReadView) },
  { id: 'check', title: texts.views.check, load: asking(async () => (await import('./check-view.tsx')).CheckView) },
  { id: 'articles', title: texts.views.articles, load: asking(async () => (await import('./articles-view.tsx')).ArticlesView), elsewhere: true },
  { id: 'target', title: texts.views.target, load: asking(async () => (await import('./target-view.tsx')).TargetView) },
  { id: 'models', title: texts.views.models, load: asking(models) },
  { id: 'supported', title: texts.views.supported, load: asking(supported), within: 'models' },
  { id: 'design', title: texts.views.design, load: asking(async () => (await import('./design-view.tsx')).DesignView) },
  { id: 'embed', title: texts.views.embed, load: async () => (await import('./embed-view.tsx')).EmbedView },
];

/** How an address words what a view shows beside the models: a line for each that shows anything. */
// prettier-ignore
const wordings: { readonly [View in keyof Details]: () => Promise<Wording<Details[View]>> } = {
  check: () => Promise.resolve({ parse: (text) => text || undefined, write: (text) => text ?? '' }),
  memory: () => import('../settings/memory-setting.ts'),
  articles: () => import('../settings/article-choice.ts'),
  target: () => import('../settings/target-setting.ts'),
  models: () => import('../settings/models-setting.ts'),
};

const isWorded = (view: string): view is keyof Details => Object.hasOwn(wordings, view);

/** What an address says of what a view shows; of the others nothing. */
export async function parsedDetails(view: string, text: string): Promise<Partial<Details>> {
  return isWorded(view) ? { [view]: (await wordings[view]()).parse(text) } : {};
}

/** What a view shows as its address says it; empty for what it shows at first. */
export async function writtenDetail(view: string, details: Partial<Details>): Promise<string> {
  return isWorded(view) ? written(details[view], wordings[view] as () => Promise<Wording<unknown>>) : '';
}

const written = async (value: unknown, wording: () => Promise<Wording<unknown>>) =>
  value === undefined ? '' : (await wording()).write(value);

/** The view of a link; the first for one that nobody knows. */
export const viewOf = (id: string): View => views.find((view) => view.id === id) ?? views[0];

/** What ids in a view begin with. */
export const nameOfView = ({ id }: View): string => id || 'model';

const loaded = new Map<View, Component>([[views[0], CountView]]);

/** What draws a view, once it is loaded. */
export const drawnBy = (view: View): Component | undefined => loaded.get(view);

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
  wear(style);
  loaded.set(view, drawn);
}
