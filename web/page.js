// Puts the page together: the elements draw, the state counts, the address carries it.

import { load } from './core.js';
import { choices, FIRST, publishedModel, typeBase } from './catalog/published.js';
import { one, setAttribute, setText } from './dom.js';
import { difference, grouped } from './format.js';
import { hashOf, parseHash, unpack, withEdits } from './link.js';
import { State } from './state.js';
import { nameOf } from './elements/grand-total.js';
import './elements/closed-formula.js';
import './elements/config-panel.js';
import './elements/model-picker.js';
import './elements/other-totals.js';
import './elements/parts-account.js';
import './elements/parts-bar.js';
import './elements/tensor-table.js';
import './elements/theme-switch.js';
import './elements/value-sources.js';

/** @typedef {import('./state.js').View} View */
/** @typedef {import('./state.js').Entry} Entry */

/** A config.json of more is none. */
const MAX_FILE = 10_000_000;
const ADDRESS_DELAY = 250;
const ANNOUNCE_DELAY = 600;

/** What the page has written into the address, so that it does not answer to itself. */
const address = { hash: '' };

const page = document.body;
const banner = one(page, '#banner');
const panel = one(page, 'config-panel');
const picker = one(page, 'model-picker');
const table = one(page, 'tensor-table');
const formula = one(page, 'closed-formula');
const drawn = ['grand-total', 'parts-bar', 'parts-account', 'other-totals', 'value-sources'].map((name) => one(page, name));

load().then(start, (error) => say(`The program that counts did not start: ${error.message}`));

/** @param {import('./types').Ledger} ledger */
function start(ledger) {
  const state = new State(ledger);
  picker.offer(() => choices(ledger));
  listen(state);
  void follow(state);
  addEventListener('hashchange', () => location.hash !== address.hash && void follow(state));
}

/** @param {State} state */
function listen(state) {
  /** @param {string} type @param {(detail: any) => void} act */
  const on = (type, act) => page.addEventListener(type, (event) => act(/** @type {CustomEvent} */ (event).detail));
  /** @param {() => void} act */
  const then = (act) => {
    act();
    draw(state);
  };
  on('field', ({ path, literal }) => then(() => state.setField(path, literal)));
  on('unfield', ({ path }) => then(() => state.removeField(path)));
  on('text', (text) => then(() => state.edit(text, 'text')));
  on('architecture', (name) => then(() => state.setField('architectures', JSON.stringify([name]))));
  on('travel', (direction) => then(() => state.travel(direction)));
  on('model', (base) => then(() => state.open({ base, text: base.text })));
  on('pasted', (text) => then(() => state.open({ text })));
  on('file', (file) => void read(file, state));
  on('symbol', (name) => [panel, formula, table].forEach((element) => element.mark(name)));
  on('visit', (name) => panel.visit(name));
  on('writing', (writing) => table.spell(writing));
  on('reveal', (what) => table.reveal(what));
  one(page, '.skip').addEventListener('click', skip);
  listenForFiles(state);
}

/** The address holds the state, so the link must not go there. @param {Event} event */
function skip(event) {
  event.preventDefault();
  one(page, '#answer').focus();
}

/** @param {State} state */
function listenForFiles(state) {
  addEventListener('dragover', (event) => {
    event.preventDefault();
    page.dataset.dropping = '';
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) delete page.dataset.dropping;
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    delete page.dataset.dropping;
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData('text/plain');
    if (file) void read(file, state);
    else if (text) show({ text }, state);
  });
  // Outside of any input a pasted object can only be meant as a configuration.
  addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const target = /** @type {Element} */ (event.target);
    if (target.closest?.('input, textarea') || !text.trimStart().startsWith('{')) return;
    event.preventDefault();
    show({ text }, state);
  });
}

/** @param {File} file @param {State} state */
async function read(file, state) {
  if (file.size > MAX_FILE) return say(`${file.name} has ${grouped(file.size)} bytes: no config.json is that large.`);
  show({ text: await file.text(), title: file.name }, state);
}

/** @param {Entry} entry @param {State} state */
function show(entry, state) {
  state.open(entry);
  draw(state);
}

/** Shows what the address says. @param {State} state */
async function follow(state) {
  const first = /** @type {import('./link.js').Base} */ (publishedModel(FIRST));
  let trouble = '';
  /** @type {Entry} */
  let entry = { base: first, text: first.text };
  const link = parseHash(location.hash);
  try {
    if (link?.kind === 'config') entry = { text: await unpack(link.packed) };
    else if (link) {
      const base = link.kind === 'model' ? publishedModel(link.id) : typeBase(link.id, state.ledger);
      if (!base) throw new Error(`This link is about ${link.id.slice(0, 80)}, which is not among the models here.`);
      entry = { base, text: withEdits(base.text, link.edits) };
    } else if (location.hash.length > 1) throw new Error('This link says nothing that the page understands.');
  } catch (error) {
    trouble = `${/** @type {Error} */ (error).message} Shown instead: ${first.name}.`;
  }
  address.hash = location.hash;
  state.open(entry);
  draw(state);
  if (trouble) say(trouble);
}

/** @param {State} state */
function draw(state) {
  const view = state.view();
  panel.update(view, { undo: state.past.length > 0, redo: state.future.length > 0 });
  for (const element of [...drawn, picker, formula, table]) element.update(view);
  const answer = one(page, '#answer');
  setAttribute(answer, 'aria-busy', null);
  setAttribute(answer, 'data-stale', view.stale);
  setAttribute(answer, 'data-empty', !view.shown);
  setAttribute(page, 'data-ready', true);
  say('');
  document.title = view.shown ? `${grouped(view.shown.totals.parameters)} parameters: ${nameOf(view)}, Param Ledger` : 'Param Ledger';
  announce(view);
  writeAddress(view);
}

/** @param {string} message */
function say(message) {
  setText(banner, message);
  banner.hidden = message === '';
}

let announcing = 0;

/** Once, when the typing has paused. @param {View} view */
function announce({ answer, before }) {
  clearTimeout(announcing);
  announcing = window.setTimeout(() => {
    if (!answer.ok) return;
    const total = answer.totals.parameters;
    const change = before && before.totals.parameters !== total ? `, ${difference(before.totals.parameters, total)}` : '';
    setText(one(page, '#announcer'), `${grouped(total)} parameters${change}`);
  }, ANNOUNCE_DELAY);
}

let writing = 0;

/** Browsers limit how often an address may change. @param {View} view */
function writeAddress({ text, base, edited }) {
  clearTimeout(writing);
  if (location.hash === '' && base?.id === FIRST && !edited) return;
  writing = window.setTimeout(async () => {
    const turn = writing;
    const hash = await hashOf(text, base);
    if (turn !== writing) return;
    one(page, 'grand-total').linkable(hash !== undefined);
    address.hash = hash ?? '';
    if (address.hash !== location.hash) history.replaceState(history.state, '', address.hash || location.pathname + location.search);
  }, ADDRESS_DELAY);
}
