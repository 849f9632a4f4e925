import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance, mistyped } from '../../../web/support/near-names.ts';

test('the letters between two words', () => {
  assert.equal(distance('hiden_size', 'hidden_size', 2), 1);
  assert.equal(distance('hidden_szie', 'hidden_size', 2), 1);
  assert.equal(distance('llama', 'llama', 2), 0);
  assert.equal(distance('bert', 'gpt2', 2), 3);
  assert.equal(distance('a', 'abcdefgh', 2), 3);
});

test('a slip is one letter in five, never a digit', () => {
  const known = ['hidden_size', 'num_hidden_layers', 'qwen2', 'qwen3'];
  assert.equal(mistyped('hiden_size', known), 'hidden_size');
  assert.equal(mistyped('num_hiden_layer', known), 'num_hidden_layers');
  assert.equal(mistyped('hidden_size', known), undefined, 'nothing is mistyped');
  assert.equal(mistyped('qwen4', known), undefined);
  assert.equal(mistyped('qwne3', known), 'qwen3');
  assert.equal(mistyped('size', known), undefined);
});
