// The forms of an answer on the command line, by name. All but the table are those of the page's exports.

import { csv } from '../export/csv.ts';
import { json } from '../export/json.ts';
import { latex } from '../export/latex.ts';
import { markdown } from '../export/markdown.ts';
import { names } from '../export/names.ts';
import { nameOf } from '../models/model.ts';
import type { Entry } from '../config/entry.ts';
import type { CountAnswer } from '../types/index.ts';
import { table } from './text-table.ts';
import type { Terminal } from './terminal.ts';

export interface Format {
  readonly name: string;
  readonly meaning: string;
  /** In pieces, as a model may have millions of tensors. */
  readonly write: (answer: CountAnswer, entry: Entry, terminal: Terminal) => Iterable<string>;
}

export const formats: readonly Format[] = [
  { name: 'table', meaning: 'for the terminal', write: table },
  { name: 'json', meaning: 'the whole answer, as the package gives it', write: (answer) => [json(answer)] },
  { name: 'markdown', meaning: 'the table of tensors', write: (answer, entry) => [markdown(answer, nameOf(entry))] },
  { name: 'csv', meaning: 'the table of tensors, digits exact', write: (answer) => [csv(answer)] },
  { name: 'latex', meaning: 'formula and table, for a paper', write: (answer, entry) => [latex(answer, nameOf(entry))] },
  { name: 'names', meaning: 'the name of every single tensor, one a line', write: lines },
];

/** Some thousand lines at a time. */
function* lines(answer: CountAnswer): Generator<string> {
  let text = '';
  for (const name of names(answer)) {
    text += `${name}\n`;
    if (text.length < 1 << 16) continue;
    yield text;
    text = '';
  }
  yield text;
}
