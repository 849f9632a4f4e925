// A counter that starts with the common model types and loads larger programs for other types.

import type { Counter } from './counter.ts';

export interface LazyCounter extends Counter {
  /**
   * Loads larger programs until one has the model types of all these configurations, or the largest is loaded. Rejects if a program fails
   * to load; the next call tries again.
   */
  ensureTypes(...configs: readonly string[]): Promise<void>;
}

/** `larger`: each program has more types than the one before; the last has all. */
export function lazyCounter(begin: Counter, ...larger: readonly (() => Promise<Counter>)[]): LazyCounter {
  let now = begin;
  return {
    has: (config) => now.has(config),
    count: (config) => now.count(config),
    totals: (config) => now.totals(config),
    catalog: () => now.catalog(),
    async ensureTypes(...configs) {
      const isMissing = () => !configs.every(now.has);
      for (const load of larger) {
        if (!isMissing()) return;
        const loaded = await load();
        if (isMissing()) now = loaded; // Meanwhile another call may have loaded a larger program.
      }
    },
  };
}
