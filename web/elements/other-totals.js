// The other totals, each with what it counts.

import { h, setAttribute, setText } from '../dom.js';
import { grouped } from '../format.js';

/** @typedef {keyof import('../types').Totals} Total */

/** @type {[Total, string][]} */
const ROWS = [
  ['active', 'Active per token'],
  ['non_embedding', 'Without embedding and head'],
  ['embedding', 'Embedding tables'],
  ['output_head', 'Output head'],
  ['buffers', 'Buffers'],
  ['stored', 'Stored in a checkpoint'],
];

export class OtherTotals extends HTMLElement {
  connectedCallback() {
    if (this.rows) return;
    this.rows = ROWS.map(([total, label]) => {
      const count = h('dd', { className: 'digits' });
      const tip = h('span', { className: 'tip', role: 'tooltip', id: `tip-${total}` });
      const term = h('button', { type: 'button', className: 'term', 'aria-describedby': tip.id, textContent: label, onkeydown: hideTip, onblur: showTip, onmouseenter: showTip });
      return { total, count, tip, row: h('div', {}, h('dt', {}, term, tip), count) };
    });
    this.append(h('h3', { textContent: 'Counted otherwise' }), h('dl', {}, ...this.rows.map(({ row }) => row)));
  }

  /** @param {import('../state.js').View} view */
  update({ shown, before }) {
    if (!shown) return;
    for (const { total, count, tip, row } of this.rows ?? []) {
      setText(count, grouped(shown.totals[total]));
      setText(tip, shown.definitions[total]);
      setAttribute(count, 'data-zero', shown.totals[total] === '0');
      setAttribute(row, 'data-changed', before !== undefined && before.totals[total] !== shown.totals[total]);
    }
  }
}

/** A reader can put a tip away without moving. @param {KeyboardEvent} event */
function hideTip(event) {
  if (event.key === 'Escape') /** @type {HTMLElement} */ (event.currentTarget).dataset.quiet = '';
}

/** @param {Event} event */
function showTip(event) {
  delete (/** @type {HTMLElement} */ (event.currentTarget).dataset.quiet);
}

customElements.define('other-totals', OtherTotals);
