// One row of the table, used for one line after another.

import { h, setAttribute, setText } from '../dom.js';
import { grouped, percent, ratio, shapeText } from '../format.js';
import { labelOf, opens } from '../breakdown.js';
import { namesIn } from '../formula.js';
import { partLabel } from '../parts.js';

/** @typedef {import('../breakdown.js').Line} Line */
/** @typedef {import('../types').TensorRow} TensorRow */
/** @typedef {import('./tensor-table.js').TensorTable} TensorTable */

export class TableRow {
  constructor() {
    this.button = h('button', { type: 'button', className: 'twist' });
    this.swatch = h('span', { className: 'swatch' });
    this.label = h('code');
    this.part = h('span', { className: 'spoken' });
    this.tag = h('span', { className: 'tag' });
    this.size = h('span', { className: 'size' });
    this.head = h('th', { scope: 'row' }, h('span', { className: 'lead' }, this.button, this.swatch, this.label, this.part, this.tag, this.size));
    this.shape = h('td', { className: 'shape' });
    this.formula = h('td', { className: 'math' });
    this.numbers = h('td', { className: 'numbers' });
    this.copies = h('td', { className: 'digits' });
    this.sum = h('span');
    this.total = h('td', { className: 'digits total' }, this.sum);
    this.bar = h('span', { className: 'bar' });
    this.percent = h('span');
    this.share = h('td', { className: 'digits share' }, this.bar, this.percent);
    this.element = h('tr', {}, this.head, this.shape, this.formula, this.numbers, this.copies, this.total, this.share);
    /** @type {Line | undefined} */
    this.line = undefined;
    this.index = -1;
    this.key = '';
    this.told = '';
  }

  /** @param {Line} line @param {string} key */
  take(line, key) {
    this.line = line;
    this.key = key;
    return this;
  }

  /** @param {number} index @param {TensorTable} table */
  fill(index, table) {
    const line = /** @type {Line} */ (this.line);
    this.index = index;
    setAttribute(this.element, 'aria-rowindex', String(index + 2));
    this.fillHead(line, table);
    const { row } = line.node;
    const single = line.copy !== undefined;
    const shape = row && !line.more ? shapeText(row.shape) || 'scalar' : '';
    this.span(single || line.more === true, shape);
    setText(this.numbers, row && !single && !line.more ? row.substitution : '');
    setAttribute(this.numbers, 'title', row?.substitution);
    setText(this.copies, single || line.more || (line.node.copies === 1 && !row) ? '' : grouped(row ? row.copies : line.node.copies));
    this.fillFormula(line, table);
    this.fillTotal(line, table);
    setAttribute(this.element, 'data-lit', table.marked !== undefined && row !== undefined && !single && namesIn(row.math).includes(table.marked));
    setAttribute(this.element, 'data-found', table.found === line.node.id && !single);
  }

  /** A single tensor's name is long: it takes the columns that its row has no use for. @param {boolean} wide @param {string} shape */
  span(wide, shape) {
    setAttribute(this.element, 'data-single', wide);
    setAttribute(this.head, 'colspan', wide ? '4' : null);
    for (const cell of [this.shape, this.formula, this.numbers]) cell.hidden = wide;
    setText(this.size, wide ? shape : '');
    setText(this.shape, shape);
  }

  /** @param {Line} line @param {TensorTable} table */
  fillHead(line, table) {
    const { node, depth } = line;
    const opening = opens(node) && line.copy === undefined && !line.more;
    const label = labelOf(line);
    this.head.firstChild.style.paddingInlineStart = `${depth * table.indent}px`;
    this.button.hidden = !opening;
    setAttribute(this.element, 'data-group', node.row === undefined);
    setAttribute(this.element, 'data-leaf', !opening);
    if (opening) {
      setAttribute(this.button, 'aria-expanded', String(table.isOpen(node)));
      setAttribute(this.button, 'aria-label', node.row ? `${label}: its ${grouped(node.row.copies)} tensors` : label);
    }
    setText(this.label, label);
    setAttribute(this.label, 'title', node.row && line.copy === undefined ? node.row.name : null);
    setAttribute(this.swatch, 'data-part', node.part ?? 'none');
    setText(this.part, node.part && node.row ? `, ${partLabel(node.part)}` : '');
    const kind = node.row?.kind;
    setText(this.tag, kind === undefined || kind === 'parameter' || line.more ? '' : kind);
    this.tag.hidden = this.tag.textContent === '';
  }

  /** @param {Line} line @param {TensorTable} table */
  fillFormula({ node: { row }, copy, more }, table) {
    const told = !row || copy !== undefined || more ? '' : row.kind === 'tied' ? `= ${row.tied_to}` : JSON.stringify([table.writer?.writing, row.math, table.shown?.symbols.length]);
    if (told === this.told) return;
    this.told = told;
    if (!row || !told) this.formula.replaceChildren();
    else if (row.kind === 'tied') this.formula.replaceChildren(h('span', { className: 'aside', textContent: told, title: `Shares the storage of ${row.tied_to}, where it is counted` }));
    else this.formula.replaceChildren(table.writer?.line(row.math) ?? '');
    setAttribute(this.formula, 'title', row && told ? row.formula : null);
  }

  /** @param {Line} line @param {TensorTable} table */
  fillTotal({ node, copy, more }, table) {
    const { row } = node;
    const whole = /** @type {import('../types').CountAnswer} */ (table.shown).totals.parameters;
    const counted = row === undefined || row.kind === 'parameter';
    const value = more ? '' : row === undefined ? String(node.total) : copy === undefined ? row.total : row.elements;
    setText(this.sum, more ? '' : row?.kind === 'tied' ? 'not counted again' : grouped(value));
    setAttribute(this.element, 'data-aside', !counted);
    setText(this.percent, counted && !more ? percent(value, whole) : '');
    this.bar.style.width = counted && !more ? `${(ratio(value, whole) * 100).toFixed(2)}%` : '0';
    setAttribute(this.bar, 'data-part', node.part ?? 'none');
    const old = table.oldTotals?.get(node.id);
    const changed = table.oldTotals !== undefined && copy === undefined && !more && old !== node.total;
    setAttribute(this.element, 'data-changed', changed);
    setAttribute(this.total, 'title', changed ? (old === undefined ? 'new after the last edit' : `before the last edit: ${grouped(old)}`) : null);
  }
}
