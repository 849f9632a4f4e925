// The form: exactly the fields that the family reads, in their groups. Fields are updated in place, so that typing is never disturbed.

import { arrange, h, send, setAttribute, setText } from '../dom.js';
import { literalAt } from '../config-text.js';
import { plural } from '../format.js';
import { ConfigField } from './config-field.js';
import { kindOf } from './controls.js';

/** @typedef {import('../types').FieldRow} FieldRow */

/** In the order of importance. @type {[NonNullable<FieldRow['group']>, string][]} */
const GROUPS = [
  ['size', 'Size'],
  ['layers', 'Layers'],
  ['attention', 'Attention'],
  ['state_space', 'State space'],
  ['feed_forward', 'Feed-forward'],
  ['experts', 'Experts'],
  ['vocabulary', 'Vocabulary'],
  ['head', 'Output head'],
  ['other', 'Other'],
];

export class ConfigForm extends HTMLElement {
  /** @type {string | undefined} */
  listed = undefined;
  /** @type {Map<string, ConfigField>} */
  fields = new Map();
  /** @type {Map<string, { element: any, list: any }>} */
  groups = new Map();

  connectedCallback() {
    if (this.trouble) return;
    this.trouble = h('p', { className: 'error', role: 'alert', hidden: true });
    this.nearest = h('p', { className: 'nearest', hidden: true });
    this.body = h('div', { className: 'groups' });
    this.ignored = h('ul');
    this.ignoredCount = h('summary');
    this.folded = h('details', { className: 'ignored', hidden: true }, this.ignoredCount, this.ignored);
    this.append(this.trouble, this.nearest, this.body, this.folded);
    // Later, as a field may be left because an update is just moving it.
    this.addEventListener('settle', () => queueMicrotask(() => this.view && this.update(this.view)));
  }

  /** @param {import('../state.js').View} view */
  update(view) {
    this.view = view;
    const rows = view.fields.filter(({ source }) => source !== 'ignored');
    const error = view.answer.ok ? undefined : view.answer.error;
    const wrong = error && fieldOf(error.field, rows);
    setText(this.trouble, error && !wrong ? error.message : '');
    this.trouble.hidden = !error || wrong !== undefined;
    this.drawNearest(wrong ? undefined : error);
    setAttribute(this.body, 'inert', error?.code === 'malformed_json');
    const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
    const selected = focused?.selectionStart;
    arrange(
      this.body,
      GROUPS.flatMap(([group, title]) => {
        const own = rows.filter((row) => (row.group ?? 'other') === group);
        if (own.length === 0) return [];
        const { element, list } = this.group(group, title);
        arrange(list, own.map((row) => this.field(row).element));
        return [element];
      }),
    );
    this.keepFocus(focused, selected);
    for (const row of rows) this.field(row).update(row, literalAt(view.text, row.given_as ?? row.name), row === wrong ? error?.message : undefined);
    this.drawIgnored(view.fields.filter(({ source }) => source === 'ignored'));
  }

  /** A field that had to move to another group lost it on the way. @param {HTMLInputElement | null} focused @param {number | null | undefined} selected */
  keepFocus(focused, selected) {
    if (!focused || focused === document.activeElement || !this.body.contains(focused)) return;
    focused.focus();
    if (selected != null) focused.setSelectionRange(selected, selected);
  }

  /** @param {string} group @param {string} title */
  group(group, title) {
    const known = this.groups.get(group);
    if (known) return known;
    const list = h('div', { className: 'fields' });
    const made = { element: h('section', { className: 'group' }, h('h3', { textContent: title }), list), list };
    this.groups.set(group, made);
    return made;
  }

  /** @param {FieldRow} row */
  field(row) {
    const known = this.fields.get(row.name);
    if (known && known.kind === kindOf(row)) return known;
    const made = new ConfigField(row);
    this.fields.set(row.name, made);
    return made;
  }

  /** One step to what was probably meant. @param {import('../types').Refusal['error'] | undefined} error */
  drawNearest(error) {
    const names = error?.nearest ?? [];
    this.nearest.hidden = names.length === 0;
    const path = error?.field === 'model_type' ? 'model_type' : 'architectures';
    const use = (/** @type {string} */ name) => send(this, 'field', { path, literal: JSON.stringify(path === 'model_type' ? name : [name]) });
    this.nearest.replaceChildren(...names.map((name) => h('button', { type: 'button', className: 'quiet', textContent: `use ${name}`, onclick: () => use(name) })));
  }

  /** @param {FieldRow[]} rows */
  drawIgnored(rows) {
    this.folded.hidden = rows.length === 0;
    setText(this.ignoredCount, `${plural(rows.length, 'field')} ignored`);
    const key = JSON.stringify(rows.map(({ name, reason }) => [name, reason]));
    if (key === this.listed) return;
    this.listed = key;
    this.ignored.replaceChildren(...rows.map(({ name, reason }) => h('li', {}, h('code', { textContent: name }), ` ${reason ?? ''}`)));
  }

  /** Goes to a field. @param {string} name */
  visit(name) {
    const field = this.fields.get(name);
    field?.element.scrollIntoView({ block: 'nearest' });
    field?.control.focus();
  }

  /** @param {string | undefined} name */
  mark(name) {
    for (const [field, { element }] of this.fields) setAttribute(element, 'data-lit', field === name);
  }
}

/** The row that an error is about; `layer_types[3]` is about `layer_types`. @param {string} field @param {FieldRow[]} rows */
function fieldOf(field, rows) {
  if (!field) return undefined;
  return rows.find(({ name, given_as }) => name === field || given_as === field) ?? rows.find(({ name, given_as }) => [name, given_as].some((known) => known && (field.startsWith(`${known}[`) || field.startsWith(`${known}.`))));
}

customElements.define('config-form', ConfigForm);
