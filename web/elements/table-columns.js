// How wide the columns are: from the texts, not from the rows in sight, so that nothing shifts while scrolling.

import { grouped, shapeText } from '../format.js';
import { nodesOf } from '../breakdown.js';

/** @typedef {import('../breakdown.js').Node} Node */

const CODE = 7.3;
const DIGIT = 7.3;
const MATH = 8.2;
const PADDING = 20;
export const INDENT = 16;

/**
 * In pixels: tensor, shape, formula, with numbers, copies, total, share.
 * @param {Node[]} tree
 * @param {import('../formula.js').FormulaWriter} writer
 */
export function columnWidths(tree, writer) {
  const nodes = nodesOf(tree);
  const rows = nodes.flatMap(({ row }) => (row ? [row] : []));
  /** @param {number[]} lengths @param {number} unit @param {number} least @param {number} most */
  const width = (lengths, unit, least, most) => Math.min(most, Math.max(least, ...lengths.map((length) => length * unit + PADDING)));
  return [
    Math.min(430, Math.max(230, deepest(tree, 0))),
    width(rows.map(({ shape }) => shapeText(shape).length), DIGIT, 90, 220),
    width(rows.map(({ formula }) => lengthOf(formula, writer)), writer.writing === 'names' ? CODE : MATH, 100, writer.writing === 'names' ? 560 : 380),
    width(rows.map(({ substitution }) => substitution.length), DIGIT * 0.93, 120, 400),
    width(nodes.map(({ copies }) => grouped(copies).length), DIGIT, 60, 110),
    width([...nodes.map(({ total }) => grouped(total).length), ...rows.map(({ total }) => grouped(total).length)], DIGIT * 1.05, 100, 260),
    86,
  ];
}

/** @param {Node[]} nodes @param {number} depth @returns {number} */
const deepest = (nodes, depth) => Math.max(0, ...nodes.map((node) => Math.max(node.label.length * CODE + depth * INDENT + 46 + (node.row && node.row.kind !== 'parameter' ? 48 : 0), deepest(node.children, depth + 1))));

/** @param {string} formula @param {import('../formula.js').FormulaWriter} writer */
function lengthOf(formula, writer) {
  if (writer.writing === 'names') return formula.length;
  return formula.replace(/[A-Za-z]\w*/g, (name) => (writer.symbols.get(name)?.symbol ?? name).replace('_', '')).replaceAll(' ', '').length * 1.05;
}
