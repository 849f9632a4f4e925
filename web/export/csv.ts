// The tensors as CSV: for spreadsheets, and for programs.

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

/** What a single tensor has of its own. */
const SINGLE = ['name', 'kind', 'part', 'shape', 'elements'] as const;

/** No spreadsheet takes more lines. */
export const MAX_LINES = 1_048_575;

/** Spreadsheets keep so many digits of a number. */
const EXACT = 15;

export interface CsvStyle {
  /** A line for each single tensor instead of one for each row of the answer. Throws where that is more than a spreadsheet takes. */
  readonly expanded?: boolean;
  /** For a spreadsheet, not a program: it is told that this is UTF-8, and longer numbers stay as they are. */
  readonly spreadsheet?: boolean;
  /** For a spreadsheet's clipboard: tabs between cells, which it takes apart by itself. */
  readonly tabs?: boolean;
}

/** Plain digits, one line for each distinct tensor. */
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

/** For the clipboard, where nothing is quoted. */
const formatTabCell = (cell: string) => (isLongNumber(cell) ? `="${cell}"` : guardFormula(cell).replace(/[\t\r\n]+/g, ' '));

/** A formula is the only way to give a spreadsheet all digits of a long number. Digits alone are safe. */
const formatSpreadsheetCell = (cell: string) => (isLongNumber(cell) ? `"=""${cell}"""` : csvCell(cell));

const isLongNumber = (cell: string) => cell.length > EXACT && /^\d+$/.test(cell);
