// Tests that the columns of text tables fit the available width.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatColumns, formatTable } from '../../../web/cli/text-table.ts';
import { counted } from '../ledger.mjs';

const name = 'a name that is longer than any room that it could have here';
const number = '123,456,789,012,345,678,901,234';
const rows = [
  ['name', 'shape', 'total'],
  [name, '4,096 × 4,096', number],
  ['short', '1', '1'],
];

/** @param {number} width @param {import('../../../web/cli/text-table.ts').Layout} [layout] */
const lines = (width, layout = {}) =>
  formatColumns(rows, /** @type {any} */ ({ width, dim: (/** @type {string} */ text) => text }), { right: [2], ...layout })
    .trimEnd()
    .split('\n');

test('with enough room nothing is cut, and numbers are right-aligned', () => {
  const [head, first, second] = lines(Infinity);
  assert.equal(first, `${name}  4,096 × 4,096  ${number}`);
  assert.equal(head.length, first.length);
  assert.equal(second, `short${' '.repeat(name.length - 5)}  1${' '.repeat(12)}  ${'1'.padStart(number.length)}`);
});

test('with too little room optional columns go first, then words are cut, never numbers', () => {
  const without = lines(name.length + 2 + number.length, { first: [1] });
  assert.equal(without[1], `${name}  ${number}`);
  const cut = lines(80);
  assert.equal(cut[1], `${name.slice(0, 31)}…  4,096 × 4,096  ${number}`);
  for (const line of cut) assert.ok(line.length <= 80);
  const narrow = lines(20, { first: [1] });
  assert.equal(narrow[1], `${name.slice(0, 23)}…  ${number}`, 'a word keeps 24 signs');
});

test('an answer: names, ties, scalars, indented headings', () => {
  const terminal = { width: Infinity, bold: (/** @type {string} */ text) => `*${text}*`, dim: (/** @type {string} */ text) => `_${text}_` };
  const config = { model_type: 'gpt2' };
  const written = (/** @type {string} */ id) => {
    const text = JSON.stringify(config);
    const entry = { text, base: { id, name: 'GPT-2', text } };
    return [...formatTable(counted(config), /** @type {any} */ (entry), /** @type {any} */ (terminal))].join('');
  };
  const text = written('openai-community/gpt2');
  assert.match(text, /^\*GPT-2\* {2}_openai-community\/gpt2_\n_gpt2, GPT2LMHeadModel_\n\n\*124,439,808\* parameters/);
  assert.match(written('GPT-2'), /^\*GPT-2\*\n_gpt2/);
  assert.match(text, /\n_tensor +shape .* total_\ntransformer\.wte\.weight +50,257 × 768 /);
  assert.match(text, /\nlm_head\.weight +50,257 × 768 += transformer\.wte\.weight .* not counted again\n/);
  assert.match(text, /\n\S+\.masked_bias +scalar +n_layer +12 +\(12\)\n/);
});
