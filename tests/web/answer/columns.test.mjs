import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutToFit } from '../../../web/answer/columns.ts';

test('numbers are cut between factors, never within one', () => {
  const within = (/** @type {number} */ room) => (/** @type {string} */ line) => line.length <= room;
  const text = '128 × (128 + 64) × 1,536 × 61';
  assert.equal(cutToFit(text, within(40)), text);
  assert.equal(cutToFit(text, within(25)), '128 × (128 + 64) × …');
  for (let room = 0; room < text.length; room++) {
    const shown = cutToFit(text, within(room)).replace(/…$/, '');
    assert.ok(text.startsWith(shown) && !/[\d,]$/.test(shown), `${room}: ${shown}`);
  }
});
