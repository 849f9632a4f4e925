import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance } from '../../../web/support/edit-distance.ts';
import { findMistyped, findNearName } from '../../../web/support/near-names.ts';

test('the letters between two words', () => {
  assert.equal(editDistance('hiden_size', 'hidden_size', 2), 1);
  assert.equal(editDistance('hidden_szie', 'hidden_size', 2), 1);
  assert.equal(editDistance('ab', 'ba', 2), 1);
  assert.equal(editDistance('ab', 'bc', 2), 2, 'only one of two letters has changed its place');
  assert.equal(editDistance('llama', 'llama', 2), 0);
  assert.equal(editDistance('bert', 'gpt2', 2), 3);
  assert.equal(editDistance('a', 'abcdefgh', 2), 3);
});

test('a typo is one letter in five, never a digit', () => {
  const known = ['hidden_size', 'num_hidden_layers', 'qwen2', 'qwen3'];
  assert.equal(findMistyped('hiden_size', known), 'hidden_size');
  assert.equal(findMistyped('num_hiden_layer', known), 'num_hidden_layers');
  assert.equal(findMistyped('hidden_size', known), undefined, 'nothing is mistyped');
  assert.equal(findMistyped('qwen4', known), undefined);
  assert.equal(findMistyped('qwne3', known), 'qwen3');
  assert.equal(findMistyped('size', known), undefined);
});

test('among a few short names, one typo in four letters is close', () => {
  const names = ['count', 'check', 'compare'];
  assert.equal(findNearName('Chek', names), 'check');
  assert.equal(findNearName('comparre', names), 'compare');
  assert.equal(findNearName('cmpr', names), undefined);
  assert.equal(findNearName('co', names), undefined);
});
