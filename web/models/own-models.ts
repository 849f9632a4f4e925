// The user's own rows in the table of models: pasted configurations, model types that were opened, and the models of the page, except
// unedited published ones.

import { createTypeBase } from './catalogue.ts';
import { nameOf } from './model.ts';
import { splitLine } from '../config/config-line.ts';
import type { Base, Entry } from '../config/entry.ts';
import type { Counter } from '../core/counter.ts';
import type { Listed } from './model-rows.ts';

export const listOwnModels = (entries: readonly Entry[]): readonly (Listed & { readonly entry: Entry })[] =>
  entries
    .filter(({ base, text }) => !(base?.published && base.text === text))
    .map((entry) => ({ id: '', name: nameOf(entry), config: entry.text, entry }));

/** Model types with their defaults that the user opened before, except those that are on the page now without edits. */
export const listVisitedTypes = (visited: readonly Pick<Base, 'kind' | 'id'>[], entries: readonly Entry[], counter: Counter) =>
  visited
    .filter(
      ({ kind, id }) => kind === 'type' && !entries.some(({ base, text }) => base?.kind === kind && base.id === id && base.text === text),
    )
    .map(({ id }) => {
      const base = createTypeBase(id, counter);
      return { id: '', name: base.name, config: base.text, visited: true, entry: { base, text: base.text } };
    });

/**
 * One configuration per line, alone or as `{"id": …, "config": {…}}`, in the format of the command `jsonl`. Invalid lines are kept, and the
 * core refuses them.
 */
export const parsePastedLines = (text: string): readonly (Listed & { readonly entry: Entry })[] =>
  text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === '') return [];
    const { id, config } = splitLine(line);
    const title = id === undefined ? `line ${i + 1}` : String(JSON.parse(id));
    return [{ id: '', name: title, config, entry: { text: config, title } }];
  });
