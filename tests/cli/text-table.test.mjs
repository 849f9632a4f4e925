// Columns in as much room as there is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columned } from '../../web/cli/text-table.ts';

const name = 'a name that is longer than any room that it could have here';
const number = '123,456,789,012,345,678,901,234';
const rows = [
  ['name', 'shape', 'total'],
  [name, '4,096 × 4,096', number],
  ['short', '1', '1'],
];

/** @param {number} width @param {import('../../web/cli/text-table.ts').Layout} [layout] */
const lines = (width, layout = {}) =>
  columned(rows, /** @type {any} */ ({ width, dim: (/** @type {string} */ text) => text }), { right: [2], ...layout })
    .trimEnd()
    .split('\n');

test('where there is room nothing is cut, and numbers end in one line', () => {
  const [head, first, second] = lines(Infinity);
  assert.equal(first, `${name}  4,096 × 4,096  ${number}`);
  assert.equal(head.length, first.length);
  assert.equal(second, `short${' '.repeat(name.length - 5)}  1${' '.repeat(12)}  ${'1'.padStart(number.length)}`);
});

test('too little room takes columns that may go, then cuts words, never a number', () => {
  const without = lines(name.length + 2 + number.length, { first: [1] });
  assert.equal(without[1], `${name}  ${number}`);
  const cut = lines(80);
  assert.equal(cut[1], `${name.slice(0, 31)}…  4,096 × 4,096  ${number}`);
  for (const line of cut) assert.ok(line.length <= 80);
  const narrow = lines(20, { first: [1] });
  assert.equal(narrow[1], `${name.slice(0, 23)}…  ${number}`, 'a word keeps 24 signs');
});
