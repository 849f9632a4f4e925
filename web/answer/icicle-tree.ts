// Computes the icicle chart. The first row shows groups of tensors as cells with widths proportional to their sizes; the contents of each
// group are in the rows below it.

import { buildGroup, buildTree, groupAdded, isNotParameter, type Node } from './breakdown.ts';
import { grouped, ratio } from '../support/numbers.ts';
import * as partNames from '../texts/part-names.ts';
import { isIndex } from './tensor-names.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';

/** The number of rows of the chart. */
export const LEVELS = 3;

/** Below the first row, cells narrower than this share of the chart's width are not drawn, because they would be invisible. */
const SMALLEST = 0.0015;

/**
 * A group of tensors that only published files contain, such as the scales of fp8 matrices, is drawn if its elements exceed this share of
 * the model's parameters.
 */
const SMALLEST_ADDED = 0.005;

export interface Cell {
  readonly node: Node;
  /** The row of the chart, counted from 0. */
  readonly depth: number;
  /** The left edge and the width, as shares of the chart's width. */
  readonly left: number;
  readonly width: number;
  /** The number of rows that the cell spans. A cell without contents, which is one row of tensors, spans all remaining rows. */
  readonly rows: number;
  /** The number of elements in the node. With `use`: only those that one token uses, or only those that it does not use. */
  readonly size: bigint;
  readonly use?: Use;
}

export type Use = 'used' | 'idle';

/**
 * The tree of the icicle: parts, modules, tensors. The feed-forward part is divided if it has routed experts. Large groups of tensors that
 * only published files contain come last.
 */
export function buildIcicleTree(answer: CountAnswer): Node[] {
  const nodes = buildTree(answer, 'part');
  return [
    ...nodes.filter(({ total }) => total > 0n).flatMap((node) => (node.part === 'feed_forward' ? divideFeedForward(node) : [node])),
    ...groupAdded(answer)
      .filter((node) => ratio(sizeOf(node), answer.totals.parameters) > SMALLEST_ADDED)
      .map((node) => ({ ...node, label: partNames.inFiles(node.label) })),
  ];
}

/** Divides the feed-forward part into dense blocks, shared experts and routed experts. It stays whole if one token uses all of it. */
function divideFeedForward(node: Node): Node[] {
  const rows = listRows(node);
  const routed = rows.filter(isRouted);
  if (routed.length === 0) return [node];
  const shared = rows.filter((row) => !isRouted(row) && isShared(row));
  const dense = rows.filter((row) => !isRouted(row) && !isShared(row));
  return Object.entries({ dense, shared, routed })
    .map(([kind, own]) => buildGroup(`${node.id}:${kind}`, partNames.feedForward[kind], own, node.part))
    .filter(({ total }) => total > 0n);
}

/** Whether one token uses only some of the row's parameters, as with routed experts. */
const isRouted = ({ active, total }: TensorRow) => active !== total;
const isShared = ({ name }: TensorRow) => /[._]shared?_(experts?|mlp)\b|\bshared_expert/.test(name);

/** The number of parameters or, for a group that only published files contain, of elements. */
export const sizeOf = ({ total, beside, row }: Node): bigint =>
  total || (beside ?? (row && isNotParameter(row.kind) ? BigInt(row.total) : 0n));

/** The parameters of a group that one token uses. */
const sumActive = (node: Node): bigint =>
  listRows(node).reduce((sum, { kind, active }) => (kind === 'parameter' ? sum + BigInt(active) : sum), 0n);

/** Lays out groups as cells from left to right. The contents of each group are in the rows below it, up to `levels` rows in total. */
export function layOutCells(nodes: readonly Node[], levels = LEVELS): Cell[] {
  const whole = nodes.reduce((sum, node) => sum + sizeOf(node), 0n);
  const cells: Cell[] = [];
  const place = (list: readonly Node[], depth: number, from: number) => {
    let left = from;
    for (const node of list) {
      const size = sizeOf(node);
      const width = ratio(size, whole);
      if (width > SMALLEST || (depth === 0 && width > 0)) {
        const isLeaf = node.children.length === 0;
        const rows = isLeaf ? levels - depth : 1;
        const active = depth === 0 ? sumActive(node) : size;
        if (node.total > 0n && active < size) {
          const used = ratio(active, whole);
          cells.push({ node, depth, left, width: used, rows, size: active, use: 'used' });
          cells.push({ node, depth, left: left + used, width: width - used, rows, size: size - active, use: 'idle' });
        } else cells.push({ node, depth, left, width, rows, size });
        if (!isLeaf && depth + 1 < levels) place(node.children, depth + 1, left);
      }
      left += width;
    }
  };
  place(nodes, 0, 0);
  return cells;
}

