// Finds the fields that a mistyped name may mean.

import { findMistyped } from '../support/near-names.ts';

/** The largest number of suggestions. */
const MAX_OFFERED = 3;

/**
 * The known field that `name` is probably a misspelling of. If there is none and the name has at least two words, up to MAX_OFFERED fields
 * with these words, or longer words that begin with them, in this order: `num_layers` and `n_layers` suggest `num_hidden_layers`.
 */
export function listMeantFields(name: string, known: readonly string[]): readonly string[] {
  const near = findMistyped(name, known);
  if (near !== undefined) return [near];
  const words = name.toLowerCase().split('_').filter(Boolean);
  if (words.length < 2) return [];
  return known.filter((field) => hasWords(field.split('_'), words)).slice(0, MAX_OFFERED);
}

/** Whether every word is the beginning of one of the parts, in order. */
function hasWords(parts: readonly string[], words: readonly string[]): boolean {
  let at = 0;
  return words.every((word) => {
    while (at < parts.length && !parts[at].startsWith(word)) at++;
    return at++ < parts.length;
  });
}
