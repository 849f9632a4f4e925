// Builds the tree of the tensor table, by module or by part of the model, and finds the lines that are visible when some of its nodes are
// open.

import { grouped } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import { formatNameAt, splitName, countNames } from './tensor-names.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, Part, TensorKind, TensorRow } from '../types/index.ts';

export type Grouping = 'module' | 'part';

/** A group of tensors, or one row of the answer. */
export interface Node {
  /** Stable across answers, so that open nodes stay open when the configuration changes. */
  readonly id: string;
  readonly label: string;
  readonly row?: TensorRow;
  /** The part of the model that all tensors of the node belong to. Absent if there are several, and for groups with `wide`. */
  readonly part?: Part;
  readonly children: readonly Node[];
  /** The number of parameters. */
  readonly total: bigint;
  /** The number of modules or tensors that the node stands for. */
  readonly copies: bigint;
  /** Only for a group of tensors that exist only in published files: their number of elements. */
  readonly beside?: bigint;
  /** Whether the label is a sentence that spans all columns. */
  readonly wide?: boolean;
}

/** One line of the table: a node, or a single tensor of an opened row. */
export interface Line {
  readonly node: Node;
  readonly depth: number;
  /** For a tensor listed under an opened row: its position among the tensors that the row stands for. */
  readonly copy?: number;
  /** Whether this is the line that says how many tensors are not listed. */
  readonly more?: boolean;
}

/** Consecutive lines: a single line of the table, or all tensors that are listed under an opened row. */
export interface Run {
  readonly line: Line;
  readonly count: number;
  readonly first: number;
}

/** The maximum number of single tensors listed for an opened row. Browsers limit the height of an element. */
export const MAX_COPIES = 100_000;

/** The number of parameters in these rows. Buffers, tied tensors and tensors that only published files contain are not counted. */
export const sumRows = (rows: readonly TensorRow[]) =>
  rows.reduce((sum, { kind, total }) => (kind === 'parameter' ? sum + BigInt(total) : sum), 0n);

/** Builds the tree of the table. `tensors`: the rows to include, for example those that match a filter. */
export function buildTree(answer: CountAnswer, grouping: Grouping, tensors = answer.tensors): Node[] {
  const model = tensors.filter(({ kind }) => !isNotParameter(kind));
  const beside = KINDS_BESIDE.flatMap((kind) => groupStored(kind, tensors));
  if (grouping === 'module') return [...growTree(model, ''), ...beside];
  const parts = answer.parts.flatMap(({ part }): Node[] => {
    const own = model.filter((row) => row.part === part);
    if (own.length === 0) return [];
    return [buildGroup(`part:${part}`, partLabel(part), own, part)];
  });
  return [...parts, ...beside];
}

/** Builds a group with this label. Its children are the tree of the rows by module name. */
export const buildGroup = (id: string, label: string, rows: readonly TensorRow[], part?: Part): Node => ({
  id,
  label,
  part,
  children: growTree(rows, `${id}/`),
  total: sumRows(rows),
  copies: 1n,
});

/** The kinds of tensors that only published files contain. They are listed apart from the parts of the model and are not its parameters. */
const KINDS_BESIDE = ['published', 'possible'] as const;
/** Whether only published files contain tensors of this kind. Buffers and tied tensors are in the model, so this is false for them. */
export const isNotParameter = (kind: TensorKind) => (KINDS_BESIDE as readonly TensorKind[]).includes(kind);

/** The additional tensors in the published files, grouped by the reason why they are there. */
export const groupAdded = ({ tensors }: CountAnswer): readonly Node[] => groupStored('published', tensors)[0]?.children ?? [];

/** A group at the end of the tree for tensors that only published files contain, subdivided by the reason why they are there. */
function groupStored(kind: (typeof KINDS_BESIDE)[number], tensors: readonly TensorRow[]): Node[] {
  const rows = tensors.filter((row) => row.kind === kind);
  if (rows.length === 0) return [];
  const group = (id: string, label: string, own: readonly TensorRow[], children: readonly Node[]): Node => ({
    id,
    label,
    children,
    total: 0n,
    copies: 1n,
    beside: countElements(own),
    wide: true,
  });
  const reasons = [...new Set(rows.map(({ reason = '' }) => reason))].map((reason) => {
    const own = rows.filter((row) => (row.reason ?? '') === reason);
    const id = `${kind}:${reason}`;
    return group(id, reason, own, growTree(own, `${id}/`));
  });
  return [group(kind, texts.table.beside[kind], rows, reasons)];
}

const countElements = (rows: readonly TensorRow[]) => rows.reduce((sum, { total }) => sum + BigInt(total), 0n);

interface Item {
  readonly row: TensorRow;
  readonly path: readonly string[];
}

