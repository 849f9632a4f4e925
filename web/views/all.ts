// The views of the page, in the order of its navigation: a line each. The first stands in the page as it is built; the others are loaded
// when they are first asked for.

import type { ComponentType } from 'preact';
import { READ_VIEW } from '../app/store.ts';
import { whole } from '../app/whole.ts';
import * as texts from '../lib/texts/page-texts.ts';
import type { Ledger } from '../lib/types.ts';
import { wear } from '../parts/style.ts';
import { CountView } from './count-view.tsx';
import type { ViewProps } from './view-props.ts';

type Component = ComponentType<ViewProps>;

export interface View {
  /** As links call it; empty for the first. */
  readonly id: string;
  readonly title: string;
  readonly load: () => Component | Promise<Component>;
  /** It has places of its own for models, so the page offers no other. */
  readonly picks?: boolean;
  /** All that it asks the core is a count. */
  readonly counts?: boolean;
}

// prettier-ignore
export const views: readonly View[] = [
  { id: '', title: texts.views.count, load: () => CountView, counts: true },
  { id: 'compare', title: texts.views.compare, load: async () => (await import('./compare-view.tsx')).CompareView, picks: true },
  { id: 'memory', title: texts.views.memory, load: async () => (await import('./memory-view.tsx')).MemoryView },
  { id: READ_VIEW, title: texts.views.read, load: async () => (await import('./read-view.tsx')).ReadView },
  { id: 'check', title: texts.views.check, load: async () => (await import('./check-view.tsx')).CheckView },
  { id: 'articles', title: texts.views.articles, load: async () => (await import('./articles-view.tsx')).ArticlesView, picks: true },
  { id: 'target', title: texts.views.target, load: async () => (await import('./target-view.tsx')).TargetView },
  { id: 'supported', title: texts.views.supported, load: async () => (await import('./supported-view.tsx')).SupportedView, counts: true },
  { id: 'embed', title: texts.views.embed, load: async () => (await import('./embed-view.tsx')).EmbedView, counts: true },
];

/** The view of a link; the first for one that nobody knows. */
export const viewOf = (id: string): View => views.find((view) => view.id === id) ?? views[0];

/** What ids in a view begin with. */
export const nameOfView = ({ id }: View): string => id || 'model';

const loaded = new Map<View, Component>([[views[0], CountView]]);

/** What draws a view, once it is loaded. */
export const drawnBy = (view: View): Component | undefined => loaded.get(view);

/** Its script and style, and of the core what it asks. */
export async function loadView(view: View, ledger: Ledger): Promise<void> {
  if (loaded.has(view)) return;
  const [drawn, { default: style }] = await Promise.all([view.load(), import('views-style'), view.counts || whole(ledger)]);
  wear(style);
  loaded.set(view, drawn);
}
