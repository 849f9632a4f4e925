// What is asked where only a model's number matters: what another choice would cost.

import type { Count, Counter } from '../types/index.ts';

/** The parameters of a configuration; undefined where it is refused. */
export type ParameterCounter = (config: string) => Count | undefined;

export function createParameterCounter(counter: Pick<Counter, 'totals'>): ParameterCounter {
  return (config) => {
    const counted = counter.totals(config);
    return counted.ok ? counted.totals.parameters : undefined;
  };
}
