// What is asked where only a model's number matters: what another choice would cost.

import type { Count, Counter } from '../types/index.ts';

/** The parameters of a configuration; undefined where it is refused. */
export type Counting = (config: string) => Count | undefined;

export function countingOf(counter: Pick<Counter, 'totals'>): Counting {
  return (config) => {
    const counted = counter.totals(config);
    return counted.ok ? counted.totals.parameters : undefined;
  };
}
