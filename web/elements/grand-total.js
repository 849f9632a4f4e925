// The number: what model, how many parameters exactly.

import { h, send, setAttribute, setText } from '../dom.js';
import { difference, grouped, short } from '../format.js';
import { copyButton } from './copy-button.js';

/** @typedef {import('../state.js').View} View */

export class GrandTotal extends HTMLElement {
  /** @type {string | undefined} */
  listed = undefined;
  noted = '';

  /** Not before there is something to show: until then the page's own content stands here. */
  build() {
    if (this.number) return;
    this.owner = h('p', { className: 'owner' });
    this.name = h('h2', { id: 'model-name' });
    this.number = h('span', { className: 'number' });
    this.old = h('s');
    this.change = h('span', { className: 'change' });
    this.was = h('span', { className: 'was', hidden: true }, h('span', { className: 'spoken', textContent: 'before: ' }), this.old, ' ', this.change);
    this.short = h('strong');
    this.check = h('span', { className: 'check' });
    this.refusal = h('span', { className: 'refusal' });
    this.stale = h('span', { className: 'stale' });
    this.link = copyButton('Copy link', 'Copy the address of this page as it is now', () => location.href);
    this.select = h('select', { id: 'architecture', onchange: () => send(this, 'architecture', this.select.value) });
    this.family = h('code');
    this.notes = h('ul', { className: 'notes', 'aria-label': 'Notes' });
    this.copy = copyButton('Copy', 'Copy the exact number', () => this.shown?.totals.parameters ?? '');
    this.replaceChildren(
      this.owner,
      h('div', { className: 'title' }, this.name, h('p', { className: 'class' }, this.family, h('label', { for: 'architecture' }, h('span', { className: 'spoken', textContent: 'Architecture' }), this.select))),
      h('div', { className: 'figure' }, this.number, this.copy, this.link, this.stale),
      h('p', { className: 'words' }, this.short, this.was, this.check, this.refusal),
      this.notes,
    );
  }

  /** @param {View} view */
  update(view) {
    this.build();
    const { shown, before, base } = view;
    this.shown = shown;
    const slash = base?.kind === 'model' ? base.id.indexOf('/') : -1;
    setText(this.owner, slash > 0 ? /** @type {string} */ (base?.id.slice(0, slash)) : base ? 'model type with its defaults' : 'your configuration');
    setText(this.name, nameOf(view));
    const shownName = nameOf(view.shownOf ?? {});
    this.stale.hidden = !view.stale || !shown;
    setText(this.stale, shownName === nameOf({ ...view, edited: false }) ? 'last valid answer' : `last valid answer: ${shownName}`);
    setText(this.refusal, view.answer.ok ? '' : view.answer.error.message);
    if (!shown) return void setText(this.number, 'not counted');
    const total = shown.totals.parameters;
    setText(this.number, grouped(total));
    setAttribute(this.number, 'data-long', total.length > 16);
    setText(this.short, `${short(total)} parameters`);
    this.drawCheck(view);
    this.was.hidden = !before || before.totals.parameters === total;
    if (before) {
      setText(this.old, grouped(before.totals.parameters));
      setText(this.change, difference(before.totals.parameters, total));
    }
    setText(this.family, shown.model_type);
    this.drawNotes(shown.notes);
    this.drawArchitectures(view);
  }

  /** Whether the page's address says all. @param {boolean} can */
  linkable(can) {
    const link = /** @type {HTMLButtonElement} */ (this.link);
    link.disabled = !can;
    link.title = can ? 'Copy the address of this page as it is now' : 'This configuration is too long for a link';
  }

  /** @param {import('../types').Note[]} notes */
  drawNotes(notes) {
    this.notes.hidden = notes.length === 0;
    if (notes.map(({ message }) => message).join('\n') === this.noted) return;
    this.noted = notes.map(({ message }) => message).join('\n');
    this.notes.replaceChildren(...notes.map(({ level, message }) => h('li', { 'data-level': level, textContent: message })));
  }

  /** @param {View} view */
  drawCheck({ base, shown, edited, stale }) {
    const published = base?.parameters;
    this.check.hidden = !published || edited || stale;
    if (!published) return;
    // Some published counts are of all that the files store, buffers included.
    const stored = published === shown?.totals.stored;
    const exact = published === shown?.totals.parameters;
    setText(this.check, exact ? '✓ equals the published count' : `${stored ? '✓ ' : ''}published: ${grouped(published)}${stored ? ', with buffers' : ''}`);
    setAttribute(this.check, 'data-exact', exact || stored);
  }

  /** @param {View} view */
  drawArchitectures({ architectures, shown, answer }) {
    const chosen = answer.ok ? answer.architecture : shown?.architecture;
    const listed = architectures.includes(/** @type {string} */ (chosen)) ? architectures : [...architectures, chosen];
    const key = listed.join();
    if (key !== this.listed) {
      this.listed = key;
      this.select.replaceChildren(...listed.map((name) => h('option', { value: name, textContent: name })));
    }
    this.select.value = chosen;
  }
}

/** What the page is about, in words. @param {{ base?: import('../link.js').Base, title?: string, edited?: boolean }} view */
export function nameOf({ base, title, edited }) {
  const name = base ? base.name : title || 'config.json';
  return edited ? `${name}, edited` : name;
}

customElements.define('grand-total', GrandTotal);
