// A counter that begins with the common model types and has all of them once one of the others is asked for.

import type { Counter } from './counter.ts';

export interface LazyCounter extends Counter {
  /** Returns when it has the types of all of these. Throws where the whole program does not arrive; asked again, it is tried again. */
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
