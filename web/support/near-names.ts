// Names that were probably mistyped.

import { editDistance } from './edit-distance.ts';

const digitsOf = (name: string) => name.replace(/\D/g, '');

/** The nearest of the known names, where it is so near that only a slip lies between: same digits, one letter in five at most. */
export function findMistyped(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.min(2, Math.floor(name.length / 5));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    if (candidate === name) return undefined;
    if (digitsOf(candidate) !== digitsOf(name)) continue;
    const apart = editDistance(name, candidate, limit);
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best;
}

/** The known name that is one or two slips from what was typed. For names that are few and short: one slip in four letters is still near. */
export function findNearName(typed: string, names: readonly string[]): string | undefined {
  const limit = typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2;
  return names
    .map((name) => ({ name, apart: editDistance(typed.toLowerCase(), name, limit) }))
    .filter(({ apart }) => apart <= limit)
    .sort((a, b) => a.apart - b.apart)[0]?.name;
}
