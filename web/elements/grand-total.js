// The number: what model, how many parameters exactly.

import { h, send, setAttribute, setText } from '../dom.js';
import { difference, grouped, short } from '../format.js';
import { copyButton } from './copy-button.js';

/** @typedef {import('../state.js').View} View */

export class GrandTotal extends HTMLElement {
  /** @type {string | undefined} */
  listed = undefined;

  connectedCallback() {
    if (this.number) return;
    this.owner = h('p', { className: 'owner' });
    this.name = h('h2', { id: 'model-name' });
    this.number = h('span', { className: 'number' });
    this.old = h('s');
    this.change = h('span', { className: 'change' });
    this.was = h('p', { className: 'was', hidden: true }, h('span', { className: 'spoken', textContent: 'before: ' }), this.old, ' ', this.change);
    this.short = h('strong');
    this.check = h('span', { className: 'check' });
    this.select = h('select', { id: 'architecture', onchange: () => send(this, 'architecture', this.select.value) });
    this.family = h('code');
    this.copy = copyButton('Copy', 'Copy the exact number', () => this.shown?.totals.parameters ?? '');
    this.replaceChildren(
      this.owner,
      h('div', { className: 'title' }, this.name, h('p', { className: 'class' }, this.family, h('label', { for: 'architecture' }, h('span', { className: 'spoken', textContent: 'Architecture' }), this.select))),
      h('div', { className: 'figure' }, this.number, this.copy),
      h('p', { className: 'words' }, this.short, this.check),
      this.was,
    );
  }

  /** @param {View} view */
  update(view) {
    const { shown, before, base } = view;
    this.shown = shown;
    const slash = base?.kind === 'model' ? base.id.indexOf('/') : -1;
    setText(this.owner, slash > 0 ? /** @type {string} */ (base?.id.slice(0, slash)) : base ? 'model type with its defaults' : 'your configuration');
    setText(this.name, nameOf(view));
    if (!shown) return;
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
    this.drawArchitectures(view);
  }

  /** @param {View} view */
  drawCheck({ base, shown, edited, stale }) {
    const published = base?.parameters;
    this.check.hidden = !published || edited || stale;
    if (!published) return;
    const exact = published === shown?.totals.parameters;
    setText(this.check, exact ? '✓ equals the published count' : `published: ${grouped(published)}`);
    setAttribute(this.check, 'data-exact', exact);
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

/** What the page is about, in words. @param {View} view */
export function nameOf({ base, title, edited, text }) {
  const name = base ? base.name : title || 'config.json';
  return text && edited ? `${name}, edited` : name;
}

customElements.define('grand-total', GrandTotal);
