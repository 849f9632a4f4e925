// Finds the values closest to a refused one that are counted.

import { setField } from './config-text.ts';

/** How far to look on each side. */
const REACH = 128n;

/** The nearest smaller and larger integer at `path` with which a configuration is counted, as JSON; empty if none is near. */
export function findNearestValid(text: string, path: string, literal: string, counts: (config: string) => boolean): string[] {
  if (!/^-?\d{1,15}$/.test(literal)) return [];
  const from = BigInt(literal);
  const valid = (value: bigint) => {
    const config = setField(text, path, String(value));
    return config !== undefined && counts(config);
  };
  const found: string[] = [];
  for (const direction of [-1n, 1n]) {
    for (let step = 1n; step <= REACH; step++) {
      const value = from + direction * step;
      if (value < 0n) {
        if (direction < 0n) break;
        continue;
      }
      if (!valid(value)) continue;
      found.push(String(value));
      break;
    }
  }
  return found;
}
