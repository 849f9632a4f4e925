// A counter that starts with the common model types and loads all of them when another one is asked for.

import type { Counter } from './counter.ts';

export interface LazyCounter extends Counter {
  /** Resolves when the types of all of these are loaded. Throws if the whole program does not arrive; the next call tries again. */
  ensureTypes(...configs: readonly string[]): Promise<void>;
}

export function lazyCounter(begin: Counter, whole: () => Promise<Counter>): LazyCounter {
  let now = begin;
  return {
    has: (config) => now.has(config),
    count: (config) => now.count(config),
    totals: (config) => now.totals(config),
    catalog: () => now.catalog(),
    async ensureTypes(...configs) {
      if (!configs.every(now.has)) now = await whole();
    },
  };
}
