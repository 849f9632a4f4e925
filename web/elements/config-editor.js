// The raw config.json, with line numbers and its error at the line.

import { h, send, setAttribute, setText } from '../dom.js';

const LINE_HEIGHT = 18;

export class ConfigEditor extends HTMLElement {
  /** @type {number | undefined} */
  lines = undefined;

  connectedCallback() {
    if (this.area) return;
    this.numbers = h('div', { className: 'line-numbers', 'aria-hidden': 'true' });
    this.flag = h('div', { className: 'line-flag', hidden: true });
    this.area = h('textarea', { id: 'config-text', 'aria-label': 'config.json', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'off', oninput: () => send(this, 'text', this.area.value), onscroll: () => this.follow() });
    this.error = h('p', { className: 'error', id: 'config-text-error', hidden: true });
    this.go = h('button', { type: 'button', className: 'quiet', onclick: () => this.visit() });
    this.append(h('div', { className: 'editor' }, h('div', { className: 'gutter', 'aria-hidden': 'true' }, this.flag, this.numbers), this.area), this.error);
  }

  /** @param {import('../state.js').View} view */
  update({ text, answer }) {
    if (this.area.value !== text) this.area.value = text;
    const lines = text.split('\n').length;
    if (lines !== this.lines) {
      this.lines = lines;
      setText(this.numbers, Array.from({ length: lines }, (_, i) => i + 1).join('\n'));
    }
    const error = answer.ok ? undefined : answer.error;
    this.line = error?.line;
    this.column = error?.column ?? 1;
    setAttribute(this.area, 'aria-invalid', error ? 'true' : null);
    setAttribute(this.area, 'aria-describedby', error ? this.error.id : null);
    this.error.hidden = !error;
    const message = error ? error.message : '';
    const place = this.line ? `line ${this.line}, column ${this.column}` : '';
    if (this.told !== message + place) {
      this.told = message + place;
      setText(this.go, place);
      this.error.replaceChildren(...(place ? [this.go, ' '] : []), message);
    }
    this.flag.hidden = !this.line;
    this.follow();
  }

  /** The numbers move with the text. */
  follow() {
    this.numbers.style.transform = `translateY(${-this.area.scrollTop}px)`;
    if (this.line) this.flag.style.transform = `translateY(${(this.line - 1) * LINE_HEIGHT - this.area.scrollTop}px)`;
  }

  /** Puts the caret where the error is. */
  visit() {
    if (!this.line) return;
    const before = this.area.value.split('\n').slice(0, this.line - 1);
    const at = before.reduce((/** @type {number} */ sum, /** @type {string} */ line) => sum + line.length + 1, 0) + this.column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at + 1);
    this.area.scrollTop = Math.max(0, (this.line - 4) * LINE_HEIGHT);
  }
}

customElements.define('config-editor', ConfigEditor);
