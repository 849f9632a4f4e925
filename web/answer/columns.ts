// The widths of the table's columns. They do not depend on which rows are visible, so that columns do not move while scrolling. Widths are
// in pixels, as in `styles/table.css`.

import { isNotParameter, listNodes, findTag, type Node } from './breakdown.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import { formatFormula, type Writing } from './formula.ts';
import type { SymbolRow, TensorRow } from '../types/index.ts';

/** The width of a character of code and of a digit, in pixels. */
const CODE = 7.3;
const DIGIT = 7.25;
/** The width of a bold digit, as in the total, in pixels. */
const HEAVY_DIGIT = 8.1;
const SMALL_DIGIT = 6.5;
const PADDING = 18;

/** Column widths are multiples of this many pixels, so that one more digit rarely changes them. */
const STEP = 12;

export interface Columns {
  readonly tensor: number;
  readonly shape: number;
  readonly formula: number;
  readonly numbers: number;
  readonly copies: number;
  readonly total: number;
  readonly share: number;
}

/** Columns keep their widths if none is too narrow or more than this many pixels too wide, so that little moves while a number is typed. */
const SLACK = 4 * STEP;

/** Whether the columns of the previous answer are wide enough for this one, and not much too wide. */
export const canKeep = (kept: Columns, needed: Columns): boolean =>
  (Object.keys(needed) as (keyof Columns)[]).every((name) => kept[name] >= needed[name] && kept[name] <= needed[name] + SLACK);

export function measureColumns(tree: readonly Node[], symbols: readonly SymbolRow[], writing: Writing, indent: number): Columns {
  const nodes = listNodes(tree);
  const rows = nodes.flatMap(({ row }) => (row ? [row] : []));
  // The columns of formulas and products are measured without rows that only published files contain. These rows are collapsed at first,
  // and quantization scales have long formulas.
  const own = rows.filter(({ kind }) => !isNotParameter(kind));
  const width = (lengths: readonly number[], unit: number, least: number, limit: number) => {
    const needed = lengths.reduce((most, length) => Math.max(most, length * unit + PADDING), least);
    return Math.min(limit, Math.ceil(needed / STEP) * STEP);
  };
  return {
    tensor: width([measureDepth(tree, 0, indent)], 1, 228, 432),
    shape: width(
      rows.map(({ shape }) => shapeText(shape).length),
      DIGIT,
      84,
      228,
    ),
    formula: width(
      own.map((row) => measureMath(row, symbols, writing)),
      1,
      96,
      writing === 'names' ? 624 : 384,
    ),
    numbers: width(
      own.map(({ substitution }) => substitution.length),
      SMALL_DIGIT,
      120,
      408,
    ),
    copies: width(
      nodes.map(({ copies }) => grouped(copies).length),
      DIGIT,
      72, // the width of its heading
      180,
    ),
    total: width(
      [...nodes.map(({ total }) => grouped(total).length), ...rows.map(({ total }) => grouped(total).length)],
      HEAVY_DIGIT,
      rows.some(({ kind }) => kind === 'tied') ? 144 : 120,
      300,
    ),
    share: 84,
  };
}

const measureDepth = (nodes: readonly Node[], depth: number, indent: number): number =>
  nodes.reduce((most, node) => {
    // The sentence that labels a wide group spans several columns, so it does not widen this one.
    if (node.wide) return most;
    const tag = findTag(node)?.length;
    const label = node.label.length * CODE + depth * indent + 46 + (tag === undefined ? 0 : 22 + 6.5 * tag);
    return Math.max(most, label, measureDepth(node.children, depth + 1, indent));
  }, 0);

/** The approximate width of a typeset formula, in pixels. */
function measureMath({ math, kind }: TensorRow, symbols: readonly SymbolRow[], writing: Writing): number {
  if (kind === 'tied') return 0;
  if (writing === 'names') return formatFormula(math, symbols, { writing }).length * 7.4;
  let width = 0;
  for (const [token] of formatFormula(math, symbols, { writing: 'symbols' }).matchAll(/[A-Za-z]\w*|\d[\d,]*|\S/g)) {
    if (/^[A-Za-z]/.test(token)) width += measureSymbol(token);
    else if (/^\d/.test(token)) width += 9 * token.length;
    else width += token === '×' ? 10 : '()'.includes(token) ? 7 : 19;
  }
  return width * 1.05;
}

function measureSymbol(symbol: string): number {
  const [base, below = ''] = symbol.split('_');
  return 10 * base.length + 7.5 * below.length;
}

/** Shortens a formula until it fits. It is cut at spaces, so never inside a number. */
export function cutToFit(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  let out = '';
  for (const token of text.split(' ')) {
    const longer = `${out}${token} `;
    if (!fits(`${longer}…`)) break;
    out = longer;
  }
  return `${out}…`;
}
