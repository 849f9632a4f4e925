// Finds the known names that mistyped ones probably stand for.

import { editDistance } from './edit-distance.ts';

const digitsOf = (name: string) => name.replace(/\D/g, '');

/**
 * The known name nearest to a mistyped one; undefined if `name` is itself known or nothing is near. The digits must be equal, and there may
 * be at most one edit per five characters and two edits in total.
 */
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

/**
 * The name nearest to the typed text, which is compared in lower case; undefined if none is near. Allows one edit for a text of three to
 * five characters, two for a longer text and none for a shorter one.
 */
export function findNearName(typed: string, names: readonly string[]): string | undefined {
  const limit = typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2;
  return names
    .map((name) => ({ name, apart: editDistance(typed.toLowerCase(), name, limit) }))
    .filter(({ apart }) => apart <= limit)
    .sort((a, b) => a.apart - b.apart)[0]?.name;
}
