// The table's rows: the tensors of an answer as a tree by module or by part, and which of its lines are open.

import { nameAt, segments, spread } from './tensor-names.js';
import { partLabel } from './parts.js';

/** @typedef {import('./types').TensorRow} TensorRow */
/** @typedef {import('./types').CountAnswer} CountAnswer */

/**
 * A group of tensors, or one row of the answer.
 * @typedef {object} Node
 * @property {string} id stable from answer to answer, so that what is open stays open
 * @property {string} label
 * @property {TensorRow} [row]
 * @property {import('./types').Part} [part] where all of it belongs to one
 * @property {Node[]} children
 * @property {bigint} total parameters
 * @property {number} copies how many modules or tensors there are of it
 */

/**
 * One line of the table.
 * @typedef {object} Line
 * @property {Node} node
 * @property {number} depth
 * @property {number} [copy] for a single tensor of a repeated row: which one
 * @property {boolean} [more] says that further single tensors are not listed
 */

/** @typedef {{ line: Line, count: number, first: number }} Run consecutive lines: one, or the single tensors of an opened row */

/** Single tensors that an opened row lists at most: an element has a height that browsers limit. */
export const MAX_COPIES = 100_000;

/** What rows add up to; the one place where the page sums. @param {TensorRow[]} rows */
export const sumOf = (rows) => rows.reduce((sum, { kind, total }) => (kind === 'parameter' ? sum + BigInt(total) : sum), 0n);

/** @param {CountAnswer} answer @param {'module' | 'part'} view @param {string} filter @returns {Node[]} */
export function treeOf(answer, view, filter) {
  const rows = answer.tensors.filter(({ name }) => matches(name, filter));
  if (view === 'module') return grown(rows, '');
  return answer.parts.flatMap(({ part, parameters }) => {
    const own = rows.filter((row) => row.part === part);
    if (own.length === 0) return [];
    const total = filter ? sumOf(own) : BigInt(parameters);
    return [{ id: `part:${part}`, label: partLabel(part), part, children: grown(own, `part:${part}/`), total, copies: 1 }];
  });
}

/** Every word of the filter occurs in the name. @param {string} name @param {string} filter */
function matches(name, filter) {
  const low = name.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => low.includes(word));
}

/** The tree of dotted names; a module with a single child is written in one line with it. @param {TensorRow[]} rows @param {string} prefix */
function grown(rows, prefix) {
  return level(rows.map((row) => ({ row, path: pathOf(row.name) })), prefix);
}

/** An index stays with the module that it counts, `weight` and `bias` with theirs: a reader looks for `layers.[0-31]` and `q_proj.weight`. @param {string} name */
function pathOf(name) {
  /** @type {string[]} */
  const path = [];
  for (const segment of segments(name)) {
    if (path.length > 0 && /^(\[.*\]|\d+|weight|bias)$/.test(segment)) path[path.length - 1] += `.${segment}`;
    else path.push(segment);
  }
  return path;
}

/** @param {{ row: TensorRow, path: string[] }[]} items @param {string} prefix @returns {Node[]} */
function level(items, prefix) {
  /** @type {Map<string, { row: TensorRow, path: string[] }[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(item.path[0]);
    if (group) group.push(item);
    else groups.set(item.path[0], [item]);
  }
  return [...groups].flatMap(([label, group]) => {
    const leaves = group.filter(({ path }) => path.length === 1).map(({ row }) => leaf(row, label, prefix));
    const deeper = group.filter(({ path }) => path.length > 1).map(({ row, path }) => ({ row, path: path.slice(1) }));
    return deeper.length === 0 ? leaves : [...leaves, joined(label, deeper, prefix)];
  });
}

/** @param {string} label @param {{ row: TensorRow, path: string[] }[]} items @param {string} prefix @returns {Node} */
function joined(label, items, prefix) {
  const children = level(items, `${prefix}${label}.`);
  if (children.length === 1) return { ...children[0], label: `${label}.${children[0].label}` };
  const rows = items.map(({ row }) => row);
  const part = rows.every((row) => row.part === rows[0].part) ? rows[0].part : undefined;
  return { id: `${prefix}${label}`, label, part, children, total: sumOf(rows), copies: spread(prefix + label) };
}

/** @param {TensorRow} row @param {string} label @param {string} prefix @returns {Node} */
const leaf = (row, label, prefix) => ({ id: `${prefix}${label}=`, label, row, part: row.part, children: [], total: sumOf([row]), copies: Number(row.copies) });

/** Whether there is anything beneath a line. @param {Node} node */
export const opens = (node) => node.children.length > 0 || node.copies > 1;

/**
 * The lines to show, in runs, so that 91,000 opened tensors cost as little as one.
 * @param {Node[]} tree
 * @param {(node: Node) => boolean} isOpen
 * @returns {{ runs: Run[], count: number }}
 */
export function layout(tree, isOpen) {
  /** @type {Run[]} */
  const runs = [];
  let count = 0;
  /** @param {Line} line @param {number} [times] */
  const add = (line, times = 1) => {
    runs.push({ line, count: times, first: count });
    count += times;
  };
  /** @param {Node} node @param {number} depth */
  const visit = (node, depth) => {
    add({ node, depth });
    if (!opens(node) || !isOpen(node)) return;
    for (const child of node.children) visit(child, depth + 1);
    if (node.row) {
      add({ node, depth: depth + 1, copy: 0 }, Math.min(node.copies, MAX_COPIES));
      if (node.copies > MAX_COPIES) add({ node, depth: depth + 1, more: true });
    }
  };
  for (const node of tree) visit(node, 0);
  return { runs, count };
}

/** The line at a position. @param {Run[]} runs @param {number} at @returns {Line} */
export function lineAt(runs, at) {
  let low = 0;
  for (let high = runs.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle].first <= at) low = middle;
    else high = middle - 1;
  }
  const { line, first } = runs[low];
  return line.copy === undefined ? line : { ...line, copy: at - first };
}

/** What tells a line from all others. @param {Line} line */
export const keyOf = ({ node, copy, more }) => `${node.id} ${more ? 'more' : (copy ?? '')}`;

/** What the first cell says. @param {Line} line */
export function labelOf({ node, copy, more }) {
  if (more) return `… and more than ${MAX_COPIES.toLocaleString('en-US')} are not listed`;
  return copy === undefined ? node.label : nameAt(/** @type {TensorRow} */ (node.row).name, copy);
}

/** The groups on the way to a row, outermost first, and its own node. @param {Node[]} tree @param {(node: Node) => boolean} wanted @returns {Node[] | undefined} */
export function wayTo(tree, wanted) {
  for (const node of tree) {
    if (wanted(node)) return [node];
    const below = wayTo(node.children, wanted);
    if (below) return [node, ...below];
  }
  return undefined;
}

/** Every node of a tree. @param {Node[]} tree @returns {Node[]} */
export const nodesOf = (tree) => tree.flatMap((node) => [node, ...nodesOf(node.children)]);
