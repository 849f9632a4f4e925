// The table: every tensor, as in the checkpoint or by part. Only the lines in sight exist as rows; a model may have 91,000.

import { arrange, h, one, setAttribute, setText } from '../dom.js';
import { grouped } from '../format.js';
import { keyOf, layout, lineAt, nodesOf, opens, treeOf, wayTo } from '../breakdown.js';
import { FormulaWriter } from '../formula.js';
import { csv, json, markdown } from '../table-text.js';
import { columnWidths } from './table-columns.js';
import { TableRow } from './table-row.js';
import { copyButton } from './copy-button.js';
import { segmented } from './segmented.js';
import { nameOf } from './grand-total.js';

/** @typedef {import('../breakdown.js').Node} Node */
/** @typedef {import('../breakdown.js').Line} Line */
/** @typedef {import('../types').CountAnswer} CountAnswer */

/** As the style sheet has it. */
const ROW_HEIGHT = 30;
/** Lines above and below those in sight. */
const MARGIN = 8;
/** On phones the first column, which stays, leaves room for the others. */
const NARROW = 640;
/** Trees up to this size stand open. */
const SMALL_TREE = 72;
const HEADINGS = ['tensor', 'shape', 'formula', 'with numbers', 'copies', 'total', 'share'];

export class TensorTable extends HTMLElement {
  /** @type {'module' | 'part'} */
  grouping = 'module';
  /** @type {import('../formula.js').Writing} */
  writing = 'symbols';
  /** What the reader opened or closed. @type {Map<string, boolean>} */
  opened = new Map();
  /** The rows in sight. @type {TableRow[]} */
  pool = [];
  /** @type {Node[]} */
  tree = [];
  /** @type {import('../breakdown.js').Run[]} */
  runs = [];
  count = 0;
  indent = 14;
  /** Totals before the last edit, by node. @type {Map<string, bigint> | undefined} */
  oldTotals = undefined;
  /** @type {string | undefined} */
  marked = undefined;
  /** @type {CountAnswer | undefined} */
  shown = undefined;

