import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate, value } from '../../node/formula.mjs';
import { counted } from '../ledger.mjs';
import { filterTensors } from '../../../web/answer/tensor-filter.ts';

const llama = counted({ model_type: 'llama' });
const deepseek = counted({ model_type: 'deepseek_v3' });

/** @typedef {import('../../../web/types/index.ts').CountAnswer} CountAnswer */
/** @typedef {import('../../../web/types/index.ts').TensorRow} TensorRow */

/** @param {CountAnswer} answer @param {string} query @returns {TensorRow[]} */
const rows = (answer, query) => filterTensors(answer.tensors, query, answer.symbols);
/** @param {CountAnswer} answer @param {string} query */
const names = (answer, query) => rows(answer, query).map(({ name }) => name);

test('the placeholder’s examples work: q_proj, layers 3', () => {
  assert.deepEqual(names(llama, 'q_proj, layers 3'), ['model.layers.3.self_attn.q_proj.weight']);
});

test('an index matches inside a range, and only that layer is shown', () => {
  assert.equal(names(llama, 'layers 5').length, 10, 'seven matrices, two norms, and the frequencies that old files hold');
  assert.ok(names(llama, 'layers 5').every((name) => name.includes('.layers.5.')));
  const third = names(deepseek, 'layers 3');
  assert.ok(third.includes('model.layers.3.self_attn.o_proj.weight'), 'its attention');
  assert.ok(third.includes('model.layers.3.mlp.experts.[0-255].up_proj.weight'), 'and its experts');
  assert.ok(!names(deepseek, 'layers 2').some((name) => name.includes('experts')));
  assert.deepEqual(names(llama, 'layers 99'), []);
});

test('ranges, several indices, and a whole name', () => {
  assert.deepEqual(names(deepseek, 'layers 58-70 experts 7 up'), [
    'model.layers.[58-60].mlp.experts.7.up_proj.weight',
    'model.layers.61.mlp.experts.7.up_proj.weight', // the prediction layer, which only the files contain
  ]);
  assert.deepEqual(names(llama, 'model.layers.31.mlp.up_proj.weight'), ['model.layers.31.mlp.up_proj.weight']);
  assert.deepEqual(names(llama, 'model.layers.[0-31].mlp.up_proj.weight'), ['model.layers.[0-31].mlp.up_proj.weight']);
  assert.deepEqual(names(llama, 'lm_head.weight'), ['lm_head.weight']);
  assert.deepEqual(names(llama, 'attn.q'), ['model.layers.[0-31].self_attn.q_proj.weight'], 'cut off at both ends');
  assert.deepEqual(names(llama, 'mlp.up.weight'), [], 'and not within');
});

test('experts with names are found by name and by number', () => {
  const switched = counted({ model_type: 'switch_transformers' });
  const first = ['encoder.block.[1,5,9].layer.1.mlp.experts.expert_3.wi.weight', 'decoder.block.[1,5,9].layer.2.mlp.experts.expert_3.wi.weight']; // prettier-ignore
  assert.deepEqual(names(switched, 'expert_3 wi'), first);
  assert.deepEqual(names(switched, 'experts 3 wi'), first);
  assert.deepEqual(names(switched, 'expert_8'), []);
});

test('every word must match, in any letter case; parts and kinds are words, too', () => {
  assert.deepEqual(names(llama, 'SELF_attn q_'), ['model.layers.[0-31].self_attn.q_proj.weight']);
  assert.equal(
    names(llama, 'attention').length,
    6,
    'four projections, the frequencies that old files hold, and post_attention_layernorm by its name',
  );
  assert.deepEqual(names(llama, 'possible'), ['model.layers.[0-31].self_attn.rotary_emb.inv_freq']);
  assert.deepEqual(names(deepseek, 'buffer'), ['model.layers.[3-60].mlp.gate.e_score_correction_bias']);
  assert.deepEqual(rows(llama, '  '), llama.tensors);
  assert.deepEqual(names(llama, 'no such tensor'), []);
});

test('rows of single layers have their own counts and formulas, which agree', () => {
  for (const answer of [llama, deepseek, counted({ model_type: 'zamba2' }), counted({ model_type: 't5' })]) {
    const byName = new Map(answer.symbols.map((row) => [row.name, BigInt(row.value)]));
    for (const query of ['layers 3', 'block 2', 'experts 5', 'layers 4-6', '6']) {
      for (const row of rows(answer, query)) {
        assert.equal(BigInt(row.total), BigInt(row.elements) * BigInt(row.copies), row.name);
        assert.equal(value(row.math, answer.symbols), BigInt(row.total), row.name);
        assert.equal(evaluate(row.formula, byName), BigInt(row.total), row.formula);
        assert.ok(BigInt(row.active) <= BigInt(row.total), row.name);
      }
    }
  }
  // Each of the two layers uses eight of 256 experts of 7,168 × 2,048.
  const experts = rows(deepseek, 'layers 3-4 mlp.experts up_proj')[0];
  assert.deepEqual([experts.name, experts.active], ['model.layers.[3-4].mlp.experts.[0-255].up_proj.weight', '234881024']);
  const [row] = rows(llama, 'q_proj, layers 3');
  assert.deepEqual([row.formula, row.copies, row.total], ['num_attention_heads × head_dim × hidden_size', '1', '16777216']);
});
