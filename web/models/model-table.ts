// Builds the table of models from a filter, a sort order and a choice of columns, and writes it as CSV or Markdown.

import { findValidPrefix, parseCondition, type Cells, type Mistake } from './condition.ts';
import { COLUMN_NAMES, findColumn, DEFAULT_COLUMNS, columnLabel, isText, type Column } from './model-columns.ts';
import type { Cell, Counted, LazyCounts } from './model-rows.ts';
import * as texts from './models-texts.ts';
import { csvCell, escapeMarkdownCell } from '../support/escape.ts';
import { findNearName } from '../support/near-names.ts';
import { grouped, percent, short } from '../support/numbers.ts';

/** A setting of the table, as written in a URL or on the command line. Empty parts mean the default. */
export interface TableSetting {
  /** Column names separated by commas. */
  readonly columns: string;
  readonly where: string;
  /** Column names separated by commas; a leading minus sorts in descending order. */
  readonly sort: string;
}

/** An error in one part of the setting. */
export interface SettingError extends Mistake {
  readonly part: keyof TableSetting;
}

export interface Row {
  readonly model: Counted;
  /** The cells of the row, computed when they are first read. */
  readonly cells: readonly Cell[];
}

export interface ModelTable {
  readonly ok: true;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** The number of models before the condition is applied. */
  readonly models: number;
}

interface Key {
  readonly column: Column;
  readonly down: boolean;
}

/** Builds the table for a setting, or returns the error in the setting. */
export function buildTable(models: LazyCounts, wish: TableSetting): ModelTable | { readonly ok: false; readonly error: SettingError } {
  const shown = parseColumns(wish.columns, 'columns');
  const order = parseColumns(wish.sort, 'sort');
  const condition = parseCondition(wish.where);
  if ('error' in shown) return { ok: false, error: shown.error };
  if ('error' in order) return { ok: false, error: order.error };
  if (!condition.ok) return { ok: false, error: { part: 'where', ...condition.error } };
  const own = shown.keys.length > 0 ? shown.keys.map(({ column }) => column) : DEFAULT_COLUMNS.flatMap((name) => findColumn(name) ?? []);
  const counted = models();
  const kept = counted.map((model) => ({ model, cellOf: memoizeCells(model) })).filter(({ cellOf }) => condition.holds(cellOf));
  if (order.keys.length > 0) kept.sort((a, b) => compareRows(a.cellOf, b.cellOf, order.keys));
  const rows = kept.map(({ model, cellOf }) => ({
    model,
    get cells() {
      return own.map(cellOf);
    },
  }));
  return { ok: true, columns: own, rows, models: counted.length };
}

/** Builds the table for the valid parts of a setting, while the user is still typing. */
export function buildTableLeniently(models: LazyCounts, wish: TableSetting): ModelTable {
  const table = buildTable(models, wish);
  if (table.ok) return table;
  const { part } = table.error;
  return buildTableLeniently(models, { ...wish, [part]: part === 'where' ? findValidPrefix(wish.where) : '' });
}

const made = new WeakMap<Counted, Map<Column, Cell>>();

/** Returns a function that computes each cell of a model once. */
function memoizeCells(model: Counted): Cells {
  const own = made.get(model) ?? new Map<Column, Cell>();
  made.set(model, own);
  return (column) => {
    if (!own.has(column)) own.set(column, column.of(model));
    return own.get(column);
  };
}

function parseColumns(text: string, part: keyof TableSetting): { readonly keys: readonly Key[] } | { readonly error: SettingError } {
  const keys: Key[] = [];
  for (const { 0: word, index } of text.matchAll(/[^\s,]+/g)) {
    const down = part === 'sort' && word.startsWith('-');
    const name = down ? word.slice(1) : word;
    const column = findColumn(name.toLowerCase());
    if (!column)
      return { error: { part, message: texts.noColumn(name, findNearName(name, COLUMN_NAMES)), from: index, to: index + word.length } };
    keys.push({ column, down });
  }
  return { keys };
}

/** Compares two rows by the sort keys. Unknown values come last in both directions. */
function compareRows(a: Cells, b: Cells, keys: readonly Key[]): number {
  for (const { column, down } of keys) {
    const [left, right] = [a(column), b(column)];
    if (left === right) continue;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    const before =
      typeof left === 'string'
        ? left.localeCompare(String(right), 'en', { numeric: true, sensitivity: 'base' }) < 0
        : left < (right as bigint);
    return before === down ? 1 : -1;
  }
  return 0;
}

/** Formats a cell for people: abbreviated counts, shares in per cent, grouped sizes. */
export function formatCell(cell: Cell, { kind }: Column): string {
  if (cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  return kind === 'share' ? percent(cell, 1_000_000n) : kind === 'size' ? grouped(cell) : short(String(cell));
}

/** Formats a cell for programs: all digits, shares as fractions. */
export const formatCellExactly = (cell: Cell, { kind }: Column): string =>
  typeof cell !== 'bigint' || kind !== 'share' ? String(cell ?? '') : `${cell / 1_000_000n}.${String(cell % 1_000_000n).padStart(6, '0')}`;

/** The table as CSV, with column names as the header and all digits. */
export const formatCsv = ({ columns, rows }: ModelTable): string =>
  [columns.map(({ name }) => name), ...rows.map(({ cells }) => cells.map((cell, i) => formatCellExactly(cell, columns[i])))]
    .map((line) => `${line.map(csvCell).join(',')}\n`)
    .join('');

/** The table as Markdown. Counts have all digits, in groups. */
export function formatMarkdown({ columns, rows }: ModelTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdownCell).join(' | ')} |\n`;
  const exact = (cell: Cell, column: Column) =>
    typeof cell === 'bigint' && column.kind === 'count' ? grouped(cell) : formatCell(cell, column);
  return [
    line(columns.map(columnLabel)),
    line(columns.map((column) => (isText(column) ? '---' : '---:'))),
    ...rows.map(({ cells }) => line(cells.map((cell, i) => exact(cell, columns[i])))),
  ].join('');
}

/** One object per row, with a member for each cell that has a value, as text with all digits. */
export const toRecords = ({ columns, rows }: ModelTable): readonly Readonly<Record<string, string>>[] =>
  rows.map(({ cells }) => Object.fromEntries(cells.flatMap((cell, i) => (cell === undefined ? [] : [[columns[i].name, formatCellExactly(cell, columns[i])]])))); // prettier-ignore
