// Writes the tensors as CSV, for spreadsheets and programs.

import * as exportsTexts from './export-texts.ts';
import { csvCell, guardFormula } from '../support/escape.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';
import { listRowNames } from './names.ts';

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

/** The columns in a list with one line per tensor. */
const SINGLE = ['name', 'kind', 'part', 'shape', 'elements'] as const;

/** The largest number of lines below the header that Excel and LibreOffice can hold. */
export const MAX_LINES = 1_048_575;

/** The number of digits up to which spreadsheets store a number exactly. */
const EXACT = 15;

export interface CsvStyle {
  /** One line per tensor instead of one per row of the answer. Throws if a spreadsheet cannot hold that many lines. */
  readonly expanded?: boolean;
  /** For a spreadsheet instead of a program: starts with a byte order mark and keeps long numbers exact. */
  readonly spreadsheet?: boolean;
  /** Separates cells with tabs, for pasting into a spreadsheet. */
  readonly tabs?: boolean;
}

/**
 * Writes one line per row of the answer or, with `expanded`, one per tensor. The numbers in cells of their own have no digit groups.
 */
export function formatCsv(answer: CountAnswer, { expanded = false, spreadsheet = false, tabs = false }: CsvStyle = {}): string {
  const format = tabs ? formatTabCell : spreadsheet ? formatSpreadsheetCell : csvCell;
  const lines = (rows: Iterable<readonly (string | number)[]>) => {
    let out = spreadsheet ? '\ufeff' : '';
    for (const row of rows) out += `${row.map((cell) => format(String(cell))).join(tabs ? '\t' : ',')}\r\n`;
    return out;
  };
  return lines(
    expanded ? listSingles(answer) : [[...COLUMNS], ...answer.tensors.map((row) => COLUMNS.map((column) => formatCell(row, column)))],
  );
}

const formatCell = (row: TensorRow, column: (typeof COLUMNS)[number]) => (column === 'shape' ? row.shape.join(' x ') : (row[column] ?? ''));

function* listSingles(answer: CountAnswer): Generator<readonly (string | number)[]> {
  if (answer.tensors.reduce((sum, { copies }) => sum + BigInt(copies), 0n) > MAX_LINES) throw new Error(exportsTexts.tooMany(MAX_LINES));
  yield SINGLE;
  for (const row of answer.tensors) {
    const rest = SINGLE.slice(1).map((column) => formatCell(row, column));
    for (const name of listRowNames(row)) yield [name, ...rest];
  }
}

/** A cell for the clipboard, where cells need no quotes. */
const formatTabCell = (cell: string) => (isLongNumber(cell) ? `="${cell}"` : guardFormula(cell).replace(/[\t\r\n]+/g, ' '));

/**
 * A spreadsheet keeps all digits of a long number only if it is written as a formula. This is safe because the cell contains only digits.
 */
const formatSpreadsheetCell = (cell: string) => (isLongNumber(cell) ? `"=""${cell}"""` : csvCell(cell));

const isLongNumber = (cell: string) => cell.length > EXACT && /^\d+$/.test(cell);
