import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  neutral,
  typedPlainly,
  createNumbers,
  setNumbers,
  difference,
  grouped,
  percent,
  plural,
  ratio,
  shapeText,
  short,
} from '../../../web/support/numbers.ts';

test('digits are grouped by three, of any length', () => {
  assert.equal(grouped('0'), '0');
  assert.equal(grouped('999'), '999');
  assert.equal(grouped('1000'), '1,000');
  assert.equal(grouped('8030261248'), '8,030,261,248');
  assert.equal(grouped('340282366920938463463374607431768211456'), '340,282,366,920,938,463,463,374,607,431,768,211,456');
  assert.equal(grouped(-1234n), '−1,234');
});

test('the short form has three significant digits', () => {
  const cases = {
    0: '0',
    999: '999',
    1000: '1.00 thousand',
    81912576: '81.9 million',
    8030261248: '8.03 billion',
    70553706496: '70.6 billion',
    405853388800: '406 billion',
    671026404352: '671 billion',
    2780000000000: '2.78 trillion',
    999499: '999 thousand',
    999500: '1.00 million',
    9995: '10.0 thousand',
    99950: '100 thousand',
  };
  for (const [count, text] of Object.entries(cases)) assert.equal(short(count), text, count);
});

test('beyond the last unit the short form keeps all digits', () => {
  assert.equal(short('1234567890123456789'), '1.23 quintillion');
  assert.equal(short('1234567890123456789012'), '1,234 quintillion');
  assert.equal(short('999500000000000000'), '1.00 quintillion', 'which is the last unit');
  assert.equal(short('999500000000000000000'), '1,000 quintillion');
});

test('shares are exact to a hundredth of a percent, and zero only for nothing', () => {
  assert.equal(percent('525336576', '8030261248'), '6.54%');
  assert.equal(percent('266240', '8030261248'), '<0.01%');
  assert.equal(percent('2', '3'), '66.67%');
  assert.equal(percent('0', '8030261248'), '0%');
  assert.equal(percent('5', '5'), '100.00%');
  assert.equal(percent('5', '0'), '0%');
  assert.equal(ratio('1', '4'), 0.25);
  assert.equal(ratio('1', '0'), 0);
});

test('a difference has its sign', () => {
  assert.equal(difference('8030261248', '8030261249'), '+1');
  assert.equal(difference('8030261248', '6979588096'), '−1,050,673,152');
  assert.equal(difference('5', '5'), '0');
});

test('shapes and plurals', () => {
  assert.equal(shapeText([128256, '4096']), '128,256 × 4,096');
  assert.equal(shapeText([]), '');
  assert.equal(plural(1, 'tensor'), '1 tensor');
  assert.equal(plural('14848', 'tensor'), '14,848 tensors');
});

test('numbers are grouped in a locale and read back; exported ones are not grouped', () => {
  try {
    for (const [language, count, share, typed] of [
      ['de', '8.030.261.248', '16,71%', '4.096'],
      ['fr', '8\u202f030\u202f261\u202f248', '16,71%', '4\u202f096'],
      ['en-IN', '8,03,02,61,248', '16.71%', '4,096'],
      ['en', '8,030,261,248', '16.71%', '4,096'],
    ]) {
      setNumbers(createNumbers(language));
      assert.equal(grouped('8030261248'), count);
      assert.equal(grouped(4096), typed);
      assert.equal(percent('1671', '10000'), share);
      assert.equal(
        neutral(() => grouped('8030261248')),
        '8,030,261,248',
      );
      assert.equal(grouped('340282366920938463463374607431768211455').replace(/\D/g, ''), '340282366920938463463374607431768211455');
      assert.equal(typedPlainly(typed).replace(',', ''), '4096', language);
    }
    setNumbers(createNumbers('de'));
    assert.equal(typedPlainly('1,5k'), '1.5k');
    assert.equal(typedPlainly('4,096'), '4,096', 'as pasted from an English text');
    assert.equal(typedPlainly('1.048.576'), '1048576');
  } finally {
    setNumbers(createNumbers('en'));
  }
});