/** Builds the tree of dotted names. A module with only one child is written on the child's line. */
const growTree = (rows: readonly TensorRow[], prefix: string): Node[] =>
  buildLevel(
    rows.map((row) => ({ row, path: splitPath(row.name) })),
    prefix,
  );

/**
 * Splits a name into labels. An index stays with its list and `weight` or `bias` with its module, because readers look for `layers.[0-31]`
 * and `q_proj.weight`.
 */
function splitPath(name: string): string[] {
  const path: string[] = [];
  for (const segment of splitName(name)) {
    if (path.length > 0 && /^(\[.*\]|\d+|weight|bias)$/.test(segment)) path[path.length - 1] += `.${segment}`;
    else path.push(segment);
  }
  return path;
}

function buildLevel(items: readonly Item[], prefix: string): Node[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.path[0]);
    if (group) group.push(item);
    else groups.set(item.path[0], [item]);
  }
  return [...groups].flatMap(([label, group]) => {
    const leaves = group.filter(({ path }) => path.length === 1).map(({ row }) => buildLeaf(row, label, prefix));
    const deeper = group.filter(({ path }) => path.length > 1).map(({ row, path }) => ({ row, path: path.slice(1) }));
    return deeper.length === 0 ? leaves : [...leaves, joinPath(label, deeper, prefix)];
  });
}

function joinPath(label: string, items: readonly Item[], prefix: string): Node {
  const children = buildLevel(items, `${prefix}${label}.`);
  if (children.length === 1) return { ...children[0], label: `${label}.${children[0].label}` };
  const rows = items.map(({ row }) => row);
  const part = rows.every((row) => row.part === rows[0].part) ? rows[0].part : undefined;
  const beside = isNotParameter(rows[0].kind) ? countElements(rows) : undefined; // no group mixes these tensors with those of the model
  return { id: `${prefix}${label}`, label, part, children, total: sumRows(rows), copies: countNames(prefix + label), beside };
}

const buildLeaf = (row: TensorRow, label: string, prefix: string): Node => ({
  id: `${prefix}${label}=`,
  label,
  row,
  part: row.part,
  children: [],
  total: sumRows([row]),
  copies: BigInt(row.copies),
});

/** Whether a row can be opened: it has children, or stands for several tensors. */
export const canOpen = (node: Node) => node.children.length > 0 || node.copies > 1n;

/** Groups the visible lines into runs, so that an opened row with 91,000 tensors costs no more than a row with one. */
export function layOutRuns(tree: readonly Node[], isOpen: (node: Node) => boolean): { runs: Run[]; count: number } {
  const runs: Run[] = [];
  let count = 0;
  const add = (line: Line, times = 1) => {
    runs.push({ line, count: times, first: count });
    count += times;
  };
  const visit = (node: Node, depth: number) => {
    add({ node, depth });
    if (!canOpen(node) || !isOpen(node)) return;
    for (const child of node.children) visit(child, depth + 1);
    if (node.row) {
      const listed = node.copies > MAX_COPIES ? MAX_COPIES : Number(node.copies);
      add({ node, depth: depth + 1, copy: 0 }, listed);
      if (node.copies > MAX_COPIES) add({ node, depth: depth + 1, more: true });
    }
  };
  for (const node of tree) visit(node, 0);
  return { runs, count };
}

/** Returns the line at a position, counted from 0 over all visible lines. */
export function findLine(runs: readonly Run[], at: number): Line {
  let low = 0;
  for (let high = runs.length - 1; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle].first <= at) low = middle;
    else high = middle - 1;
  }
  const { line, first } = runs[low];
  return line.copy === undefined ? line : { ...line, copy: at - first };
}

/** A key that identifies the line among all lines of the table. */
export const formatKey = ({ node, copy, more }: Line) => `${node.id} ${more ? 'more' : (copy ?? '')}`;

/** The text of a line's first cell. */
export function formatLabel({ node, copy, more }: Line): string {
  if (more) return texts.moreCopies(grouped(node.copies - BigInt(MAX_COPIES)));
  return copy === undefined || !node.row ? node.label : formatNameAt(node.row.name, copy);
}

/** The kind of the row, to be shown as a tag. Undefined for groups and parameters, and if the row's group already names the kind. */
export const findTag = ({ row }: Node) => (row && row.kind !== 'parameter' && !isNotParameter(row.kind) ? row.kind : undefined);

/** The path to the first node that satisfies a condition, from the outermost group to the node itself. */
export function findPath(tree: readonly Node[], wanted: (node: Node) => boolean): Node[] | undefined {
  for (const node of tree) {
    if (wanted(node)) return [node];
    const below = findPath(node.children, wanted);
    if (below) return [node, ...below];
  }
  return undefined;
}

/** All nodes of a tree, each before its children. */
export const listNodes = (tree: readonly Node[]): Node[] => tree.flatMap((node) => [node, ...listNodes(node.children)]);
