// Tests which actions add a step to the browser's history and which replace the current step, and that slow reads and writes of addresses
// do not override later steps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ledger } from '../ledger.mjs';
import { createStore } from '../../../web/app/store.ts';
import { lazyCounter } from '../../../web/core/lazy-counter.ts';

/** @type {string[]} */
const written = [];
/** The state that the browser stores with its current step. @type {any} */
let kept = null;
/** @type {Map<string, () => void>} */
const heard = new Map();
Object.assign(globalThis, {
  window: globalThis,
  location: { hash: '', pathname: '/', search: '', href: 'http://localhost/' },
  history: {
    get state() {
      return kept;
    },
    pushState: (/** @type {unknown} */ state, /** @type {string} */ _, /** @type {string} */ address) => {
      kept = structuredClone(state);
      written.push(`push ${address}`);
    },
    replaceState: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ address) => written.push(`replace ${address}`),
  },
  addEventListener: (/** @type {string} */ type, /** @type {() => void} */ follow) => heard.set(type, follow),
});
const { startRouter } = await import('../../../web/app/router.ts');

const counter = lazyCounter(ledger, () => Promise.resolve(ledger));
const entry = (/** @type {string} */ type) => ({ text: `{"model_type": "${type}"}` });

test('models and views are steps, edits are not', async () => {
  const store = createStore(counter, entry('llama'));
  const router = startRouter(store, { parse: async () => ({}), write: async () => '', offer: async () => undefined });
  /** @param {any} action */
  const steps = async (action) => {
    written.length = 0;
    store.act(action);
    await pause(300); // edits change the address after a quarter of a second
    await router.settled();
    return written.map((one) => one.replace(/ .*/, ''));
  };
  assert.deepEqual(await steps({ type: 'open', entry: entry('gpt2') }), ['push']);
  assert.deepEqual(await steps({ type: 'set', path: 'n_layer', literal: '3' }), ['replace']);
  assert.deepEqual(await steps({ type: 'pin' }), ['push']);
  assert.deepEqual(await steps({ type: 'set', path: 'n_layer', literal: '4' }), ['replace']);
  assert.deepEqual(await steps({ type: 'add', entry: entry('bert') }), ['push']);
  assert.deepEqual(await steps({ type: 'remove', at: 0 }), ['push']);
  assert.deepEqual(await steps({ type: 'rearrange', direction: 'undo' }), ['push']);
  assert.deepEqual(await steps({ type: 'view', view: 'compare' }), ['push']);
  assert.deepEqual(await steps({ type: 'activate', at: 0 }), []);
  assert.deepEqual(await steps({ type: 'say', message: 'hello' }), []);
});

test('a state too long for an address is stored with its step: the models, their names, the view and its setting', async () => {
  kept = null;
  const store = createStore(counter, entry('llama'));
  const wordings = {
    parse: async (/** @type {string} */ _, /** @type {string} */ text) => ({ check: text }),
    write: async (/** @type {string} */ _, /** @type {any} */ { check = '' }) => check,
    offer: async () => undefined,
  };
  const router = startRouter(store, wordings);
  let seed = 1;
  const noise = Array.from({ length: 30_000 }, () => String.fromCharCode(33 + ((seed = (seed * 48_271) % 2_147_483_647) % 90))).join('');
  const large = { text: JSON.stringify({ model_type: 'gpt2', noise }), title: 'large.json' };
  store.act({ type: 'show', details: { check: '124M' } });
  store.act({ type: 'open', entry: large });
  store.act({ type: 'view', view: 'check' });
  await router.settled();
  assert.match(written.at(-1) ?? '', /^push \/$/, 'the address says nothing of it');
  assert.equal(await router.link(), undefined);
  const step = kept;
  store.act({ type: 'follow', view: '', entries: [entry('bert')], message: '', details: {} });
  kept = step;
  heard.get('popstate')?.();
  await router.settled();
  const { view, details, models } = store.state;
  assert.deepEqual([view, details], ['check', { check: '124M' }]);
  assert.deepEqual(models.map((model) => model.entry), [large]); // prettier-ignore
});

test('a write that is slower than Back writes nothing', async () => {
  const store = createStore(counter, entry('llama'));
  /** @type {(text: string) => void} */
  let finish = () => {};
  const wordings = { parse: async () => ({}), write: () => new Promise((resolve) => (finish = resolve)), offer: async () => undefined };
  const router = startRouter(store, /** @type {any} */ (wordings));
  await router.settled();
  written.length = 0;
  store.act({ type: 'view', view: 'check' });
  await pause(0);
  heard.get('popstate')?.();
  finish('');
  await router.settled();
  assert.deepEqual(written, []);
});

test('an address that is followed slowly does not replace a later choice', async () => {
  const store = createStore(counter, entry('llama'));
  /** @type {(details: object) => void} */
  let finish = () => {};
  const wordings = { parse: () => new Promise((resolve) => (finish = resolve)), write: async () => '', offer: async () => undefined };
  kept = null;
  const router = startRouter(store, /** @type {any} */ (wordings));
  heard.get('popstate')?.();
  await pause(0);
  store.act({ type: 'open', entry: entry('gpt2') });
  finish({});
  await router.settled();
  assert.equal(store.state.models[0].entry.text, entry('gpt2').text);
});
