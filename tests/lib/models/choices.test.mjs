import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { choicesOf, found, hubId } from '../../../web/lib/models/choices.ts';

const models = JSON.parse(await readFile(new URL('../../../web/catalog/models.json', import.meta.url), 'utf8'));
const choices = choicesOf(models, ledger.catalog().families, 'types');

/** @param {string} query @returns {string[]} */
const ids = (query) => found(choices, query).map(({ id }) => id);

test('what is written exactly comes first', () => {
  assert.equal(ids('gpt2')[0], 'gpt2');
  assert.equal(ids('gpt-2')[0], 'gpt2');
  assert.equal(ids('GPT2-XL')[0], 'openai-community/gpt2-xl');
  assert.equal(ids('distilgpt2')[0], 'distilbert/distilgpt2');
});

test('dots, dashes, spaces and letter case make no difference', () => {
  for (const query of ['llama3.1', 'Llama-3.1', 'llama 3.1', 'LLAMA31']) {
    assert.deepEqual(ids(query).slice(0, 3), ['meta-llama/Llama-3.1-8B', 'meta-llama/Llama-3.1-70B', 'meta-llama/Llama-3.1-405B'], query);
  }
});

test('aliases and addresses on the Hub find the model', () => {
  assert.equal(ids('Meta-Llama-3.1-8B')[0], 'meta-llama/Llama-3.1-8B');
  assert.equal(ids('https://huggingface.co/meta-llama/Llama-3.1-8B')[0], 'meta-llama/Llama-3.1-8B');
  assert.equal(ids('hf.co/deepseek-ai/DeepSeek-V3/blob/main/config.json')[0], 'deepseek-ai/DeepSeek-V3');
  assert.equal(hubId('https://example.com/a/b'), undefined);
});

test('words in any order, parts of words, and near ones only where nothing else is found', () => {
  assert.equal(ids('8x7 mixtral')[0], 'mistralai/Mixtral-8x7B-v0.1');
  assert.equal(ids('70b llama 3.1')[0], 'meta-llama/Llama-3.1-70B');
  assert.ok(ids('mistrl').some((id) => id.startsWith('mistralai/')));
  assert.ok(ids('deepsek').includes('deepseek-ai/DeepSeek-V3'));
  assert.deepEqual(ids('qqqqqq'), []);
});

test('without a query all are there, in their order', () => {
  assert.equal(ids('').length, models.length + ledger.catalog().families.length);
  assert.equal(ids('')[0], models[0].id);
});
