// Which actions are steps of the browser's history, that Back undoes, and which change the step they are made on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ledger } from '../lib/ledger.mjs';
import { createStore } from '../../web/app/store.ts';
import { growing } from '../../web/lib/core/growing.ts';

/** @type {string[]} */
const written = [];
Object.assign(globalThis, {
  window: globalThis,
  location: { hash: '', pathname: '/', search: '', href: 'http://localhost/' },
  history: {
    state: null,
    pushState: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ address) => written.push(`push ${address}`),
    replaceState: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ address) => written.push(`replace ${address}`),
  },
  addEventListener: () => undefined,
});
const { startRouter } = await import('../../web/app/router.ts');

const counter = growing(ledger, () => Promise.resolve(ledger));
const entry = (/** @type {string} */ type) => ({ text: `{"model_type": "${type}"}` });

test('models and views are steps, edits are not', async () => {
  const store = createStore(counter, entry('llama'));
  const router = startRouter(store, { parse: async () => ({}), write: async () => '' });
  /** @param {any} action */
  const steps = async (action) => {
    written.length = 0;
    store.act(action);
    await pause(300); // edits are written a quarter of a second later
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
