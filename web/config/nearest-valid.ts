// Finds the integers closest to a refused one with which the configuration is accepted.

import { setField } from './config-text.ts';

/** The largest difference that is tried in each direction. */
const REACH = 128n;

/**
 * The nearest smaller and the nearest larger non-negative integer at `path` for which the configuration is counted, as JSON. Empty if there
 * is none within reach, or if `literal` is not an integer of at most 15 digits.
 */
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
