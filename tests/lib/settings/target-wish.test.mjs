// What the view of a target size asks for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { firstWish, requestOf, searchable, shapesOf, wishOf } from '../../../web/lib/settings/target-wish.ts';

const llama = ledger.count({ model_type: 'llama', num_key_value_heads: 8 });
assert.ok(llama.ok);

test('a reader begins with depth and width, and what keeps their proportions', () => {
  const request = requestOf(firstWish(llama, '7B'), llama);
  assert.deepEqual(request.vary, [
    { field: 'num_hidden_layers', from: 16, to: 64, step: 1 },
    { field: 'hidden_size', from: 2048, to: 8192, step: 128 },
  ]);
  assert.deepEqual(request.tied, [
    { field: 'num_attention_heads', of: 'hidden_size', times: '1/128' },
    { field: 'intermediate_size', of: 'hidden_size', times: '2.688', multiple: 256 },
  ]);
  assert.deepEqual(request.limits, [
    { field: 'hidden_size', over: 'num_attention_heads', least: '64', most: '256' },
    { field: 'intermediate_size', over: 'hidden_size', least: '2', most: '8' },
  ]);
  const answer = ledger.search({ model_type: 'llama', num_key_value_heads: 8 }, request);
  assert.ok(answer.ok && answer.done);
  assert.equal(answer.found.length, 20);
});

test('fields that may vary are numbers that the count depends on', () => {
  const names = searchable(llama).map(({ name }) => name);
  for (const name of ['vocab_size', 'hidden_size', 'num_hidden_layers', 'num_attention_heads', 'num_key_value_heads', 'intermediate_size'])
    assert.ok(names.includes(name), name);
  assert.deepEqual(shapesOf(llama), ['head', 'depth', 'ratio']);
});

test('what follows another field comes after it', () => {
  const wish = firstWish(llama, '7B');
  const parts = {
    num_key_value_heads: { mode: /** @type {const} */ ('tied'), of: 'num_attention_heads', times: '1/4' },
    ...wish.parts,
  };
  const fields = requestOf({ ...wish, parts }, llama).tied?.map(({ field }) => field);
  assert.ok(fields && fields.indexOf('num_key_value_heads') > fields.indexOf('num_attention_heads'));
});

test('an address brings a wish, or nothing', () => {
  const wish = firstWish(llama, '7B');
  assert.deepEqual(wishOf(JSON.stringify(wish)), wish);
  for (const text of ['', '{', '{}', '[]', '{"target": 1, "parts": {}}']) assert.equal(wishOf(text), undefined);
});
