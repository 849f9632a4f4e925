// An icicle: the parts in the order in which data passes, and beneath each its tensors. The account beside it says the same in numbers.

import { arrange, h, send, setText } from '../dom.js';
import { percent, ratio } from '../format.js';
import { partLabel } from '../parts.js';

/** @typedef {import('../types').CountAnswer} CountAnswer */
/** @typedef {import('../types').Part} Part */

/** Narrower tensors are a line's width at most and drawn as one. */
const SMALLEST = 0.004;

export class PartsBar extends HTMLElement {
  connectedCallback() {
    if (this.bar) return;
    /** @type {Map<Part, { slab: any, name: any, share: any, rows: any }>} */
    this.slabs = new Map();
    this.bar = h('div', { className: 'icicle', role: 'img' });
    this.append(this.bar);
  }

  /** @param {import('../state.js').View} view */
  update({ shown }) {
    if (!shown) return;
    const total = shown.totals.parameters;
    const parts = shown.parts.filter(({ parameters }) => parameters !== '0');
    arrange(
      this.bar,
      parts.map(({ part, parameters }) => {
        const drawn = this.slab(part);
        drawn.slab.style.flexGrow = weight(parameters, total);
        setText(drawn.share, percent(parameters, total));
        this.drawTensors(drawn.rows, shown, part);
        return drawn.slab;
      }),
    );
    this.bar.setAttribute('aria-label', `Parts of the model: ${parts.map(({ part, parameters }) => `${partLabel(part)} ${percent(parameters, total)}`).join(', ')}`);
  }

  /** @param {Part} part */
  slab(part) {
    const known = this.slabs?.get(part);
    if (known) return known;
    const name = h('span', { textContent: partLabel(part) });
    const share = h('span', { className: 'share' });
    const rows = h('div', { className: 'slab-tensors' });
    const head = h('div', { className: 'slab-name', title: partLabel(part), onclick: () => send(this, 'reveal', { part }) }, name, ' ', share);
    const made = { slab: h('div', { className: 'slab', 'data-part': part }, head, rows), name, share, rows };
    this.slabs?.set(part, made);
    return made;
  }

  /** @param {HTMLElement} parent @param {CountAnswer} shown @param {Part} part */
  drawTensors(parent, shown, part) {
    const rows = shown.tensors.filter((row) => row.part === part && row.kind === 'parameter');
    const large = rows.filter((row) => ratio(row.total, shown.totals.parameters) >= SMALLEST);
    while (parent.children.length > large.length) parent.lastElementChild?.remove();
    while (parent.children.length < large.length) parent.append(h('div', { onclick: (/** @type {any} */ event) => send(this, 'reveal', { name: event.currentTarget.dataset.name }) }, h('span')));
    large.forEach((row, i) => {
      const cell = /** @type {HTMLElement} */ (parent.children[i]);
      cell.style.flexGrow = weight(row.total, shown.totals.parameters);
      cell.dataset.name = row.name;
      cell.title = `${row.name}: ${percent(row.total, shown.totals.parameters)}`;
      setText(/** @type {Element} */ (cell.firstElementChild), brief(row.name));
    });
  }
}

/** Flexible lengths fill their line only where they add up to at least 1. @param {string} part @param {string} whole */
const weight = (part, whole) => String(ratio(part, whole) * 1_000);

/** `model.layers.[0-31].mlp.gate_proj.weight` as `gate_proj`. @param {string} name */
function brief(name) {
  const path = name.split('.').filter((segment) => segment !== 'weight' && !segment.startsWith('['));
  return path[path.length - 1] ?? name;
}

customElements.define('parts-bar', PartsBar);
