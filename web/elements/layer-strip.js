// A list of layer kinds as a strip: a cell for each layer, in order, to click or type through.

import { h, setAttribute, setText } from '../dom.js';

/** @typedef {import('../types').FieldRow} FieldRow */

/** More cells than this are shown as a count only; they can be edited in the text. */
const MAX_CELLS = 512;

/** @param {FieldRow} row @param {string} id @param {(literal: string) => void} put @returns {import('./controls.js').Control} */
export function layerStrip(row, id, put) {
  /** @type {string[]} */
  let layers = [];
  let choices = row.choices ?? [];
  const cells = h('div', { className: 'cells', role: 'group', 'aria-labelledby': `${id}-name` });
  const key = h('p', { className: 'key' });
  const shorter = h('button', { type: 'button', className: 'quiet', title: 'Remove the last layer', 'aria-label': 'Remove the last layer', textContent: '−', onclick: () => change(layers.slice(0, -1)) });
  const longer = h('button', { type: 'button', className: 'quiet', title: 'Add a layer like the last', 'aria-label': 'Add a layer like the last', textContent: '+', onclick: () => change([...layers, layers[layers.length - 1] ?? choices[0]]) });

  /** @param {string[]} now */
  const change = (now) => put(`[${now.map((layer) => JSON.stringify(layer)).join(', ')}]`);

  /** @param {number} at */
  const cycle = (at) => change(layers.map((layer, i) => (i === at ? choices[(choices.indexOf(layer) + 1) % choices.length] : layer)));

  cells.addEventListener('click', (/** @type {any} */ event) => {
    const at = [...cells.children].indexOf(event.target.closest('button'));
    if (at >= 0) cycle(at);
  });
  cells.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 }[event.key];
    const at = [...cells.children].indexOf(/** @type {any} */ (event.target));
    if (!step || at < 0) return;
    event.preventDefault();
    cells.children[Math.min(cells.children.length - 1, Math.max(0, at + step))].focus();
  });
  cells.addEventListener('focusin', (/** @type {any} */ event) => {
    for (const cell of cells.children) cell.tabIndex = cell === event.target ? 0 : -1;
  });

  const drawCells = () => {
    const count = layers.length > MAX_CELLS ? 0 : layers.length;
    while (cells.children.length > count) cells.lastElementChild.remove();
    while (cells.children.length < count) cells.append(h('button', { type: 'button', tabIndex: cells.children.length === 0 ? 0 : -1 }));
    const letters = abbreviations(choices);
    [...cells.children].forEach((cell, i) => {
      setText(cell, letters.get(layers[i]) ?? '?');
      setAttribute(cell, 'aria-label', `layer ${i}: ${layers[i]}`);
      setAttribute(cell, 'title', `layer ${i}: ${layers[i]}`);
      setAttribute(cell, 'data-tone', String(choices.indexOf(layers[i]) % 6));
    });
    const used = choices.filter((choice) => layers.includes(choice));
    setText(key, `${layers.length} layers: ${used.map((choice) => `${letters.get(choice)} ${choice} × ${layers.filter((layer) => layer === choice).length}`).join(', ')}`);
  };

  return {
    element: h('div', { className: 'strip' }, cells, h('div', { className: 'strip-foot' }, key, shorter, longer)),
    group: true,
    show(now, literal) {
      choices = now.choices ?? choices;
      layers = listed(literal) ?? (Array.isArray(now.value) ? now.value.map(String) : []);
      drawCells();
    },
    inputs: () => [cells],
    focus: () => (cells.querySelector('[tabindex="0"]') ?? longer).focus(),
  };
}

/** @param {string | undefined} literal */
function listed(literal) {
  if (literal === undefined) return undefined;
  try {
    const list = JSON.parse(literal);
    return Array.isArray(list) ? list.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/** As few letters as tell the choices apart. @param {string[]} choices */
function abbreviations(choices) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const choice of choices) {
    const candidates = [1, 2, 3].map((length) => choice.slice(0, length));
    const taken = new Set(found.values());
    const pick = candidates.find((candidate) => !taken.has(candidate.toUpperCase())) ?? choice.slice(0, 2);
    found.set(choice, pick.toUpperCase());
  }
  return found;
}
