// The output formats of a count on the command line. The page also exports these, except for the table and the list of names. Its CSV is
// written for spreadsheets.

import { formatCsv } from '../export/csv.ts';
import { formatJson } from '../export/json.ts';
import { formatLatex } from '../export/latex.ts';
import { formatMarkdown } from '../export/markdown.ts';
import { listNames } from '../export/names.ts';
import { nameOf } from '../models/model.ts';
import type { Entry } from '../config/entry.ts';
import type { CountAnswer } from '../types/index.ts';
import { formatTable } from './text-table.ts';
import type { Terminal } from './terminal.ts';

export interface Format {
  readonly name: string;
  readonly meaning: string;
  /** Yields the output in one or more pieces, because a model may have millions of tensors. */
  readonly write: (answer: CountAnswer, entry: Entry, terminal: Terminal) => Iterable<string>;
}

export const formats: readonly Format[] = [
  { name: 'table', meaning: 'for the terminal', write: formatTable },
  { name: 'json', meaning: 'the whole answer, as the package returns it', write: (answer) => [formatJson(answer)] },
  { name: 'markdown', meaning: 'the table of tensors', write: (answer, entry) => [formatMarkdown(answer, nameOf(entry))] },
  { name: 'csv', meaning: 'the table of tensors, digits exact', write: (answer) => [formatCsv(answer)] },
  { name: 'latex', meaning: 'formula and table, for a paper', write: (answer, entry) => [formatLatex(answer, nameOf(entry))] },
  { name: 'names', meaning: 'the name of every tensor, one per line', write: formatLines },
];

/** Yields the names of the model's tensors, one per line, in pieces of at least 65,536 characters except for the last. */
function* formatLines(answer: CountAnswer): Generator<string> {
  let text = '';
  for (const name of listNames(answer)) {
    text += `${name}\n`;
    if (text.length < 1 << 16) continue;
    yield text;
    text = '';
  }
  yield text;
}
