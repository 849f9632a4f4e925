// Texts of exports.

import { grouped, plural } from '../support/numbers.ts';

export const format = 'Format';
export const copy = 'Copy';
export const copyTitle = (label: string) => `Copy as ${label}`;
export const save = 'Save';
export const saveTitle = (label: string, ending: string) => `Save as ${label}, in a .${ending} file`;
export const preview = 'Preview';
export const more = (n: number) => `… and ${plural(n, 'more line')}`;
export const tooMany = (limit: number) => `There are more tensors than a spreadsheet has rows (${grouped(limit)}).`;
export const labels = {
  text: 'Text',
  markdown: 'Markdown',
  csv: 'CSV',
  tensors: 'CSV of all',
  json: 'JSON',
  latex: 'LaTeX',
  python: 'Python',
} as Readonly<Record<string, string>>;
export const meanings = {
  text: 'The number, its parts and its formula, with a citation.',
  markdown: 'The table, for a README or a post.',
  csv: 'For a spreadsheet: one line per distinct tensor, with exact digits.',
  tensors: 'For a spreadsheet: one line per tensor, with its full name.',
  json: 'The whole answer, as the package gives it.',
  latex: 'Formula and table, for a paper; they need amsmath and longtable.',
  python: 'The formula as a function of the fields, with the same result.',
} as Readonly<Record<string, string>>;
export const warning = (message: string) => `Warning: ${message}`;
export const citation = (title: string, count: string, date = '', address = '') =>
  `Counted from the configuration of ${title} by Param Ledger${date && `, ${date}`}: ${count} parameters.${address && ` ${address}`}`;
