// Tests the state of the page, which holds several models. An edit must affect only one of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { createStore } from '../../../web/app/store.ts';
import { lazyCounter } from '../../../web/core/lazy-counter.ts';

const counter = lazyCounter(ledger, () => Promise.resolve(ledger));

const entry = (/** @type {string} */ type) => ({ text: `{"model_type": "${type}"}` });

test('at most four models, one of them current', () => {
  const store = createStore(counter, entry('llama'));
  const types = ['llama', 'gpt2', 'mistral', 'bert', 't5'];
  store.act({ type: 'follow', view: 'compare', entries: types.map(entry), message: '' });
  assert.equal(store.state.models.length, 4);
  assert.equal(store.state.view, 'compare');
  store.act({ type: 'activate', at: 1 });
  store.act({ type: 'set', path: 'n_layer', literal: '3' });
  assert.match(store.state.models[1].entry.text, /"n_layer": 3/);
  assert.equal(store.state.models[0].entry.text, entry('llama').text);
  store.act({ type: 'open', entry: entry('falcon'), at: 3 });
  assert.deepEqual(
    store.state.models.map(({ answer }) => answer.model_type),
    ['llama', 'gpt2', 'mistral', 'falcon'],
  );
  assert.equal(store.state.active, 3);
  store.act({ type: 'travel', direction: 'undo', at: 1 });
  assert.equal(store.state.models[1].entry.text, entry('gpt2').text);
});

test('one view’s setting stays while another’s changes', () => {
  const store = createStore(counter, entry('llama'));
  const models = { where: '', sort: 'name', columns: '' };
  store.act({ type: 'show', details: { check: '7B' } });
  store.act({ type: 'show', details: /** @type {any} */ ({ models }) });
  assert.deepEqual(store.state.details, { check: '7B', models });
});

test('the Read view’s input stays when another model is chosen and left', () => {
  const store = createStore(counter, entry('llama'));
  const reading = ledger.read('a.weight: [2, 3]');
  assert.ok(reading.ok && 'tensors' in reading);
  const read = { title: 'list', files: [], reading };
  store.act({ type: 'read', read });
  store.act({ type: 'follow', view: '', entries: [entry('gpt2')], message: '' });
  assert.equal(store.state.read, read);
});

test('listeners get what changed, and are not called if nothing did', () => {
  const store = createStore(counter, entry('llama'));
  /** @type {string[]} */
  const heard = [];
  const stop = store.subscribe((/** @type {any} */ _state, /** @type {any} */ { type }) => heard.push(type));
  store.act({ type: 'text', text: entry('llama').text });
  store.act({ type: 'say', message: 'hello' });
  store.act({ type: 'set', path: 'hidden_size', literal: '64' });
  assert.equal(store.state.message, '', 'what was said is over with the next step');
  stop();
  store.act({ type: 'say', message: 'again' });
  assert.deepEqual(heard, ['say', 'set']);
});

test('which model is current after one is removed or kept', () => {
  const types = ['llama', 'gpt2', 'mistral', 'bert'];
  const typesOf = (/** @type {ReturnType<typeof createStore>} */ store) =>
    store.state.models.map(({ answer }) => answer.ok && answer.model_type);
  /** @param {number} active @param {number} removed */
  const after = (active, removed) => {
    const store = createStore(counter, entry('llama'));
    store.act({ type: 'follow', view: 'compare', entries: types.map(entry), message: '' });
    store.act({ type: 'activate', at: active });
    store.act({ type: 'remove', at: removed });
    assert.deepEqual(typesOf(store), types.filter((_, i) => i !== removed)); // prettier-ignore
    return typesOf(store)[store.state.active];
  };
  for (const [active, own] of types.entries()) {
    for (const removed of types.keys()) {
      // The current model stays current. If it is removed, the next model becomes current or, if there is none, the last one.
      const next = types[removed + 1] ?? types[removed - 1];
      assert.equal(after(active, removed), removed === active ? next : own, `${active} ${removed}`);
    }
  }
  // Additions and removals of models are undone and redone one by one.
  const steps = createStore(counter, entry('llama'));
  for (const type of ['gpt2', 'mistral']) steps.act({ type: 'add', entry: entry(type) });
  const back = (/** @type {'undo' | 'redo'} */ direction) => (steps.act({ type: 'rearrange', direction }), typesOf(steps).length);
  assert.deepEqual([back('undo'), back('undo'), back('redo'), back('redo'), back('redo')], [2, 1, 2, 3, 3]);
  // Keeping a copy inserts it before the model, and later edits change only the model.
  const store = createStore(counter, entry('gpt2'));
  store.act({ type: 'pin' });
  store.act({ type: 'set', path: 'n_layer', literal: '3' });
  assert.deepEqual([store.state.models.length, store.state.active], [2, 1]);
  assert.equal(store.state.models[0].entry.text, entry('gpt2').text);
  assert.match(store.state.models[1].entry.text, /"n_layer": 3/);
});

test('the last fifty arrangements can be undone', () => {
  const store = createStore(counter, entry('llama'));
  const actions = 61;
  for (let i = 0; i < actions; i++) store.act(i % 2 === 0 ? { type: 'add', entry: entry('gpt2') } : { type: 'remove', at: 1 });
  assert.equal(store.state.past.length, 50);
  assert.equal(store.state.models.length, 2);
  store.act({ type: 'rearrange', direction: 'undo' });
  assert.equal(store.state.models.length, 1);
});
