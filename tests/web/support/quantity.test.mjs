// Tests parsing numbers as people write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWrittenAs, parseQuantity, parseSize } from '../../../web/support/quantity.ts';

test('sizes: k is 1,024', () => {
  for (const [text, digits] of [
    ['4096', '4096'],
    ['4,096', '4096'],
    ['4_096', '4096'],
    ['4k', '4096'],
    ['128K', '131072'],
    ['1.5k', '1536'],
    ['1m', '1048576'],
    ['0', '0'],
    ['1.3k', undefined],
    ['-4', undefined],
    ['x', undefined],
    ['', undefined],
    ['4.5', undefined],
  ])
    assert.equal(parseSize(String(text)), digits, text);
});

test('quantities: k is 1,000, and the last digit gives the precision', () => {
  for (const [text, value, unit] of /** @type {const} */ ([
    ['8030261248', 8030261248n, 1n],
    ['8,030,261,248', 8030261248n, 1n],
    ['8.03B', 8030000000n, 10_000_000n],
    ['7b', 7_000_000_000n, 1_000_000_000n],
    ['124M', 124_000_000n, 1_000_000n],
    ['1.0T', 10n ** 12n, 10n ** 11n],
  ]))
    assert.deepEqual(parseQuantity(text), { value, unit }, text);
  for (const text of ['', 'B', '1.5', '1.2345k', '8,03', '-8B', '8BB', '1e9', '٣']) assert.equal(parseQuantity(text), undefined, text);
  for (const [exact, text, is] of /** @type {const} */ ([
    [8_030_261_248n, '8.03B', true],
    [8_030_261_248n, '8B', true],
    [8_030_261_248n, '8.0B', true],
    [8_030_261_248n, '8.04B', false],
    [8_030_261_248n, '8.030261249B', false],
    [6_738_415_616n, '7B', true],
    [6_500_000_000n, '7B', true],
    [6_499_999_999n, '7B', false],
    [7_500_000_000n, '7B', false],
  ]))
    assert.equal(isWrittenAs(exact, /** @type {any} */ (parseQuantity(text))), is, text);
});
