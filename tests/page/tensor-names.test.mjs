import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameAt, spread } from '../../web/tensor-names.js';

test('a name without ranges is itself', () => {
  assert.equal(spread('lm_head.weight'), 1);
  assert.equal(nameAt('lm_head.weight', 0), 'lm_head.weight');
  assert.equal(nameAt('layers.0.norm', 0), 'layers.0.norm');
});

test('the last index runs fastest, through gaps', () => {
  const name = 'layers.[0,2,5-7].experts.[0-255].up';
  assert.equal(spread(name), 5 * 256);
  assert.equal(nameAt(name, 0), 'layers.0.experts.0.up');
  assert.equal(nameAt(name, 255), 'layers.0.experts.255.up');
  assert.equal(nameAt(name, 256), 'layers.2.experts.0.up');
  assert.equal(nameAt(name, 5 * 256 - 1), 'layers.7.experts.255.up');
});
