// The tensors as text to take away: CSV, Markdown, JSON. Digits are exact.

import { grouped, shapeText } from '../format.ts';
import { partLabel } from '../part-names.ts';
import type { CountAnswer, TensorRow } from '../types.ts';

const COLUMNS = [
  'name',
  'kind',
  'part',
  'shape',
  'copies',
  'elements',
  'total',
  'active',
  'formula',
  'substitution',
  'tied_to',
  'reason',
] as const;

/** Plain digits, one line for each distinct tensor. */
export function csv(answer: CountAnswer): string {
  const cell = (row: TensorRow, column: (typeof COLUMNS)[number]) => (column === 'shape' ? row.shape.join(' x ') : (row[column] ?? ''));
  const rows = answer.tensors.map((row) => COLUMNS.map((column) => cell(row, column)));
  return [[...COLUMNS], ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A cell that starts like a formula gets an apostrophe, so that a spreadsheet shows it and does not run it. */
function csvCell(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function markdown(answer: CountAnswer, title: string): string {
  const rows = answer.tensors.map((row) => [
    row.kind === 'parameter' ? code(row.name) : `${code(row.name)} (${row.kind})`,
    partLabel(row.part),
    shapeText(row.shape),
    code(row.formula),
    row.substitution,
    grouped(row.copies),
    row.kind === 'tied' ? '–' : grouped(row.total),
  ]);
  return [
    `**${mdCell(title)}**: ${grouped(answer.totals.parameters)} parameters (${mdCell(answer.architecture)})`,
    '',
    '| tensor | part | shape | formula | with numbers | copies | total |',
    '| --- | --- | --- | --- | --- | ---: | ---: |',
    ...rows.map((row) => `| ${row.map(mdCell).join(' | ')} |`),
    `| **total** | | | | | | **${grouped(answer.totals.parameters)}** |`,
    '',
  ].join('\n');
}

const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;

const mdCell = (cell: string) =>
  cell
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/[\r\n]+/g, ' ');

/** The answer as the package gives it. */
export const json = (answer: CountAnswer) => `${JSON.stringify(answer, null, 2)}\n`;
