import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNumber, stepTo } from '../../../web/support/number-input.ts';

test('a number may be written in several ways', () => {
  for (const typed of ['4096', '4,096', '4 096', '4_096', ' 4096 ', '4k', '4K', '4ki', '04096', "4'096", '4\u202f096'])
    assert.equal(readNumber(typed).literal, '4096', typed);
  assert.equal(readNumber('1.5k').literal, '1536');
  assert.equal(readNumber('2m').literal, '2097152');
  assert.equal(readNumber('1e3').literal, '1000');
});

test('the reader sees how a k was understood', () => {
  assert.equal(readNumber('4096').taken, undefined);
  assert.match(readNumber('4k').taken ?? '', /k being 1,024$/);
  assert.match(readNumber('2m').taken ?? '', /m being 1,024 × 1,024$/);
  assert.equal(readNumber('1e3').taken, '');
});

test('digits stay unchanged, however many', () => {
  assert.equal(readNumber('9007199254740993').literal, '9007199254740993');
  assert.equal(readNumber('18446744073709551616').literal, '18446744073709551616');
});

test('what is not a count goes to the core, which explains why not', () => {
  assert.equal(readNumber('-1').literal, '-1');
  assert.equal(readNumber('−1').literal, '-1');
  assert.equal(readNumber('4.5').literal, '4.5');
  assert.equal(readNumber('abc').literal, '"abc"');
  assert.equal(readNumber('"}').literal, '"\\"}"');
  assert.equal(readNumber('0.3k').literal, '"0.3k"');
  assert.equal(readNumber('null').literal, 'null');
  assert.ok(readNumber('9'.repeat(100_000)).literal.length < 100);
});

test('arrow keys go to the next multiple of a step', () => {
  assert.equal(stepTo('4096', 64n, 1), '4160');
  assert.equal(stepTo('4100', 64n, 1), '4160');
  assert.equal(stepTo('4100', 64n, -1), '4096');
  assert.equal(stepTo('0', 1n, -1), '0');
  assert.equal(stepTo('1', 64n, -1), '0');
  assert.equal(stepTo('9007199254740993', 1n, 1), '9007199254740994');
});