  connectedCallback() {
    if (this.box) return;
    one(this, '.sheet-head').append(this.tools());
    this.columns = HEADINGS.map(() => h('col'));
    this.body = h('tbody');
    this.above = h('tr', { className: 'spacer', 'aria-hidden': 'true' }, h('td', { colspan: '7' }));
    this.below = h('tr', { className: 'spacer', 'aria-hidden': 'true' }, h('td', { colspan: '7' }));
    this.foot = h('tfoot');
    this.table = h(
      'table',
      { className: 'tensors', 'aria-labelledby': 'table-title' },
      h('colgroup', {}, ...this.columns),
      h('thead', {}, h('tr', { 'aria-rowindex': '1' }, ...HEADINGS.map((text, i) => h('th', { scope: 'col', className: i > 3 ? 'digits' : '', textContent: text })))),
      this.body,
      this.foot,
    );
    this.box = h('div', { className: 'table-box', tabIndex: 0, role: 'region', 'aria-labelledby': 'table-title', onscroll: () => this.draw() }, this.table);
    this.append(this.box);
    this.body.addEventListener('click', (/** @type {Event} */ event) => this.toggleAt(event));
    this.body.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.press(event));
    new ResizeObserver(() => {
      this.measure();
      this.draw();
    }).observe(this.box);
    addEventListener('beforeprint', () => this.draw(true));
    addEventListener('afterprint', () => this.draw());
  }

  tools() {
    const byModule = segmented('Group the tensors by', [['module', 'by module'], ['part', 'by part']], 'module', (grouping) => {
      this.grouping = /** @type {any} */ (grouping);
      this.rebuild();
    });
    this.chosen = byModule;
    this.filter = h('input', { type: 'search', placeholder: 'filter: q_proj, layers 3 …', 'aria-label': 'Filter tensors by name', spellcheck: 'false', autocomplete: 'off', oninput: () => this.rebuild() });
    this.all = h('button', { type: 'button', className: 'quiet', textContent: 'Open all', onclick: () => this.toggleAll() });
    const name = () => (this.view ? nameOf(this.view) : 'model');
    return h(
      'div',
      { className: 'tools' },
      byModule,
      this.filter,
      this.all,
      h('span', { className: 'export' }, download('CSV', 'csv', 'text/csv', () => this.shown && csv(this.shown), name), download('JSON', 'json', 'application/json', () => this.shown && json(this.shown), name), copyButton('Markdown', 'Copy the table as Markdown', () => (this.shown ? markdown(this.shown, name()) : ''))),
    );
  }

  /** @param {import('../state.js').View} view */
  update(view) {
    if (!view.shown) return;
    this.view = view;
    this.shown = view.shown;
    this.earlier = view.before;
    this.rebuild();
  }

  /** After another answer, grouping or filter. */
  rebuild() {
    if (!this.shown) return;
    const filter = this.filter.value.trim();
    this.tree = treeOf(this.shown, this.grouping, filter);
    this.oldTotals = this.earlier && new Map(nodesOf(treeOf(this.earlier, this.grouping, filter)).map(({ id, total }) => [id, total]));
    setAttribute(this.table, 'data-writing', this.writing);
    this.writer = new FormulaWriter(this.shown.symbols, this.writing === 'names' ? 'names' : 'symbols');
    this.standOpen = filter !== '' || nodesOf(this.tree).length <= SMALL_TREE;
    this.measure();
    this.drawFoot(filter);
    this.relay();
  }

  measure() {
    if (!this.writer) return;
    this.indent = this.box.clientWidth < NARROW ? 8 : 14;
    const most = this.box.clientWidth < NARROW ? this.box.clientWidth * 0.56 : 430;
    columnWidths(this.tree, this.writer, this.indent, most).forEach((width, i) => (/** @type {any[]} */ (this.columns)[i].style.width = `${width}px`));
  }

  /** After a line was opened or closed. */
  relay() {
    const { runs, count } = layout(this.tree, (node) => this.isOpen(node));
    this.runs = runs;
    this.count = count;
    setAttribute(this.table, 'aria-rowcount', String(count + 1));
    const groups = nodesOf(this.tree).filter(({ children }) => children.length > 0);
    this.allOpen = groups.every((node) => this.isOpen(node));
    setText(this.all, this.allOpen ? 'Close all' : 'Open all');
    this.all.hidden = groups.length === 0;
    this.draw();
  }

  /** @param {Node} node */
  isOpen(node) {
    const said = this.opened.get(node.id);
    if (said !== undefined || node.row) return said ?? false;
    return this.standOpen || this.tree.includes(node);
  }

  /** The rows in sight; for paper all, within reason. @param {boolean} [printing] */
  draw(printing = false) {
    if (!this.box) return;
    const first = printing ? 0 : Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - MARGIN);
    const room = printing ? 2_000 : Math.ceil(this.box.clientHeight / ROW_HEIGHT) + 2 * MARGIN;
    const last = Math.min(this.count, first + room);
    const focused = this.pool.some(({ button }) => button === document.activeElement);
    this.pool = this.rowsFor(Array.from({ length: last - first }, (_, i) => lineAt(this.runs, first + i)));
    this.pool.forEach((row, i) => row.fill(first + i, this));
    arrange(this.body, [this.above, ...this.pool.map(({ element }) => element), this.below]);
    this.above.firstChild.style.height = `${first * ROW_HEIGHT}px`;
    this.below.firstChild.style.height = `${(printing ? 0 : this.count - last) * ROW_HEIGHT}px`;
    // The line with the focus went out of sight: from the box the arrow keys still scroll.
    if (focused && !this.body.contains(document.activeElement)) this.box.focus({ preventScroll: true });
  }

  /** A line in sight keeps its row, so that focus and pointer keep their target; rows that went out of sight are used again. @param {Line[]} lines */
  rowsFor(lines) {
    const keys = lines.map(keyOf);
    const wanted = new Set(keys);
    const kept = new Map(this.pool.filter(({ key }) => wanted.has(key)).map((row) => [row.key, row]));
    const free = this.pool.filter(({ key }) => !wanted.has(key));
    for (const { element } of free) element.remove();
    return lines.map((line, i) => (kept.get(keys[i]) ?? free.pop() ?? new TableRow()).take(line, keys[i]));
  }

  /** @param {string} filter */
  drawFoot(filter) {
    const { totals } = /** @type {CountAnswer} */ (this.shown);
    const line = (/** @type {string} */ label, /** @type {string} */ value, className = '') =>
      h('tr', { className }, h('th', { scope: 'row', colspan: '5', textContent: label }), h('td', { className: 'digits', textContent: value }), h('td'));
    const some = this.tree.reduce((sum, { total }) => sum + total, 0n);
    this.foot.replaceChildren(
      ...(filter ? [line('Shown here', grouped(some), 'subtotal')] : []),
      line('Parameters', grouped(totals.parameters), 'grand'),
      ...(totals.buffers === '0' ? [] : [line('Buffers, stored but not counted', grouped(totals.buffers), 'aside')]),
    );
  }

  /** @param {Event} event */
  toggleAt(event) {
    const button = /** @type {Element} */ (event.target).closest('button');
    const row = this.pool.find((candidate) => candidate.button === button);
    if (row?.line) this.setOpen(row.line.node, !this.isOpen(row.line.node));
  }

  /** @param {Node} node @param {boolean} open */
  setOpen(node, open) {
    this.opened.set(node.id, open);
    this.relay();
  }

  toggleAll() {
    const open = !this.allOpen;
    for (const node of nodesOf(this.tree)) if (node.children.length > 0) this.opened.set(node.id, open);
    this.relay();
  }

  /** Arrows walk the lines that open; right opens, left closes. @param {KeyboardEvent} event */
  press(event) {
    const row = this.pool.find(({ button }) => button === event.target);
    if (!row?.line || row.line.copy !== undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.walk(row.index, step);
    else if (event.key === 'ArrowRight') this.setOpen(row.line.node, true);
    else if (event.key === 'ArrowLeft') this.setOpen(row.line.node, false);
    else return;
    event.preventDefault();
  }

  /** @param {number} from @param {number} step */
  walk(from, step) {
    for (let i = from + step; i >= 0 && i < this.count; i += step) {
      const line = lineAt(this.runs, i);
      if (line.copy !== undefined || line.more || !opens(line.node)) continue;
      this.show(i);
      this.pool.find(({ index, button }) => index === i && !button.hidden)?.button.focus({ preventScroll: true });
      return;
    }
  }

  /** Scrolls the box only as far as a line needs. @param {number} index */
  show(index) {
    const top = index * ROW_HEIGHT;
    const room = this.box.clientHeight - 3 * ROW_HEIGHT;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top > this.box.scrollTop + room) this.box.scrollTop = top - room;
    this.draw();
  }

  /** Opens the way to a part or a tensor, and goes there. @param {{ part?: string, name?: string }} wanted */
  reveal({ part, name }) {
    this.filter.value = '';
    if (part) {
      this.grouping = 'part';
      one(/** @type {HTMLElement} */ (this.chosen), 'input[value=part]').checked = true;
    }
    this.rebuild();
    const way = wayTo(this.tree, (node) => (part ? node.id === `part:${part}` : node.row?.name === name));
    if (!way) return;
    for (const node of part ? way : way.slice(0, -1)) this.opened.set(node.id, true);
    this.relay();
    const target = way[way.length - 1];
    const run = this.runs.find(({ line }) => line.node === target);
    if (!run) return;
    this.box.scrollTop = Math.max(0, run.first - 1) * ROW_HEIGHT;
    this.found = target.id;
    this.draw();
    this.box.scrollIntoView({ block: 'nearest' });
    const row = this.pool.find(({ index }) => index === run.first);
    (row && !row.button.hidden ? row.button : this.box).focus({ preventScroll: true });
  }

  /** How the formulas are written. @param {import('../formula.js').Writing} writing */
  spell(writing) {
    this.writing = writing;
    this.rebuild();
  }

  /** @param {string | undefined} name */
  mark(name) {
    this.marked = name;
    this.draw();
  }

  /** @param {string} name */
}

/**
 * @param {string} label @param {string} ending @param {string} type
 * @param {() => string | undefined} text @param {() => string} name
 */
function download(label, ending, type, text, name) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([text() ?? ''], { type }));
    h('a', { href: url, download: `${name().replace(/[^\w.-]+/g, '-')}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return h('button', { type: 'button', className: 'quiet', title: `Save the table as ${label}`, textContent: label, onclick: save });
}

customElements.define('tensor-table', TensorTable);
