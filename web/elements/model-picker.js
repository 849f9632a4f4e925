// Which model: a searchable list of published ones and of model types, a file, or what is pasted into it.

import { h, send, setAttribute, setText } from '../dom.js';
import { short } from '../format.js';
import { nameOf } from './grand-total.js';

/** @typedef {import('../link.js').Base} Base */

export class ModelPicker extends HTMLElement {
  /** @type {{ base: Base, element: any, words: string }[]} */
  options = [];
  /** @type {any[]} */
  groups = [];
  active = -1;

  connectedCallback() {
    if (this.input) return;
    this.list = h('div', { className: 'options', id: 'models', role: 'listbox', 'aria-label': 'Models', hidden: true });
    this.input = h('input', { id: 'model', type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'models', 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false', placeholder: 'Search models, or paste a config.json' });
    this.file = h('input', { type: 'file', accept: '.json,application/json,text/plain', className: 'spoken', tabIndex: -1, 'aria-hidden': 'true', onchange: () => this.pick() });
    const open = h('button', { type: 'button', textContent: 'Open config.json', title: 'Or drop the file anywhere on the page', onclick: () => this.file.click() });
    this.append(h('label', { for: 'model', className: 'spoken', textContent: 'Model' }), h('div', { className: 'combo' }, this.input, this.list), open, this.file);
    this.input.addEventListener('focus', () => this.input.select());
    // When the button goes down, and in the place of the caret that the browser would set: later it would take what is being typed.
    this.input.addEventListener('mousedown', (/** @type {MouseEvent} */ event) => {
      if (!this.list.hidden) return;
      event.preventDefault();
      this.input.focus();
      this.open();
      this.input.select();
    });
    this.input.addEventListener('click', () => this.open());
    this.input.addEventListener('paste', (/** @type {ClipboardEvent} */ event) => this.paste(event));
    this.input.addEventListener('input', () => this.search());
    this.input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.press(event));
    this.input.addEventListener('blur', () => this.close());
    this.list.addEventListener('pointerdown', (/** @type {Event} */ event) => event.preventDefault()); // the focus stays in the input
    this.list.addEventListener('click', (/** @type {any} */ event) => this.choose(this.options.findIndex(({ element }) => element === event.target.closest('[role=option]'))));
  }

  /** @param {() => { title: string, bases: Base[] }[]} groups asked for when the list is first opened */
  offer(groups) {
    this.listGroups = groups;
  }

  /** @param {import('../state.js').View} view */
  update(view) {
    this.current = nameOf(view);
    this.id_ = view.base?.id;
    if (document.activeElement !== this.input || this.list.hidden) this.input.value = this.current;
  }

  pick() {
    const [file] = this.file.files;
    if (file) send(this, 'file', file);
    this.file.value = '';
  }

  fill() {
    if (this.options.length > 0 || !this.listGroups) return;
    this.groups = this.listGroups().map(({ title, bases }, i) => {
      const made = bases.map((base) => {
        const size = h('span', { className: 'digits' });
        if (base.parameters) setText(size, short(base.parameters));
        const element = h('div', { role: 'option', id: `model-${this.options.length}`, 'aria-selected': 'false' }, h('span', { textContent: base.name }), size);
        this.options.push({ base, element, words: `${base.id} ${base.name} ${title}`.toLowerCase() });
        return element;
      });
      const head = h('div', { className: 'option-group', id: `models-${i}`, textContent: title });
      return h('div', { role: 'group', 'aria-labelledby': head.id }, head, ...made);
    });
    this.none = h('p', { className: 'none', hidden: true, textContent: 'No such model here: paste or drop its config.json.' });
    this.list.append(...this.groups, this.none);
  }

  open() {
    if (!this.list.hidden) return;
    this.fill();
    this.filter('');
    this.list.hidden = false;
    setAttribute(this.input, 'aria-expanded', 'true');
    this.activate(this.options.findIndex(({ base }) => base.id === this.id_));
  }

  close() {
    this.list.hidden = true;
    setAttribute(this.input, 'aria-expanded', 'false');
    this.activate(-1);
    this.input.value = this.current ?? '';
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!text.trimStart().startsWith('{')) return;
    event.preventDefault();
    this.close();
    send(this, 'pasted', text);
  }

  search() {
    const text = this.input.value;
    this.open();
    this.filter(text);
    this.activate(text.trim() ? this.options.findIndex(({ element }) => !element.hidden) : -1);
  }

  /** @param {string} text */
  filter(text) {
    const words = text.toLowerCase().split(/\s+/);
    for (const { element, words: known } of this.options) element.hidden = !words.every((word) => known.includes(word));
    for (const group of this.groups) group.hidden = !group.querySelector('[role=option]:not([hidden])');
    this.none.hidden = this.options.some(({ element }) => !element.hidden);
  }

  /** @param {number} at */
  activate(at) {
    this.options[this.active]?.element.setAttribute('aria-selected', 'false');
    this.active = at;
    const option = this.options[at]?.element;
    setAttribute(this.input, 'aria-activedescendant', option?.id);
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (this.list.hidden) this.open();
      else this.step(step);
    } else if (event.key === 'Enter' && this.active >= 0) {
      event.preventDefault();
      this.choose(this.active);
    } else if (event.key === 'Escape' && !this.list.hidden) {
      event.preventDefault();
      this.close();
      this.input.select();
    }
  }

  /** @param {number} step */
  step(step) {
    for (let i = this.active + step; i >= 0 && i < this.options.length; i += step) {
      if (!this.options[i].element.hidden) return this.activate(i);
    }
  }

  /** @param {number} at */
  choose(at) {
    const option = this.options[at];
    if (!option) return;
    send(this, 'model', option.base);
    this.close();
    this.input.select(); // so that another search starts anew
  }
}

customElements.define('model-picker', ModelPicker);
