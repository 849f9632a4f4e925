// The whole model in one line, with the legend of its symbols. A symbol that is pointed at or focused is marked wherever it occurs.

import { h, one, send, setAttribute } from '../dom.js';
import { FormulaWriter, m, symbol } from '../formula.js';
import { grouped } from '../format.js';
import { copyButton } from './copy-button.js';
import { segmented } from './segmented.js';

/** @typedef {import('../types').SymbolRow} SymbolRow */

export class ClosedFormula extends HTMLElement {
  /** @type {string | undefined} */
  legended = undefined;
  /** @type {string | undefined} */
  drawn = undefined;

  connectedCallback() {
    if (this.line) return;
    /** @type {import('../formula.js').Writing} */
    this.writing = 'symbols';
    const choice = segmented('Write the formulas with', [['symbols', 'symbols'], ['names', 'names'], ['numbers', 'numbers']], 'symbols', (writing) => {
      this.writing = /** @type {any} */ (writing);
      this.drawLine();
      send(this, 'writing', writing);
    });
    this.line = h('div', { className: 'formula', role: 'math' });
    this.legend = h('ul', { className: 'legend', 'aria-label': 'Symbols' });
    const copied = copyButton('Copy', 'Copy the formula as text', () => this.plain ?? '');
    one(this, '.sheet-head').append(h('div', { className: 'tools' }, choice, copied));
    this.append(this.line, this.legend);
    for (const [type, on] of /** @type {[string, boolean][]} */ ([['pointerover', true], ['pointerout', false], ['focusin', true], ['focusout', false]])) {
      this.addEventListener(type, (event) => {
        const target = /** @type {Element} */ (event.target).closest?.('[data-symbol]');
        if (target) send(this, 'symbol', on ? target.getAttribute('data-symbol') : undefined);
      });
    }
  }

  /** @param {import('../state.js').View} view */
  update({ shown }) {
    if (!shown) return;
    this.shown = shown;
    this.plain = shown.formula.symbols;
    this.drawLine();
    this.drawLegend(shown.symbols);
  }

  drawLine() {
    if (!this.shown) return;
    const { formula, symbols } = this.shown;
    const key = JSON.stringify([this.writing, formula.math, symbols.map(({ symbol: short, value }) => [short, value])]);
    if (key === this.drawn) return;
    this.drawn = key;
    const pieces = new FormulaWriter(symbols, this.writing ?? 'symbols').broken(formula.math);
    const total = m('math', m('mrow', m('mo', '='), m('mn', grouped(formula.value))));
    setAttribute(this.line, 'data-writing', this.writing);
    this.line.replaceChildren(...[...pieces, total].flatMap((piece) => [piece, '\u200b']));
    this.plain = this.writing === 'numbers' ? formula.substitution : formula.symbols;
    this.line.setAttribute('aria-label', `${this.plain} = ${grouped(formula.value)}`);
  }

  /** @param {SymbolRow[]} symbols */
  drawLegend(symbols) {
    const key = JSON.stringify(symbols);
    if (key === this.legended) return;
    this.legended = key;
    const focused = this.legend.contains(document.activeElement) ? document.activeElement?.getAttribute('data-symbol') : undefined;
    this.legend.replaceChildren(...symbols.map((row) => this.entry(row)));
    if (focused) this.legend.querySelector(`button[data-symbol="${CSS.escape(focused)}"]`)?.focus();
  }

  /** @param {SymbolRow} row */
  entry(row) {
    const button = h(
      'button',
      { type: 'button', 'data-symbol': row.name, title: row.meaning + (row.formula ? ` = ${row.formula}` : ''), onclick: () => send(this, 'visit', row.name) },
      m('math', symbol(row.symbol)),
      h('code', { textContent: row.name }),
      h('span', { className: 'digits', textContent: grouped(row.value) }),
    );
    return h('li', {}, button);
  }

  /** @param {string | undefined} name */
  mark(name) {
    for (const element of this.querySelectorAll('[data-symbol]')) setAttribute(element, 'data-lit', name !== undefined && element.getAttribute('data-symbol') === name);
  }
}

customElements.define('closed-formula', ClosedFormula);
