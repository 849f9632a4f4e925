import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseIndexSet, formatIndexSet, intersect, formatNameAt, countNames } from '../../../web/answer/tensor-names.ts';

test('a name without ranges is itself', () => {
  assert.equal(countNames('lm_head.weight'), 1n);
  assert.equal(formatNameAt('lm_head.weight', 0), 'lm_head.weight');
  assert.equal(formatNameAt('layers.0.norm', 0), 'layers.0.norm');
});

test('the last index varies fastest, also across gaps', () => {
  const name = 'layers.[0,2,5-7].experts.[0-255].up';
  assert.equal(countNames(name), 5n * 256n);
  assert.equal(formatNameAt(name, 0), 'layers.0.experts.0.up');
  assert.equal(formatNameAt(name, 255), 'layers.0.experts.255.up');
  assert.equal(formatNameAt(name, 256), 'layers.2.experts.0.up');
  assert.equal(formatNameAt(name, 5 * 256 - 1), 'layers.7.experts.255.up');
});

test('indices are exact beyond 2^53', () => {
  assert.equal(countNames('layers.[0-99999999999].experts.[0-99999999999].w'), 10n ** 22n);
  assert.equal(formatNameAt('layers.[9007199254740993-9007199254740999].w', 1), 'layers.9007199254740994.w');
});

test('the intersection of two index sets', () => {
  const text = (/** @type {string} */ a, /** @type {string} */ b) => {
    const shared = intersect(parseIndexSet(a), parseIndexSet(b));
    return shared && formatIndexSet(shared);
  };
  assert.equal(text('0-31', '3'), '3');
  assert.equal(text('0,2,5-7', '1-6'), '[2,5-6]');
  assert.equal(text('0-2', '3-60'), undefined);
});
