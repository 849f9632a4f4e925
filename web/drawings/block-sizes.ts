// The sizes of a layer's tensors for the drawing: input and output widths, the scale in elements per pixel, and shapes as text.

import type { Block, Module, Unit } from '../answer/layer-blocks.ts';
import type { Experts } from '../answer/layer-flow.ts';
import { shapeText } from '../support/numbers.ts';
import type { TensorRow } from '../types/index.ts';
import * as texts from '../texts/page.ts';
import * as blockTexts from './block-texts.ts';

/** The largest side of a matrix in pixels, and the largest total area in square pixels. */
export const LONGEST = 250;
const AREA = 110_000;

/** The width of the residual stream, taken from the first norm. */
export const streamOf = ({ modules }: Block): number | undefined =>
  modules.filter(({ isNorm }) => isNorm).map(({ units }) => Number(units[0].rows[0].shape[0]))[0];

const TRANSPOSED = /(^|\.)(c_attn|c_proj|c_fc|q_attn)\.weight$|^(?!.*\.weight$)/;

/**
 * The input and output widths of a tensor. The input of a convolution kernel is its channels times its positions. `gives`: whether the
 * tensor's output is the residual stream, to recognise transposed matrices.
 */
export function sidesOf(
  { name, shape, role, part }: TensorRow,
  { stream }: { readonly stream?: number } = {},
  gives = false,
): { takes: number; gives: number } {
  const [a = 1, b = 1, ...rest] = shape.map(Number);
  if (shape.length < 2) return { takes: a, gives: 1 };
  if (role !== 'kernel' && shape.length === 3) {
    if (part !== 'attention' && part !== 'state_space') return { takes: rest[0], gives: b }; // one matrix of a stack
    // XLNet's attention matrices have a separate dimension for heads. State-space matrices with three dimensions are stacks of the blocks
    // of a block-diagonal matrix.
    return part === 'attention' ? { takes: a, gives: b * rest[0] } : { takes: rest[0], gives: a * b };
  }
  const cells = rest.reduce((product, side) => product * side, b);
  // GPT-2 stores its matrices transposed, as inputs × outputs. Some parameters that are not called `weight` are stored this way, too.
  const turned =
    TRANSPOSED.test(name) && stream !== undefined && a !== b && (gives ? b === stream && a !== stream : a === stream && b !== stream);
  return turned ? { takes: a, gives: b } : { takes: cells, gives: a };
}

/** The number of elements per pixel of length, chosen so that the longest side and the total area fit. */
export function chooseUnit(modules: readonly Module[]): number {
  const units = modules.flatMap(({ units, groups }) => [...units, ...groups.flatMap((group) => group.units)]);
  const sides = units.filter((unit) => !isExpert(unit, modules)).map(({ rows }) => sidesOf(rows[0]));
  const longest = Math.max(1, ...sides.filter(({ gives }) => gives > 1).flatMap(({ takes, gives }) => [takes, gives]));
  const area = Number(modules.reduce((sum, module) => sum + sumModule(module), 0n));
  return Math.max(longest / LONGEST, Math.sqrt(area / AREA));
}

const isExpert = (unit: Unit, modules: readonly Module[]) => modules.some(({ groups }) => groups.some(({ units }) => units.includes(unit)));

/** The number of parameters of a module in one layer. */
export const sumModule = ({ units, groups }: Module) =>
  [{ units, copies: 1n }, ...groups].reduce((sum, group) => sum + group.copies * sumElements(group.units.flatMap(({ rows }) => rows)), 0n);

const sumElements = (rows: readonly TensorRow[]) =>
  rows.reduce((sum, { kind, elements }) => (kind === 'parameter' ? sum + BigInt(elements) : sum), 0n);

/** A tensor's shape as text. For a convolution, the kernel size precedes the channels. */
export function formatUnitSize({ role, shape }: TensorRow): string {
  if (role !== 'kernel' || shape.length < 3) return shapeText(shape) || texts.table.scalar;
  return blockTexts.kernel(shapeText(shape.slice(2)), shapeText(shape.slice(0, 2)));
}

export const formatSize = ({ rows }: Unit) =>
  formatUnitSize(rows[0]) + (rows.length > 1 && rows.some(({ name }) => name.endsWith('.bias')) ? blockTexts.biased : '');

/** The side of one square in a grid of experts, the gap, the number of columns, and the sides of the grid, in pixels. */
export function fieldSize({ units, count }: Experts, unit: number) {
  const rows = units.flatMap((one) => one.rows);
  const stacked = rows.some(({ shape }) => shape.length === 3);
  const area = rows.reduce((sum, { elements }) => sum + Number(elements), 0) / (stacked ? count : 1);
  const side = Math.max(2, Math.sqrt(area) / unit);
  const gap = Math.max(0.5, side * 0.08);
  const columns = Math.ceil(Math.sqrt(count));
  return { side, gap, columns, wide: columns * (side + gap) - gap, high: Math.ceil(count / columns) * (side + gap) - gap };
}