/** A name outside the picture that is connected by a line to a cell too narrow for it. */
export interface Leader {
  readonly cell: Cell;
  /** The position of the line as a share of the width. */
  readonly at: number;
  /** The row in which the name stands, counted upwards from 1. */
  readonly row: number;
  /** The side of the line on which the name stands. Names are placed so that no line crosses another name. */
  readonly side: 'left' | 'right';
}

/**
 * Places the names of the first row's narrow cells outside the picture. `hasRoom`: whether a cell is wide enough for its own name.
 * `lengthOf`: the width of a name as a share of the picture's width. Names on the left of their lines are raised until none overlaps a name
 * on the right.
 */
export function layOutLeaders(cells: readonly Cell[], hasRoom: (cell: Cell) => boolean, lengthOf: (cell: Cell) => number): Leader[] {
  const thin = cells
    .filter((cell) => cell.depth === 0 && !hasRoom(cell))
    .map((cell) => ({ cell, at: Math.min(1, cell.left + cell.width / 2) }));
  const right = thin.filter(({ at }) => at < 0.5);
  const left = thin.filter(({ at }) => at >= 0.5);
  const overlaps = (raised: number) =>
    left.some(({ cell, at }, i) => {
      const beside = right[right.length - 1 - i - raised];
      return beside !== undefined && beside.at + lengthOf(beside.cell) > at - lengthOf(cell);
    });
  let raised = 0;
  while (overlaps(raised)) raised += 1;
  return [
    ...right.map((one, i): Leader => ({ ...one, row: right.length - i, side: 'right' })),
    ...left.map((one, i): Leader => ({ ...one, row: raised + i + 1, side: 'left' })),
  ];
}

/** All tensors of a group. Cached per node. */
export function listRows(node: Node): readonly TensorRow[] {
  const known = rows.get(node);
  if (known) return known;
  const own = node.row ? [node.row] : node.children.flatMap(listRows);
  rows.set(node, own);
  return own;
}

const rows = new WeakMap<Node, readonly TensorRow[]>();

/** The path from the root to the smallest group that contains all of these tensors. */
export function findEnclosingPath(tree: readonly Node[], wanted: readonly TensorRow[]): Node[] {
  const names = new Set(wanted.map(({ name }) => name));
  const holds = (node: Node) => {
    let found = 0;
    for (const { name } of listRows(node)) if (names.has(name)) found++;
    return found === names.size;
  };
  const next = names.size > 0 ? tree.find(holds) : undefined;
  return next && next.children.length > 0 ? [next, ...findEnclosingPath(next.children, wanted)] : [];
}

/** The name of a cell in the first row of the chart. */
export const formatCellName = ({ node, use }: Cell) => (use ? partNames.use[use](shortenLabel(node)) : shortenLabel(node));

/**
 * The sizes of dense blocks, shared experts and routed experts. Routed experts are divided into those that one token uses and the others.
 * Empty if there is nothing to divide.
 */
export function listDivision(answer: CountAnswer): readonly { name: string; size: bigint }[] {
  const divided = buildIcicleTree(answer).filter(({ part }) => part === 'feed_forward');
  const cells = layOutCells(divided, 1);
  return cells.length < 2 ? [] : cells.map((cell) => ({ name: formatCellName(cell), size: cell.size }));
}

/** Shortens a label: `model.layers.[0-31].mlp` to `mlp × 32`, `gate_proj.weight` to `gate_proj`. */
export function shortenLabel({ label, copies, row, wide }: Node): string {
  if (wide) return label;
  const words = label.split('.').filter((segment) => !isIndex(segment));
  const last = words.findLast((word) => word !== 'weight') ?? label;
  return !row && copies > 1n ? `${last} × ${grouped(copies)}` : last;
}
