// The views of the page, in the order of its navigation: a line each. The first stands in the page as it is built; the others are loaded
// when they are first asked for.

import type { ComponentType } from 'preact';
import { READ_VIEW, type State, type Store } from '../app/store.ts';
import { whole } from '../app/whole.ts';
import { texts } from '../lib/texts.ts';
import type { Ledger } from '../lib/types.ts';
import { wear } from '../parts/style.ts';
import { CountView } from './count.tsx';

/** What every view is given. Each has one `main` with a heading, which is where the page's skip link leads. */
export interface ViewProps {
  readonly store: Store;
  readonly state: State;
  /** What to hand to somebody else; undefined where it is too long for a link. */
  readonly link: () => Promise<string | undefined>;
  /** Whether that is an address, or only what stands behind it. */
  readonly isAddress: boolean;
}

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
  { id: 'compare', title: texts.views.compare, load: async () => (await import('./compare.tsx')).CompareView, picks: true },
  { id: 'memory', title: texts.views.memory, load: async () => (await import('./memory.tsx')).MemoryView },
  { id: READ_VIEW, title: texts.views.read, load: async () => (await import('./read.tsx')).ReadView },
  { id: 'check', title: texts.views.check, load: async () => (await import('./check.tsx')).CheckView },
  { id: 'articles', title: texts.views.articles, load: async () => (await import('./articles.tsx')).ArticlesView, picks: true },
  { id: 'target', title: texts.views.target, load: async () => (await import('./target.tsx')).TargetView },
  { id: 'supported', title: texts.views.supported, load: async () => (await import('./supported.tsx')).SupportedView, counts: true },
  { id: 'embed', title: texts.views.embed, load: async () => (await import('./embed.tsx')).EmbedView, counts: true },
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
