// Creates a function that counts the parameters of an edited configuration.

import type { Count, Counter } from '../types/index.ts';

/** Returns the parameter count of a configuration; undefined if it is refused. */
export type ParameterCounter = (config: string) => Count | undefined;

export function createParameterCounter(counter: Pick<Counter, 'totals'>): ParameterCounter {
  return (config) => {
    const counted = counter.totals(config);
    return counted.ok ? counted.totals.parameters : undefined;
  };
}
