// The tensors as CSV, for spreadsheets and programs.

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

/** The columns of a single tensor. */
const SINGLE = ['name', 'kind', 'part', 'shape', 'elements'] as const;

/** The most lines of a spreadsheet. */
export const MAX_LINES = 1_048_575;

/** Spreadsheets keep this many digits of a number. */
const EXACT = 15;

export interface CsvStyle {
  /** One line per tensor instead of one per row. Throws if that is more than a spreadsheet takes. */
  readonly expanded?: boolean;
  /** For a spreadsheet instead of a program: with a mark for UTF-8 and with long numbers kept exact. */
  readonly spreadsheet?: boolean;
  /** For a spreadsheet's clipboard, which splits cells at tabs. */
  readonly tabs?: boolean;
}

/** Digits without grouping, one line for each distinct tensor. */
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

/** The clipboard needs no quotes. */
const formatTabCell = (cell: string) => (isLongNumber(cell) ? `="${cell}"` : guardFormula(cell).replace(/[\t\r\n]+/g, ' '));

/** Only as a formula does a spreadsheet keep all digits of a long number. Digits are safe in it. */
const formatSpreadsheetCell = (cell: string) => (isLongNumber(cell) ? `"=""${cell}"""` : csvCell(cell));

const isLongNumber = (cell: string) => cell.length > EXACT && /^\d+$/.test(cell);
