import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { listVariants } from '../../../web/answer/variants.ts';
import { createParameterCounter } from '../../../web/answer/parameter-counter.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));
const counting = createParameterCounter({
  totals: (config) => {
    const answer = ledger.count(config);
    return answer.ok ? { ok: true, totals: answer.totals } : answer;
  },
});
/** @param {object} config */
const variants = (config) =>
  Object.fromEntries(listVariants(counted(config), JSON.stringify(config), counting).map((variant) => [variant.choice, variant]));
const configOf = (/** @type {string} */ id) => models.find((model) => model.id === id)?.config ?? {};

test('variants are listed for a configuration with Infinity, which the core accepts', () => {
  const text = '{"model_type": "llama", "rope_theta": Infinity}';
  assert.ok(listVariants(counted(text), text, counting).length > 0);
});

test('Llama 3.1 8B with one other choice, by hand', () => {
  const { every_head, one_head, tied, half_layers, twice_vocabulary } = variants(configOf('meta-llama/Llama-3.1-8B'));
  // Each additional key-value head has 2 · 4,096 · 128 parameters in each of 32 layers.
  assert.equal(every_head.parameters, String(8_030_261_248n + 24n * 32n * 2n * 4096n * 128n));
  assert.equal(one_head.parameters, String(8_030_261_248n - 7n * 32n * 2n * 4096n * 128n));
  assert.equal(tied.parameters, String(8_030_261_248n - 128_256n * 4096n));
  assert.equal(half_layers.parameters, String(8_030_261_248n - 16n * 218_112_000n));
  assert.equal(twice_vocabulary.parameters, String(8_030_261_248n + 2n * 128_256n * 4096n));
  assert.deepEqual(every_head.field, ['num_key_value_heads', '8', '32']);
  assert.equal(JSON.parse(every_head.text).num_key_value_heads, 32);
});

test('a choice that a model has already made, or cannot make, is not offered', () => {
  assert.equal(variants(configOf('meta-llama/Llama-2-7b-hf')).every_head, undefined);
  assert.equal(variants({ model_type: 'resnet' }).half_layers, undefined);
  const bare = variants({ model_type: 'llama', architectures: ['LlamaModel'], tie_word_embeddings: false });
  assert.deepEqual(Object.keys(bare), ['one_head', 'half_layers', 'twice_vocabulary'], 'without a head, a tie changes nothing');
});

test('lists per layer keep the entries of the remaining layers', () => {
  const { half_layers } = variants({ model_type: 'qwen3', num_hidden_layers: 4, layer_types: Array(4).fill('full_attention') });
  assert.deepEqual(JSON.parse(half_layers.text).layer_types, ['full_attention', 'full_attention']);
});
