import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { listGenericVariants } from '../../../web/models/generic-variants.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));
/** @param {object} config */
const list = (config) => listGenericVariants(counted(config), ledger, config);
/** @param {string} id */
const variants = (id) =>
  Object.fromEntries(list(models.find((model) => model.id === id)?.config ?? {}).map(({ choice, parameters }) => [choice, parameters]));

test('without a gate Llama 3.1 8B lacks one of three matrices in each layer', () => {
  assert.deepEqual(variants('meta-llama/Llama-3.1-8B'), { no_gate: String(8_030_261_248n - 32n * 14_336n * 4096n) });
});

test('Mixtral with one network instead of the mixture is Mistral 7B; DeepSeek-V3 is dense in its 58 other layers, too', () => {
  assert.equal(variants('mistralai/Mixtral-8x7B-v0.1').dense, '7241732096');
  const config = models.find(({ id }) => id === 'deepseek-ai/DeepSeek-V3')?.config ?? {};
  assert.equal(variants('deepseek-ai/DeepSeek-V3').dense, counted({ ...config, first_k_dense_replace: 61 }).totals.parameters);
});

test('what settings cannot express has no such variants', () => {
  assert.deepEqual(list({ model_type: 't5' }), []);
});

test('a variant keeps the sliding windows of the model', () => {
  const [{ text }] = list({ model_type: 'mistral', sliding_window: 4096 });
  assert.equal(JSON.parse(text).sliding_window, 4096);
});
