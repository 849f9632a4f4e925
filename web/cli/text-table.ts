// Formats an answer for the terminal: the totals, the parts, the formula, every row of tensors and the notes. Tables that are too wide lose
// columns or have shortened cells.

import { isNotParameter } from '../answer/breakdown.ts';
import { grouped, percent, shapeText, short } from '../support/numbers.ts';
import { nameOf } from '../models/model.ts';
import type { Entry, Published } from '../config/entry.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, Note, TensorRow, Totals } from '../types/index.ts';
import type { Terminal } from './terminal.ts';

export function* formatTable(answer: CountAnswer, entry: Entry, terminal: Terminal): Generator<string> {
  const { bold, dim } = terminal;
  const { totals, parts, tensors, notes } = answer;
  const all = totals.parameters;
  const name = nameOf(entry);
  const id = entry.base?.id;
  yield `${bold(name)}${id && id !== name ? `  ${dim(id)}` : ''}\n${dim(`${answer.model_type}, ${answer.architecture}`)}\n\n`;
  yield `${bold(grouped(all))} parameters  ${dim(short(all))}\n`;
  const published = entry.base?.text === entry.text ? entry.base.published : undefined;
  if (published) yield `${formatVerdict(published, totals)}\n`;
  const told = (level: Note['level']) => notes.filter((note) => note.level === level).map(({ message }) => `- ${message}\n`);
  yield told('warning').join('');
  yield '\n';
  yield formatColumns(
    [
      ...parts.map(({ part, parameters }) => [partLabel(part), grouped(parameters), short(parameters), percent(parameters, all)]),
      [texts.picture.total, grouped(all), short(all), '100%'],
    ],
    terminal,
    { right: [1, 3], headless: true },
  );
  yield '\n';
  yield formatColumns(
    Object.entries(texts.picture.totals).flatMap(([sum, label]) => {
      const total = totals[sum as keyof typeof totals];
      return total ? [[label, grouped(total), short(total)]] : [];
    }),
    terminal,
    { right: [1], headless: true },
  );
  yield `\n${answer.formula.symbols}\n= ${grouped(answer.formula.value)}\n\n`;
  const { headings } = texts.table;
  const line = (row: TensorRow) => [
    row.name,
    shapeText(row.shape) || texts.table.scalar,
    row.kind === 'tied' ? texts.table.tied(row.tied_to ?? '') : row.formula,
    grouped(row.copies),
    row.kind === 'tied' ? texts.table.notAgain : row.kind === 'parameter' ? grouped(row.total) : `(${grouped(row.total)})`,
  ];
  const heads = [headings.tensor, headings.shape, headings.formula, headings.copies, headings.total];
  const own = tensors.filter(({ kind }) => !isNotParameter(kind));
  yield formatColumns([heads, ...own.map(line)], terminal, { right: [3, 4], first: [2, 1] });
  for (const kind of ['published', 'possible'] as const) {
    const rows = tensors.filter((row) => row.kind === kind);
    if (rows.length > 0)
      yield `\n${texts.table.beside[kind]}\n${formatColumns([heads, ...rows.map(line)], terminal, { right: [3, 4], first: [2, 1] })}`;
  }
  const remarks = told('info');
  if (remarks.length > 0) yield `\n${remarks.join('')}`;
}

/** Says whether the catalogue's count equals this one. For some models the catalogue counts all stored elements, including buffers. */
function formatVerdict({ parameters: count, source }: Published, { parameters, stored }: Totals): string {
  if (count === parameters) return texts.published.equal(source);
  return count === stored ? texts.published.withBuffers(source, grouped(count)) : texts.published.other(grouped(count));
}

export interface Layout {
  /** Indices of right-aligned columns, which contain numbers. */
  readonly right?: readonly number[];
  /** Indices of columns to omit, in this order, if the table is too wide. */
  readonly first?: readonly number[];
  readonly headless?: boolean;
}

const GAP = 2;

/** The width, in characters, below which no column is shortened. */
const LEAST = 24;

/**
 * Formats rows as aligned columns. If they are too wide, the columns in `first` are omitted first, then the widest columns are shortened,
 * to at least LEAST characters. Right-aligned columns are never shortened.
 */
export function formatColumns(rows: readonly (readonly string[])[], { width, dim }: Terminal, layout: Layout = {}): string {
  const { right = [], first = [], headless = false } = layout;
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const shown = new Set(widths.keys());
  const needed = () => [...shown].reduce((sum, column) => sum + widths[column] + GAP, -GAP);
  for (const column of first) if (needed() > width) shown.delete(column);
  for (const column of [...shown].filter((at) => !right.includes(at)).sort((a, b) => widths[b] - widths[a])) {
    if (needed() > width) widths[column] = Math.max(Math.min(LEAST, widths[column]), widths[column] - (needed() - width));
  }
  const last = [...shown].at(-1);
  const cell = (text: string, column: number) => {
    const fitted = text.length > widths[column] ? `${text.slice(0, widths[column] - 1)}…` : text;
    return right.includes(column) ? fitted.padStart(widths[column]) : column === last ? fitted : fitted.padEnd(widths[column]);
  };
  return rows
    .map((row, i) => {
      const line = [...shown].map((column) => cell(row[column], column)).join(' '.repeat(GAP));
      return `${i === 0 && !headless ? dim(line) : line}\n`;
    })
    .join('');
}
