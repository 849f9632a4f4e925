import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFormula, formatShape, parsePrefix, listSymbols, evaluate, removeFactor } from '../../../web/answer/formula.ts';

const symbols = [
  ['vocab_size', 'V', '32000'],
  ['hidden_size', 'd', '4096'],
  ['num_key_value_heads', 'n_kv', '8'],
].map(([name, symbol, value]) => ({ name, symbol, value, meaning: '', field: true }));

/** @param {any} formula @param {string} writing @param {boolean} [compact] */
const text = (formula, writing, compact) => formatFormula(formula, symbols, { writing, compact });

test('the prefix notation is read as the tree that it stands for', () => {
  assert.deepEqual(parsePrefix('12'), 12);
  assert.deepEqual(parsePrefix('=128'), '128');
  assert.deepEqual(parsePrefix('*3 2 0 =32'), ['×', 2, 0, '32']);
  assert.deepEqual(parsePrefix('+2 *3 =2 0 1 c 1 =16'), ['+', ['×', '2', 0, 1], ['⌈÷⌉', 1, '16']]);
  assert.deepEqual(parsePrefix('- / 0 1 ^ f 0 1 =2'), ['−', ['÷', 0, 1], ['^', ['⌊÷⌋', 0, 1], '2']]);
  assert.deepEqual(parsePrefix('=340282366920938463463374607431768211455'), '340282366920938463463374607431768211455');
});

test('a dimension that is a sum or a difference is in parentheses', () => {
  assert.equal(formatShape([['+', 0, 2], ['×', '2', 1]], symbols), '(V + n_kv) × 2·d'); // prettier-ignore
  assert.equal(formatShape([['−', 1, 2]], symbols), '(d − n_kv)');
});

test('names, numbers and symbols, with parentheses only where needed', () => {
  const tree = ['+', ['×', '2', 0, 1], ['×', ['−', 1, ['+', 2, '1']], ['^', 1, '12']]];
  assert.equal(text(tree, 'names'), '2 × vocab_size × hidden_size + (hidden_size − (num_key_value_heads + 1)) × hidden_size¹²');
  assert.equal(text(tree, 'numbers'), '2 × 32,000 × 4,096 + (4,096 − (8 + 1)) × 4,096¹²');
  assert.equal(text(tree, 'symbols', true), '2·V·d + (d − (n_kv + 1))·d¹²');
  assert.equal(text(['÷', ['×', 0, 1], ['×', 1, 2]], 'symbols', true), 'V·d÷(d·n_kv)');
  assert.equal(text(['×', ['÷', 0, 1], 2], 'symbols', true), 'V÷d·n_kv');
  assert.equal(text(['÷', 0, ['^', 1, '2']], 'symbols', true), 'V÷d²');
  assert.equal(text(['×', ['⌈÷⌉', ['+', 0, 1], '16'], 2], 'names'), '⌈(vocab_size + hidden_size) ÷ 16⌉ × num_key_value_heads');
  assert.equal(text(['^', ['×', 0, 1], '2'], 'symbols', true), '(V·d)²');
  assert.equal(text('7', 'names'), '7');
});

test('the names in a formula, and its value', () => {
  const tree = ['−', ['×', 0, 1], ['⌈÷⌉', 1, '5']];
  assert.deepEqual(listSymbols(tree), [0, 1, 1]);
  assert.equal(evaluate(tree, symbols), 32000n * 4096n - 820n);
  assert.equal(evaluate(['^', 1, '2'], symbols), 4096n ** 2n);
  assert.equal(evaluate(['⌊÷⌋', 1, '5'], symbols), 819n);
});

test('the last factor with a given value can be left out', () => {
  assert.deepEqual(removeFactor(['×', 2, 1, '8'], 8n, symbols), ['×', 2, 1]);
  assert.deepEqual(removeFactor(['×', 1, ['−', '61', '3']], 58n, symbols), 1);
  assert.equal(removeFactor(['×', 1, 2], 7n, symbols), undefined);
  assert.equal(removeFactor(['+', 1, 2], 8n, symbols), undefined);
});
