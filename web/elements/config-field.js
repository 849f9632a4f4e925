// One field of the form: its name, where its value comes from, a control for its kind, one line of meaning, its error.

import { h, send, setAttribute, setText, spoken } from '../dom.js';
import { m, symbol } from '../formula.js';
import { controlFor, kindOf } from './controls.js';

/** @typedef {import('../types').FieldRow} FieldRow */

const SOURCES = { given: 'given', default: 'default', derived: 'derived', ignored: '' };

export class ConfigField {
  /** @param {FieldRow} row */
  constructor(row) {
    this.name = row.name;
    this.kind = kindOf(row);
    this.path = row.given_as ?? row.name;
    const id = `field-${row.name}`;
    /** @type {(literal: string) => void} */
    const put = (literal) => void send(this.element, 'field', { path: this.path, literal });
    const clear = () => send(this.element, 'unfield', { path: this.path });
    /** @type {string | undefined} */
    this.drawn = undefined;
    this.control = controlFor(row, id, put, clear);
    this.source = h('span', { className: 'source' });
    this.reset = h('button', { type: 'button', className: 'reset', title: `Take ${row.name} out: its default counts`, onclick: () => this.clear(clear) }, h('span', { 'aria-hidden': 'true', textContent: '×' }), spoken(`take ${row.name} out, so that its default counts`));
    this.meaning = h('p', { className: 'meaning', id: `${id}-meaning` });
    this.taken = h('p', { className: 'taken', id: `${id}-taken`, hidden: true });
    this.error = h('p', { className: 'error', id: `${id}-error`, hidden: true });
    // A group of controls is named by its legend; a single one by a label.
    const name = h(this.control.group ? 'span' : 'label', { id: `${id}-name`, ...(this.control.group ? {} : { for: id }) }, h('code', { textContent: row.name }));
    this.symbol = h('span', { className: 'symbol', 'aria-hidden': 'true' });
    this.element = h(
      'div',
      { className: 'field', 'data-kind': this.kind, 'data-symbol': row.name },
      h('div', { className: 'field-name' }, name, this.symbol, this.reset, this.source),
      h('div', { className: 'field-body' }, this.control.element, this.meaning),
      this.taken,
      this.error,
    );
    this.control.element.addEventListener('taken', (/** @type {CustomEvent} */ event) => {
      setText(this.taken, event.detail ?? '');
      this.taken.hidden = !event.detail;
    });
  }

  /** @param {() => void} clear */
  clear(clear) {
    clear();
    this.control.focus();
  }

  /** @param {FieldRow} row @param {string | undefined} literal as the text has it @param {string | undefined} error */
  update(row, literal, error) {
    this.path = row.given_as ?? row.name;
    const missing = literal === undefined && row.value === undefined && error !== undefined;
    const source = literal === undefined ? (row.source === 'given' ? 'default' : row.source) : row.source === 'derived' && literal === 'null' ? 'derived' : 'given';
    setText(this.source, missing ? 'missing' : row.given_as && source === 'given' ? `given as ${row.given_as}` : SOURCES[source]);
    setAttribute(this.element, 'data-source', source);
    this.reset.hidden = literal === undefined;
    setText(this.meaning, [row.meaning, source === 'derived' && row.formula ? `Derived: ${row.formula}.` : ''].filter(Boolean).join(' '));
    if (this.drawn !== row.symbol) {
      this.drawn = row.symbol;
      this.symbol.replaceChildren(...(row.symbol ? [m('math', symbol(row.symbol))] : []));
    }
    setText(this.error, error ?? '');
    this.error.hidden = !error;
    setAttribute(this.element, 'data-wrong', error !== undefined);
    this.control.show(row, literal);
    for (const input of this.control.inputs()) {
      setAttribute(input, 'aria-invalid', error ? 'true' : null);
      setAttribute(input, 'aria-describedby', [`field-${row.name}-meaning`, this.taken.hidden ? '' : this.taken.id, error ? this.error.id : ''].filter(Boolean).join(' '));
    }
  }
}
