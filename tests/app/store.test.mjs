// The page's state holds several models; each action is about one of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../lib/ledger.mjs';
import { createStore } from '../../web/app/store.ts';
import { growing } from '../../web/lib/core/growing.ts';

const counter = growing(ledger, () => Promise.resolve(ledger));

const entry = (/** @type {string} */ type) => ({ text: `{"model_type": "${type}"}` });

test('four models at most, of which one is worked on', () => {
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

test('listeners hear what changed, and nothing where nothing did', () => {
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
