// The icicle: a group of tensors as wide as it is large, what it consists of beneath it.

import { buildTree, type Node } from './breakdown.ts';
import { grouped, ratio } from '../support/numbers.ts';
import { isIndex } from './tensor-names.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';

/** Rows beneath what is looked at. */
export const LEVELS = 3;

/** Narrower ones cannot be seen: shares of the width. */
const SMALLEST = 0.0015;

export interface Cell {
  readonly node: Node;
  /** From 0. */
  readonly depth: number;
  /** Of the whole width. */
  readonly left: number;
  readonly width: number;
  /** A tensor goes down to the last row. */
  readonly rows: number;
}

/** The model as the icicle shows it: parts, modules, tensors. */
export const buildIcicleTree = (answer: CountAnswer): Node[] => buildTree(answer, 'part').filter(({ total }) => total > 0n);

/** What is drawn of a list of groups, in their order. */
export function layOutCells(nodes: readonly Node[], levels = LEVELS): Cell[] {
  const whole = nodes.reduce((sum, { total }) => sum + total, 0n);
  const cells: Cell[] = [];
  const place = (list: readonly Node[], depth: number, from: number) => {
    let left = from;
    for (const node of list) {
      const width = ratio(node.total, whole);
      if (width > SMALLEST || (depth === 0 && width > 0)) {
        const isLeaf = node.children.length === 0;
        cells.push({ node, depth, left, width, rows: isLeaf ? levels - depth : 1 });
        if (!isLeaf && depth + 1 < levels) place(node.children, depth + 1, left);
      }
      left += width;
    }
  };
  place(nodes, 0, 0);
  return cells;
}

/** The tensors of a group. */
export function listRows(node: Node): readonly TensorRow[] {
  const known = rows.get(node);
  if (known) return known;
  const own = node.row ? [node.row] : node.children.flatMap(listRows);
  rows.set(node, own);
  return own;
}

const rows = new WeakMap<Node, readonly TensorRow[]>();

/** The way from the whole to the smallest group that holds all of these tensors. */
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

/** `model.layers.[0-31].mlp` as `mlp × 32`, `gate_proj.weight` as `gate_proj`. */
export function shortenLabel({ label, copies, row }: Node): string {
  const words = label.split('.').filter((segment) => !isIndex(segment));
  const last = words.findLast((word) => word !== 'weight') ?? label;
  return !row && copies > 1n ? `${last} × ${grouped(copies)}` : last;
}
