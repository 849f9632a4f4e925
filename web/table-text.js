// The tensors as text to take away: CSV, Markdown, JSON.

import { grouped, shapeText } from './format.js';
import { partLabel } from './parts.js';

/** @typedef {import('./types').CountAnswer} CountAnswer */

const COLUMNS = /** @type {const} */ (['name', 'kind', 'part', 'shape', 'copies', 'elements', 'total', 'active', 'formula', 'substitution', 'tied_to']);

/** Plain digits, one line for each distinct tensor. @param {CountAnswer} answer */
export function csv(answer) {
  const rows = answer.tensors.map((row) => COLUMNS.map((column) => (column === 'shape' ? row.shape.join(' x ') : (row[column] ?? ''))));
  return [[...COLUMNS], ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n';
}

/** A cell that starts like a formula gets an apostrophe, so that a spreadsheet shows it and does not run it. @param {string} cell */
function csvCell(cell) {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {CountAnswer} answer @param {string} title */
export function markdown(answer, title) {
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

/** @param {string} text */
const code = (text) => `\`${text.replaceAll('`', "'")}\``;

/** @param {string} cell */
const mdCell = (cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/[\r\n]+/g, ' ');

/** The answer as the core gave it. @param {CountAnswer} answer */
export const json = (answer) => `${JSON.stringify(answer, null, 2)}\n`;
