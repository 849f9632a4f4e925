// The fields that a mistyped one may have meant.

import { findMistyped } from '../support/near-names.ts';

/** The most fields that are offered. */
const MAX_OFFERED = 3;

/** Fields one slip away, else those that contain each of its words or abbreviations: `num_layers` and `n_layers` mean `num_hidden_layers`. */
export function listMeantFields(name: string, known: readonly string[]): readonly string[] {
  const near = findMistyped(name, known);
  if (near !== undefined) return [near];
  const words = name.toLowerCase().split('_').filter(Boolean);
  if (words.length < 2) return [];
  return known.filter((field) => hasWords(field.split('_'), words)).slice(0, MAX_OFFERED);
}

/** Whether each word begins one of the others, in their order. */
function hasWords(parts: readonly string[], words: readonly string[]): boolean {
  let at = 0;
  return words.every((word) => {
    while (at < parts.length && !parts[at].startsWith(word)) at++;
    return at++ < parts.length;
  });
}
