import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { findTerms } from '../../../web/answer/terms.ts';
import { explainTerm } from '../../../web/answer/reasons.ts';
import { evaluate } from '../../../web/answer/formula.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));
const [{ config }] = models;
const answer = counted(config);
const derivation = ledger.derive(config);
assert.ok(derivation.ok);
const brief = (/** @type {any} */ { rows }) =>
  rows.map((/** @type {any} */ { name }) => name.replace(/^model\.(layers\.\[0-31\]\.)?|\.weight$/g, ''));

test('each term of the closed formula has the tensors that it counts', () => {
  assert.deepEqual(findTerms(answer).map(brief), [
    ['embed_tokens', 'lm_head'],
    ['self_attn.q_proj', 'self_attn.o_proj'],
    ['self_attn.k_proj', 'self_attn.v_proj'],
    ['mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'],
    ['input_layernorm', 'post_attention_layernorm'],
    ['norm'],
  ]);
  // GPT-2's head is tied to the embedding table, which is counted once.
  const [table] = findTerms(counted({ model_type: 'gpt2' }));
  assert.deepEqual(brief(table), ['transformer.wte']);
});

test('the terms add up to the model and leave no tensor out, in every published model', () => {
  for (const { id, config: own } of models) {
    const one = counted(own);
    const terms = findTerms(one);
    const sum = terms.reduce((/** @type {bigint} */ all, /** @type {any} */ { math }) => all + evaluate(math, one.symbols), 0n);
    if (terms.every((/** @type {any} */ { math }) => !JSON.stringify(math).includes('−'))) assert.equal(String(sum), one.formula.value, id);
    const known = new Set(terms.flatMap((/** @type {any} */ { rows }) => rows));
    const lost = one.tensors.filter((row) => row.kind === 'parameter' && row.total !== '0' && !known.has(row));
    assert.ok(lost.length === 0, `${id}: ${lost.map(({ name }) => name).join()}`);
  }
});

test('reasons use this model’s numbers, counted by the core', () => {
  const reasons = findTerms(answer).map((/** @type {any} */ term) => explainTerm(term, derivation));
  assert.match(
    reasons[0],
    /one 4,096-dimensional vector for each of 128,256 vocabulary entries.*4,096 dimensions to 128,256 logits.*tied, the model would have 525,336,576 fewer parameters\./,
  );
  const every = counted({ ...config, num_key_value_heads: 32 }).totals.parameters;
  const more = (BigInt(every) - BigInt(answer.totals.parameters)).toLocaleString('en');
  assert.ok(
    reasons[2].includes(`With 32 key-value heads instead of 8, one for each query head, the model would have ${more} more parameters.`),
    reasons[2],
  );
  assert.match(
    reasons[1],
    /^32 query heads share 8 key-value heads, 4 query heads to each\..*, the hidden dimension\. q_proj and o_proj: 4,096 × 4,096\.$/,
    'shapes once',
  );
  assert.match(reasons[3], /4,096 → 14,336.*gate_proj and up_proj: 14,336 × 4,096; down_proj: 4,096 × 14,336\./);
  assert.ok(reasons.every((/** @type {string} */ reason) => reason.length > 20));
});
