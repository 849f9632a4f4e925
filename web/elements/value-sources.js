// Every field with its value and where that came from.

import { h, setText } from '../dom.js';
import { grouped } from '../format.js';

/** @typedef {import('../types').FieldRow} FieldRow */

const HOW = {
  given: 'given in the configuration',
  default: 'default of transformers',
  derived: 'derived',
  ignored: 'ignored',
};

export class ValueSources extends HTMLElement {
  /** @type {string | undefined} */
  drawn = undefined;

  connectedCallback() {
    if (this.body) return;
    this.summary = h('summary');
    this.body = h('tbody');
    const heads = ['field', 'value', 'source'].map((text) => h('th', { scope: 'col', textContent: text }));
    this.table = h('table', { className: 'sources', 'aria-labelledby': 'sources-title' }, h('thead', {}, h('tr', {}, ...heads)), this.body);
    const box = h('div', { className: 'table-box', tabIndex: 0, role: 'region', 'aria-labelledby': 'sources-title' }, this.table);
    this.fold = h('details', {}, this.summary, box);
    this.append(this.fold);
  }

  /** @param {import('../state.js').View} view */
  update({ shown }) {
    if (!shown) return;
    const count = (/** @type {string} */ source) => shown.fields.filter((row) => row.source === source).length;
    setText(this.summary, ['given', 'default', 'derived', 'ignored'].flatMap((source) => (count(source) ? [`${count(source)} ${source}`] : [])).join(', '));
    const key = JSON.stringify(shown.fields);
    if (key === this.drawn) return;
    this.drawn = key;
    this.body.replaceChildren(...shown.fields.map(rowOf));
  }
}

/** @param {FieldRow} row */
function rowOf({ name, value, source, formula, reason, given_as }) {
  const how = [given_as && `as ${given_as}`, formula && source === 'derived' && `= ${formula}`, reason].filter(Boolean).join(', ');
  return h('tr', { 'data-source': source }, h('th', { scope: 'row' }, h('code', { textContent: name })), h('td', { className: 'value', textContent: written(value) }), h('td', {}, HOW[source], how && h('span', { className: 'muted', textContent: `: ${how}` })));
}

/** @param {unknown} value */
function written(value) {
  if (value === undefined) return '';
  if (typeof value === 'number' && Number.isInteger(value)) return grouped(value);
  if (typeof value === 'string') return /^\d{16,}$/.test(value) ? grouped(value) : value.slice(0, 400);
  return JSON.stringify(value).replaceAll(',', ', ').slice(0, 400);
}

customElements.define('value-sources', ValueSources);
