// The export formats of a count.

import { neutral } from '../support/numbers.ts';
import * as exportsTexts from './export-texts.ts';
import type { CountAnswer } from '../types/index.ts';
import { formatCsv } from './csv.ts';
import { formatJson } from './json.ts';
import { formatLatex } from './latex.ts';
import { formatMarkdown } from './markdown.ts';
import { formatPlain, type Citation } from './plain.ts';
import { formatPython } from './python.ts';

export interface Format {
  readonly id: string;
  readonly label: string;
  /** What the format is for. */
  readonly meaning: string;
  /** The file extension. */
  readonly ending: string;
  readonly type: string;
  /** Writes the export. May throw an Error whose message can be shown to the user. */
  readonly text: (answer: CountAnswer, about: Citation) => string;
  /** The text for the clipboard, if it differs from that of the file. */
  readonly copied?: (answer: CountAnswer) => string;
}

const { labels, meanings } = exportsTexts;

export const formats: readonly Format[] = [
  { id: 'text', ending: 'txt', type: 'text/plain', text: formatPlain },
  {
    id: 'markdown',
    ending: 'md',
    type: 'text/markdown',
    text: (answer: CountAnswer, { title }: Citation) => formatMarkdown(answer, title),
  },
  {
    id: 'csv',
    ending: 'csv',
    type: 'text/csv',
    text: (answer: CountAnswer) => formatCsv(answer, { spreadsheet: true }),
    copied: (answer: CountAnswer) => formatCsv(answer, { tabs: true }),
  },
  {
    id: 'tensors',
    ending: 'csv',
    type: 'text/csv',
    text: (answer: CountAnswer) => formatCsv(answer, { spreadsheet: true, expanded: true }),
    copied: (answer: CountAnswer) => formatCsv(answer, { tabs: true, expanded: true }),
  },
  { id: 'json', ending: 'json', type: 'application/json', text: formatJson },
  { id: 'latex', ending: 'tex', type: 'application/x-tex', text: (answer: CountAnswer, { title }: Citation) => formatLatex(answer, title) },
  { id: 'python', ending: 'py', type: 'text/x-python', text: (answer: CountAnswer, { title }: Citation) => formatPython(answer, title) },
].map(({ text, copied, ...format }) => ({
  ...format,
  ...(copied && { copied: (answer: CountAnswer) => neutral(() => copied(answer)) }),
  text: (answer: CountAnswer, about: Citation) => neutral(() => text(answer, about)),
  label: labels[format.id],
  meaning: meanings[format.id],
}));
