// Tests claims, worked articles and searches through WebAssembly. Most verdicts are tested in C++.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';

const ledger = await whole();
const llama = { model_type: 'llama' };

/** @template {{ ok: boolean }} T @param {T} answer @returns {Extract<T, { ok: true }>} */
function fine(answer) {
  assert.ok(answer.ok, JSON.stringify(answer));
  return /** @type {any} */ (answer);
}

test('a claim is explained for a configuration in any form', () => {
  for (const config of [llama, JSON.stringify(llama), new TextEncoder().encode(JSON.stringify(llama))]) {
    const answer = fine(ledger.check(config, '6,738,411,520'));
    assert.equal(answer.verdict, 'exact');
    assert.equal(answer.sentence, '6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096');
    assert.deepEqual(answer.agreeing[0].rows, [{ name: 'model.norm.weight', counted: '0', usual: '4096' }]);
  }
  assert.equal(fine(ledger.check(llama, '7,123,456,789')).verdict, 'unexplained');
});

test('a bigint is read as its digits', () => {
  const config = { model_type: 'llama' };
  // @ts-expect-error a JavaScript number may be rounded already
  const rounded = ledger.check(config, 6738415616);
  assert.equal(rounded.ok ? '' : rounded.error.field, 'claim');
  assert.deepEqual(ledger.check(config, 6738415616n), ledger.check(config, '6738415616'));
});

test('named totals, known history and numbers without a near total are told apart', () => {
  const total = fine(ledger.check({ model_type: 'mixtral' }, '12.9B'));
  assert.deepEqual(
    total.agreeing[0].switches.map(({ id, kind }) => [id, kind]),
    [['active', 'total']],
  );
  const known = fine(ledger.check({ model_type: 'gpt2' }, '117M'));
  assert.equal(known.known?.model, 'GPT-2');
  assert.deepEqual(known.agreeing, []);
  assert.equal(fine(ledger.check(llama, '7.4B')).nearest, undefined);
  assert.equal(fine(ledger.check(llama, '4.08 GB in Q4_K_M')).agreeing[0].stored, 'a file in Q4_K_M');
});

test('text that is not JSON cannot break out into the request around it', () => {
  const answer = ledger.check('{"model_type": "llama"}, "claim": "1"', '7B');
  assert.ok(!answer.ok);
  assert.equal(answer.error.code, 'malformed_json');
  assert.equal(answer.error.column, 24);
  const broken = ledger.article('{\n "title": }');
  assert.ok(!broken.ok);
  assert.equal(broken.error.line, 2);
});

test('the shipped articles are judged', () => {
  const folder = new URL('../../web/data/articles/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  assert.ok(files.length >= 7);
  for (const file of files) {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const answer = fine(ledger.article(text));
    assert.ok(
      answer.steps.every(({ verdict }) => verdict !== 'unreadable'),
      file,
    );
    assert.equal(answer.waterfall.at(-1)?.kind, JSON.parse(text).model ? 'model' : 'own', file); // several models: no total to compare with
  }
});

test('a search in steps gives the same results as one in a single call', () => {
  const request = {
    target: '1.1B',
    vary: [
      { field: 'num_hidden_layers', from: 8, to: 48 },
      { field: 'hidden_size', from: 1024, to: 4096, step: 128 },
      { field: 'intermediate_size', from: 2048, to: 12_288, step: 128 },
    ],
    tied: [
      { field: 'num_attention_heads', of: 'hidden_size', times: '1/64' },
      { field: 'num_key_value_heads', of: 'num_attention_heads', times: 1 },
    ],
    most: 5,
  };
  const whole = fine(ledger.search(llama, request));
  assert.equal(whole.found.length, 5);
  assert.ok(whole.exact && whole.done);
  const [{ total, fields }] = whole.found;
  assert.equal(fine(ledger.totals({ ...llama, ...fields })).totals.parameters, total);
  const workOf = (/** @type {any} */ { evaluations, counted }) => Number(evaluations) + Number(counted);
  // Two searches at once: each must continue where it stopped, although the core holds the state of only one search.
  let answer = fine(ledger.search(llama, { ...request, budget: 100 }));
  let other = fine(ledger.search(llama, { ...request, target: '2.2B', budget: 100 }));
  let steps = 1;
  for (; !answer.done; steps++) {
    if (steps === 2) other = fine(other.next(100));
    const before = workOf(answer);
    answer = fine(answer.next(100));
    assert.ok(workOf(answer) > before);
  }
  assert.ok(steps > 3);
  assert.deepEqual(answer, whole);
  assert.equal(answer.next(), answer, 'the end is the end');
  assert.deepEqual(fine(other.next()), fine(ledger.search(llama, { ...request, target: '2.2B' })));
  assert.deepEqual(structuredClone(whole), { ...whole }, 'an answer is data');
});

test('an explanation costs what its switches cost, plus one for each further switch', () => {
  const config = {
    model_type: 'llama',
    num_hidden_layers: 3,
    hidden_size: 512,
    intermediate_size: 1376,
    num_attention_heads: 8,
    vocab_size: 1000,
  };
  const all = BigInt(/** @type {any} */ (ledger.totals(config)).totals.parameters);
  const [embedding, norms, final] = [1000n * 512n, 7n * 512n, 512n];
  let several = 0;
  for (const claim of [
    all - embedding,
    all - final,
    all - norms,
    all - embedding - final,
    all - 2n * embedding,
    all - 2n * embedding - norms,
    all - embedding - norms,
  ]) {
    const { agreeing, offered } = fine(ledger.check(config, String(claim)));
    const costs = new Map(offered.map(({ id, cost }) => [id, cost]));
    for (const { switches, cost, reading } of agreeing) {
      if (reading !== undefined || switches.some(({ id }) => !costs.has(id))) continue;
      const sum = switches.reduce((total, { id }) => total + (costs.get(id) ?? 0), 0);
      assert.equal(cost, sum + Math.max(0, switches.length - 1), `${claim}: ${switches.map(({ id }) => id)}`);
      if (switches.length > 1) several++;
    }
  }
  assert.ok(several > 0, 'none took two');
});
