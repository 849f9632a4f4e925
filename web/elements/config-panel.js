// The configuration, as a form or as the raw text; on narrower screens a drawer behind a summary.

import { h, send, setAttribute, setText } from '../dom.js';
import { grouped } from '../format.js';
import './config-editor.js';
import './config-form.js';

/** What the drawer's summary names, where the model has it. */
const SUMMARY = ['hidden_size', 'num_hidden_layers', 'num_attention_heads', 'intermediate_size', 'vocab_size', 'n_embd', 'n_layer', 'd_model', 'num_layers'];

export class ConfigPanel extends HTMLElement {
  connectedCallback() {
    if (this.form) return;
    this.form = h('config-form');
    this.editor = h('config-editor');
    const tab = (/** @type {string} */ id, /** @type {string} */ label, /** @type {boolean} */ selected) =>
      h('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `pane-${id}`, 'aria-selected': String(selected), tabIndex: selected ? 0 : -1, textContent: label, onclick: () => this.choose(id) });
    this.tabs = { fields: tab('fields', 'Fields', true), text: tab('text', 'config.json', false) };
    this.panes = {
      fields: h('div', { role: 'tabpanel', id: 'pane-fields', 'aria-labelledby': 'tab-fields' }, this.form),
      text: h('div', { role: 'tabpanel', id: 'pane-text', 'aria-labelledby': 'tab-text', hidden: true }, this.editor),
    };
    this.undo = h('button', { type: 'button', className: 'quiet', textContent: 'Undo', disabled: true, onclick: () => send(this, 'travel', 'undo') });
    this.redo = h('button', { type: 'button', className: 'quiet', textContent: 'Redo', disabled: true, onclick: () => send(this, 'travel', 'redo') });
    this.summary = h('span', { className: 'summary-fields' });
    this.handle = h('button', { type: 'button', className: 'handle', 'aria-expanded': 'false', 'aria-controls': 'drawer', onclick: () => this.slide() }, h('strong', { textContent: 'Fields' }), this.summary);
    const list = h('div', { role: 'tablist', 'aria-label': 'Configuration', onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event) }, this.tabs.fields, this.tabs.text);
    this.append(this.handle, h('div', { className: 'drawer', id: 'drawer' }, h('div', { className: 'panel-head' }, list, this.undo, this.redo), this.panes.fields, this.panes.text));
  }

  /** @param {import('../state.js').View} view @param {{ undo: boolean, redo: boolean }} ways */
  update(view, ways) {
    this.form.update(view);
    this.editor.update(view);
    this.undo.disabled = !ways.undo;
    this.redo.disabled = !ways.redo;
    setAttribute(this.tabs?.text, 'data-wrong', !view.answer.ok);
    const named = SUMMARY.flatMap((name) => view.shown?.fields.find((row) => row.name === name && row.source !== 'ignored') ?? []);
    setText(this.summary, named.map(({ name, value }) => `${name} ${grouped(String(value))}`).join(' · '));
  }

  /** @param {string} id */
  choose(id) {
    for (const name of /** @type {const} */ (['fields', 'text'])) {
      const tab = this.tabs?.[name];
      setAttribute(tab, 'aria-selected', String(name === id));
      tab.tabIndex = name === id ? 0 : -1;
      /** @type {any} */ (this.panes)[name].hidden = name !== id;
    }
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = document.activeElement === this.tabs?.fields ? 'text' : 'fields';
    this.choose(other);
    this.tabs?.[other].focus();
    event.preventDefault();
  }

  /** @param {boolean} [open] */
  slide(open) {
    const now = open ?? this.handle.getAttribute('aria-expanded') !== 'true';
    setAttribute(this.handle, 'aria-expanded', String(now));
    setAttribute(this, 'data-open', now);
  }

  /** @param {string} name */
  visit(name) {
    this.slide(true);
    this.choose('fields');
    this.form.visit(name);
  }

  /** @param {string | undefined} name */
  mark(name) {
    this.form.mark(name);
  }
}

customElements.define('config-panel', ConfigPanel);
