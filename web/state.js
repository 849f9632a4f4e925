// What the page shows: a config.json as text, what it was made from, what the core said of it, and what came before the last edit.

import { literalAt, withField, withoutField } from './config-text.js';

/** @typedef {import('./types').Answer} Answer */
/** @typedef {import('./types').CountAnswer} CountAnswer */
/** @typedef {import('./types').FieldRow} FieldRow */
/** @typedef {import('./types').Ledger} Ledger */
/** @typedef {import('./link.js').Base} Base */

/**
 * What the elements draw.
 * @typedef {object} View
 * @property {string} text the config.json
 * @property {Base} [base] the published model or model type that it was made from
 * @property {string} [title] the name of a file that it was read from
 * @property {boolean} edited whether the text differs from the base's
 * @property {Answer} answer
 * @property {CountAnswer} [shown] the answer, or the last valid one
 * @property {boolean} stale whether `shown` is not the answer to `text`
 * @property {Entry} [shownOf] what `shown` is the answer to
 * @property {CountAnswer} [before] the answer before the last edit, where that changed anything
 * @property {FieldRow[]} fields what the form shows
 * @property {string[]} architectures
 */

/** @typedef {{ text: string, base?: Base, title?: string }} Entry */

const MAX_HISTORY = 200;

export class State {
  /** @param {Ledger} ledger */
  constructor(ledger) {
    this.ledger = ledger;
    /** @type {Entry} */
    this.entry = { text: '' };
    /** @type {Entry[]} */
    this.past = [];
    /** @type {Entry[]} */
    this.future = [];
    /** Edits of one field in a row are one edit. @type {string | undefined} */
    this.session = undefined;
    /** @type {CountAnswer | undefined} */
    this.shown = undefined;
    /** @type {Entry | undefined} */
    this.shownOf = undefined;
    /** @type {CountAnswer | undefined} */
    this.before = undefined;
    /** @type {Answer} */
    this.answer = { ok: false, error: { code: 'internal', field: '', message: '' } };
    /** The form for a text that was refused. @type {{ type: string, rows: FieldRow[], architectures: string[] } | undefined} */
    this.form = undefined;
  }

  /** Another model: nothing to compare it with. @param {Entry} entry */
  open(entry) {
    this.remember(undefined);
    this.entry = entry;
    this.before = undefined;
    this.count();
  }

  /** @param {string} text @param {string} session */
  edit(text, session) {
    if (text === this.entry.text) return;
    if (this.session !== session) this.before = this.shown;
    this.remember(session);
    this.entry = { ...this.entry, text };
    this.count();
  }

  /** @param {string} path @param {string} literal */
  setField(path, literal) {
    const text = withField(this.entry.text, path, literal);
    if (text !== undefined) this.edit(text, path);
  }

  /** @param {string} path */
  removeField(path) {
    this.edit(withoutField(this.entry.text, path), path);
  }

  /** @param {string | undefined} session */
  remember(session) {
    if (session !== undefined && session === this.session) return;
    this.session = session;
    if (this.entry.text) this.past.push(this.entry);
    if (this.past.length > MAX_HISTORY) this.past.shift();
    this.future = [];
  }

  /** @param {'undo' | 'redo'} direction */
  travel(direction) {
    const [from, to] = direction === 'undo' ? [this.past, this.future] : [this.future, this.past];
    const entry = from.pop();
    if (!entry) return;
    to.push(this.entry);
    this.entry = entry;
    this.session = undefined;
    this.before = this.shown;
    this.count();
  }

  count() {
    this.answer = this.ledger.count(this.entry.text);
    if (!this.answer.ok) return;
    this.shown = this.answer;
    this.shownOf = this.entry;
  }

  /** @returns {View} */
  view() {
    const { answer, shown, entry } = this;
    const { rows, architectures } = answer.ok ? { rows: answer.fields, architectures: answer.architectures } : this.refusedForm();
    return {
      ...entry,
      edited: entry.base !== undefined && entry.base.text !== entry.text,
      answer,
      shown,
      stale: !answer.ok,
      shownOf: this.shownOf,
      before: this.before && shown && this.before !== shown && differ(this.before, shown) ? this.before : undefined,
      fields: withMissing(rows, answer),
      architectures,
    };
  }

  /** The fields of the model type that a refused text names, as they are without it, so that the mistake can be seen and mended in the form. */
  refusedForm() {
    const type = literalAt(this.entry.text, 'model_type');
    const nothing = { rows: /** @type {FieldRow[]} */ ([]), architectures: /** @type {string[]} */ ([]) };
    if (type === undefined) return this.shown ? { rows: this.shown.fields, architectures: this.shown.architectures } : nothing;
    if (this.shown && JSON.stringify(this.shown.model_type) === type) return { rows: this.shown.fields, architectures: this.shown.architectures };
    if (this.form?.type !== type) {
      const plain = this.ledger.count(`{"model_type": ${type}}`);
      this.form = plain.ok ? { type, rows: plain.fields, architectures: plain.architectures } : { type, ...nothing };
    }
    return this.form;
  }
}

/** A field that must be given, and of which the core can say nothing else without it, gets a place in the form. @param {FieldRow[]} rows @param {Answer} answer */
function withMissing(rows, answer) {
  const error = answer.ok ? undefined : answer.error;
  if (error?.code !== 'missing_field' || !error.field || error.nearest || rows.some(({ name }) => name === error.field)) return rows;
  return [...rows, { name: error.field, type: /** @type {const} */ ('integer'), source: /** @type {const} */ ('default') }];
}

/** @param {CountAnswer} a @param {CountAnswer} b */
const differ = (a, b) => a.totals.stored !== b.totals.stored || a.totals.parameters !== b.totals.parameters || a.tensors.length !== b.tensors.length || a.tensors.some((row, i) => row.name !== b.tensors[i].name || row.total !== b.tensors[i].total);
