// Finds a model by typed text: by its exact name, its beginning, its words, a part of it, or similarity.

import { editDistance } from '../support/edit-distance.ts';
import { isHubId, parseHubId } from '../hub/id.ts';
import type { Base, Published } from '../config/entry.ts';
import type { Count, FamilyRow } from '../types/index.ts';

/** A model type that can be chosen. */
export type TypeName = Pick<FamilyRow, 'model_type' | 'summary'>;

/** A published model or a model type in the list of choices. */
export interface Choice {
  readonly kind: Base['kind'];
  readonly id: string;
  readonly name: string;
  /** The heading under which the list shows the choice: the model's publisher, or the title of the model types. */
  readonly owner: string;
  readonly parameters?: Count;
  /** Whether it is a model type with a name that does not match the query, found for example by the words of its summary. */
  readonly isAlike?: boolean;
  /** All its names, normalised by `normalizeName`. */
  readonly names: readonly string[];
  /** The words of its names and, for a model type, of its summary. */
  readonly words: readonly string[];
  /** The numbers in its names or summary, which `matchNumbers` compares with those in a query. */
  readonly numbers: readonly string[];
  /** The `owner/name` id and the aliases of a published model, in lower case; empty for a model type. */
  readonly ids: readonly string[];
}

/** Reduces a name to letters and digits, so that `Llama-3.1-8B` and `llama 3.1 8b` are equal. */
const normalizeName = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const splitWords = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]+/u)
    .map(normalizeName)
    .filter(Boolean);

const findNumbers = (text: string) => text.match(/\d+(?:\.\d+)*/g) ?? [];

export function listChoices(models: readonly Published[], families: readonly TypeName[], typesTitle: string): Choice[] {
  const published = models.map(({ id, name, aliases = [], parameters }): Choice => {
    const [owner] = id.split('/', 1);
    const known = [id, id.slice(owner.length + 1), name, ...aliases, ...aliases.map((alias) => alias.slice(alias.indexOf('/') + 1))];
    return {
      kind: 'model',
      id,
      name,
      owner,
      parameters,
      names: [...new Set(known.map(normalizeName))],
      words: [...new Set(known.flatMap(splitWords))],
      numbers: [...new Set(known.flatMap(findNumbers))],
      ids: [id, ...aliases].map((name) => name.toLowerCase()),
    };
  });
  const types = families.map(({ model_type: id, summary }): Choice => {
    const words = [...splitWords(id), ...splitWords(summary)];
    return {
      kind: 'type',
      id,
      name: id,
      owner: typesTitle,
      names: [normalizeName(id)],
      words,
      numbers: findNumbers(`${id} ${summary}`),
      ids: [],
    };
  });
  return [...published, ...types];
}

/** The id in a query that is an `owner/name` id or the Hub's address of a model, whether or not the model is known. */
export const parseFullId = (query: string) => parseHubId(query) ?? (isHubId(query.trim()) ? query.trim() : undefined);

/** Whether one of the choices has this id or alias, in any letter case. */
export const isKnown = (choices: readonly Choice[], id: string) => choices.some(({ ids }) => ids.includes(id.toLowerCase()));

/** The choices that match a query, best first. For a query without letters and digits, all of them in their original order. */
export function searchChoices(choices: readonly Choice[], query: string): readonly Choice[] {
  const id = parseFullId(query);
  const text = id ?? query;
  const whole = normalizeName(text);
  if (whole === '') return choices;
  const words = splitWords(text);
  const says = matchNumbers(text, words.length);
  const ranked = choices.flatMap((choice, place) => {
    const rank =
      id !== undefined && choice.ids.includes(id.toLowerCase()) ? -1 : says(choice) ? rankChoice(choice, whole, words) : undefined;
    return rank === undefined ? [] : [{ choice, rank, place }];
  });
  const best = ranked.some(({ rank }) => rank < NEAR) ? ranked.filter(({ rank }) => rank < NEAR) : ranked;
  const found = best.map(({ choice, ...order }) => ({ choice, group: groupOf(choice, whole, words), ...order }));
  return found
    .sort((a, b) => a.group - b.group || a.rank - b.rank || a.place - b.place)
    .map(({ choice, group }) => (group === ALIKE ? { ...choice, isAlike: true } : choice));
}

/** The group of model types with names that do not match the query. */
const ALIKE = 2;

/** The sort group of a choice: published models first, then model types with a matching name, then other model types. */
function groupOf({ kind, names }: Choice, whole: string, words: readonly string[]): number {
  if (kind !== 'type') return 0;
  const named = names.some((name) => name.includes(whole) || whole.startsWith(name) || words.every((word) => name.includes(word)));
  return named ? 1 : ALIKE;
}

const NEAR = 4;

/**
 * Returns a test that compares the numbers in a query with those of a choice: `llama 2 13b` matches only choices with the numbers 2 and
 * 13. A number at the end may be incomplete (`llama 3` matches 3.1). A query of one word, in which numbers may run together (`qwen257b`),
 * also matches if it is a part of a name.
 */
function matchNumbers(text: string, words: number): (choice: Choice) => boolean {
  const asked = findNumbers(text);
  const open = /\d\.?$/.test(text.trim()) ? asked.pop() : undefined;
  return ({ numbers, names }) =>
    (asked.every((number) => numbers.includes(number)) && (open === undefined || numbers.some((number) => number.startsWith(open)))) ||
    (words === 1 && names.some((name) => name.includes(normalizeName(text))));
}

/** The rank of a choice; smaller is better. Undefined if it does not match. A rank of NEAR or more means that a name is only similar. */
function rankChoice({ names, words: own }: Choice, whole: string, words: readonly string[]): number | undefined {
  if (names.includes(whole)) return 0;
  if (names.some((name) => name.startsWith(whole))) return 1;
  if (words.every((word) => own.some((known) => known.startsWith(word)))) return 2;
  if (names.some((name) => name.includes(whole)) || words.every((word) => names.some((name) => name.includes(word)))) return 3;
  const limit = whole.length < 4 ? 0 : whole.length < 8 ? 1 : 2;
  const apart = Math.min(...names.map((name) => editDistance(whole, name.slice(0, whole.length + 1), limit)));
  return apart <= limit && limit > 0 ? NEAR + apart : undefined;
}
