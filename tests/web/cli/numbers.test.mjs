// Tests how numeric options are parsed: bytes with units, and numbers within bounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBytes, parseNumber } from '../../../web/cli/numbers.ts';

test('bytes without a unit are GB, and each unit is exact', () => {
  for (const [text, bytes] of [
    ['80', '80000000000'],
    ['79.6', '79600000000'],
    ['24GB', '24000000000'],
    ['24GiB', '25769803776'],
    ['24 gib', '25769803776'],
    ['512MB', '512000000'],
    ['512MiB', '536870912'],
    ['1.5TB', '1500000000000'],
    ['1TiB', '1099511627776'],
    ['0', undefined],
    ['1.0000000001', undefined],
    ['24KiB', undefined],
    ['-1', undefined],
    ['many', undefined],
  ])
    assert.equal(parseBytes(String(text)), bytes, text);
});

test('a number has limits, both inclusive', () => {
  const parse = (/** @type {string} */ text) =>
    parseNumber({ operands: [], has: () => true, value: () => text, values: () => [text] }, 'jobs', 1, 256);
  assert.deepEqual(['1', '256', '0.25k'].map(parse), [1, 256, 256]);
  for (const text of ['0', '257', '-1', 'x', '1.5']) assert.throws(() => parse(text), /--jobs needs a number from 1 to 256, not/, text);
});
