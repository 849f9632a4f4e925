// The parts as an account: a column that adds up, the total under it on a double rule.

import { arrange, h, send, setAttribute, setText } from '../dom.js';
import { grouped, percent } from '../format.js';
import { partLabel } from '../parts.js';

/** @typedef {import('../types').Part} Part */

export class PartsAccount extends HTMLElement {
  connectedCallback() {
    if (this.body) return;
    /** @type {Map<Part, { row: any, count: any, share: any }>} */
    this.rows = new Map();
    this.body = h('tbody');
    this.total = h('td', { className: 'digits' });
    this.append(
      h(
        'table',
        { className: 'account' },
        h('caption', { textContent: 'Where they sit' }),
        h('thead', { className: 'spoken' }, h('tr', {}, h('th', { scope: 'col', textContent: 'Part' }), h('th', { scope: 'col', textContent: 'Parameters' }), h('th', { scope: 'col', textContent: 'Share' }))),
        this.body,
        h('tfoot', {}, h('tr', {}, h('th', { scope: 'row', textContent: 'Total' }), this.total, h('td', { className: 'digits share', textContent: '100%' }))),
      ),
    );
  }

  /** @param {import('../state.js').View} view */
  update({ shown, before }) {
    if (!shown) return;
    const old = new Map(before?.parts.map(({ part, parameters }) => [part, parameters]));
    arrange(
      this.body,
      shown.parts.map(({ part, parameters }) => {
        const drawn = this.row(part);
        setText(drawn.count, grouped(parameters));
        setText(drawn.share, percent(parameters, shown.totals.parameters));
        setAttribute(drawn.row, 'data-changed', before !== undefined && old.get(part) !== parameters);
        return drawn.row;
      }),
    );
    setText(this.total, grouped(shown.totals.parameters));
  }

  /** @param {Part} part */
  row(part) {
    const known = this.rows?.get(part);
    if (known) return known;
    const count = h('td', { className: 'digits' });
    const share = h('td', { className: 'digits share' });
    const show = h('button', { type: 'button', className: 'part', 'data-part': part, title: 'Show in the table', onclick: () => send(this, 'reveal', { part }), textContent: partLabel(part) });
    const made = { row: h('tr', {}, h('th', { scope: 'row' }, show), count, share), count, share };
    this.rows?.set(part, made);
    return made;
  }
}

customElements.define('parts-account', PartsAccount);
