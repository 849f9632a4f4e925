// How wide the columns are: from the texts, not from the rows in sight, so that nothing shifts while scrolling.

import { grouped, shapeText } from '../format.js';
import { nodesOf } from '../breakdown.js';

/** @typedef {import('../breakdown.js').Node} Node */

const CODE = 7.3;
const DIGIT = 7.25;
const PADDING = 18;

/**
 * In pixels: tensor, shape, formula, with numbers, copies, total, share.
 * @param {Node[]} tree
 * @param {import('../formula.js').FormulaWriter} writer
 * @param {number} indent of each level
 * @param {number} most for the names
 */
export function columnWidths(tree, writer, indent, most) {
  const nodes = nodesOf(tree);
  const rows = nodes.flatMap(({ row }) => (row ? [row] : []));
  /** @param {number[]} lengths @param {number} unit @param {number} least @param {number} limit */
  const width = (lengths, unit, least, limit) => Math.min(limit, Math.max(least, ...lengths.map((length) => length * unit + PADDING)));
  return [
    Math.min(most, Math.max(230, deepest(tree, 0, indent))),
    width(rows.map(({ shape }) => shapeText(shape).length), DIGIT, 90, 220),
    width(rows.map(({ formula }) => mathWidth(formula, writer)), 1, 100, writer.writing === 'names' ? 620 : 380),
    width(rows.map(({ substitution }) => substitution.length), DIGIT * 0.88, 120, 400),
    width(nodes.map(({ copies }) => grouped(copies).length), DIGIT, 60, 110),
    width([...nodes.map(({ total }) => grouped(total).length), ...rows.map(({ total }) => grouped(total).length)], DIGIT, 100, 260),
    80,
  ];
}

/** @param {Node[]} nodes @param {number} depth @param {number} indent @returns {number} */
const deepest = (nodes, depth, indent) => Math.max(0, ...nodes.map((node) => Math.max(node.label.length * CODE + depth * indent + 64 + (node.row && node.row.kind !== 'parameter' ? 48 : 0), deepest(node.children, depth + 1, indent))));

/** About as wide as a formula is drawn. @param {string} formula @param {import('../formula.js').FormulaWriter} writer */
function mathWidth(formula, writer) {
  let width = 0;
  for (const [token] of formula.matchAll(/[A-Za-z][\w.]*|\d[\d,]*|\S/g)) {
    if (/^[A-Za-z]/.test(token)) width += nameWidth(token, writer);
    else if (/^\d/.test(token)) width += 9 * token.length;
    else width += writer.writing === 'symbols' && token === '×' ? 9 : '()'.includes(token) ? 7 : 18;
  }
  return width;
}

/** @param {string} name @param {import('../formula.js').FormulaWriter} writer */
function nameWidth(name, writer) {
  if (writer.writing === 'names') return 7.4 * name.length;
  const [base, below = ''] = (writer.symbols.get(name)?.symbol ?? name).split('_');
  return 10 * base.length + 7.5 * below.length;
}
