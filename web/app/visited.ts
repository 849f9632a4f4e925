// The models opened in this browser, stored only there. The picker lists them first until the user clears the list.

import type { Base } from '../config/entry.ts';
import type { Store } from './store.ts';

const KEY = 'param-ledger-visited';
const MAX = 8;

export type Visited = Pick<Base, 'kind' | 'id' | 'name'>;

/** The visited models, the most recent first. */
export function listVisited(): readonly Visited[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isVisited).slice(0, MAX) : [];
  } catch {
    return []; // storage may be unavailable, for example inside a frame, or contain invalid data
  }
}

const isVisited = (one: unknown): one is Visited => {
  const { kind, id, name } = (one ?? {}) as Partial<Record<keyof Visited, unknown>>;
  return (kind === 'model' || kind === 'type') && typeof id === 'string' && typeof name === 'string';
};

export function forgetVisited(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Without storage there is nothing to clear.
  }
}

/** Remembers published models and model types when they are opened, but never the user's own configurations. */
export function recordVisited(store: Store): void {
  store.subscribe(({ models, active }, _, before) => {
    const { base } = models[active].entry;
    if (!base || base === before.models[before.active]?.entry.base) return;
    const now: Visited = { kind: base.kind, id: base.id, name: base.name };
    const others = listVisited().filter(({ kind, id }) => kind !== now.kind || id !== now.id);
    try {
      localStorage.setItem(KEY, JSON.stringify([now, ...others].slice(0, MAX)));
    } catch {
      // Without storage this visit is not remembered.
    }
  });
}
