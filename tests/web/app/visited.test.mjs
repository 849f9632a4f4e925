// Tests that the page remembers the last eight models that were opened, until the user clears the list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { createStore } from '../../../web/app/store.ts';
import { forgetVisited, recordVisited, listVisited } from '../../../web/app/visited.ts';
import { createTypeBase } from '../../../web/models/catalogue.ts';
import { lazyCounter } from '../../../web/core/lazy-counter.ts';

const counter = lazyCounter(ledger, () => Promise.resolve(ledger));
const kept = new Map();
Object.assign(globalThis, {
  localStorage: {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
    removeItem: (/** @type {string} */ key) => kept.delete(key),
  },
});
const entryOf = (/** @type {string} */ type) => {
  const base = createTypeBase(type, counter);
  return { base, text: base.text };
};
const ids = () => listVisited().map(({ id }) => id);

test('the last one first, each once, at most eight', () => {
  const store = createStore(counter, entryOf('llama'));
  recordVisited(store);
  for (const type of ['gpt2', 'bert', 't5', 'bert']) store.act({ type: 'open', entry: entryOf(type) });
  assert.deepEqual(ids(), ['bert', 't5', 'gpt2']);
  for (const type of ['mistral', 'mixtral', 'falcon', 'gemma', 'phi', 'qwen2']) store.act({ type: 'open', entry: entryOf(type) });
  assert.deepEqual(ids(), ['qwen2', 'phi', 'gemma', 'falcon', 'mixtral', 'mistral', 'bert', 't5']);
  store.act({ type: 'open', entry: { text: '{"model_type": "opt"}' } });
  assert.equal(ids().length, 8, 'a configuration of the reader is not kept');
  assert.deepEqual(listVisited()[0], { kind: 'type', id: 'qwen2', name: 'qwen2' });
  forgetVisited();
  assert.deepEqual(ids(), []);
});

test('an invalid list is empty', () => {
  for (const text of ['{', '5', '{}', '[5, null, {"kind": "model"}]']) {
    kept.set('param-ledger-visited', text);
    assert.deepEqual(listVisited(), []);
  }
});
