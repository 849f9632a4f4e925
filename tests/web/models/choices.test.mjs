import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { parseHubId } from '../../../web/hub/id.ts';
import { listChoices, searchChoices, isKnown } from '../../../web/models/choices.ts';

const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));
const choices = listChoices(models, ledger.catalog().families, 'types');

/** @param {string} query @returns {string[]} */
const ids = (query) => searchChoices(choices, query).map(({ id }) => id);

test('exact matches come first', () => {
  assert.equal(ids('gpt2')[0], 'openai-community/gpt2');
  const found = searchChoices(choices, 'gpt2');
  const own = found.findIndex(({ id }) => id === 'gpt2');
  assert.ok(
    found.slice(0, own).every(({ kind }) => kind === 'model'),
    'the model type after published models',
  );
  assert.ok(found.slice(own + 1).every(({ kind }) => kind === 'type'));
  const deepseek = searchChoices(choices, 'deepseek v3').filter(({ kind }) => kind === 'type');
  assert.deepEqual(deepseek.filter(({ isAlike }) => !isAlike).map(({ id }) => id), ['deepseek_v3', 'deepseek_v32']); // prettier-ignore
  assert.ok(
    deepseek.slice(2).every(({ isAlike }) => isAlike),
    'those of the same architecture are the last',
  );
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
  assert.equal(parseHubId('https://example.com/a/b'), undefined);
});

test('words in any order, parts of words, and similar ones only if nothing else is found', () => {
  assert.equal(ids('8x7 mixtral')[0], 'mistralai/Mixtral-8x7B-v0.1');
  assert.equal(ids('70b llama 3.1')[0], 'meta-llama/Llama-3.1-70B');
  assert.ok(ids('mistrl').some((id) => id.startsWith('mistralai/')));
  assert.ok(ids('deepsek').includes('deepseek-ai/DeepSeek-V3'));
  assert.deepEqual(ids('qqqqqq'), []);
});

test('an owner and a name are that model only', () => {
  const wanted = [
    ['mistralai/Mistral-7B-v0.1', 'mistralai/Mistral-7B-v0.1'],
    ['https://huggingface.co/Qwen/Qwen3-8B', 'Qwen/Qwen3-8B'],
    ['openai-community/gpt2', 'openai-community/gpt2'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'meta-llama/Llama-3.3-70B-Instruct'],
    ['QWEN/qwen3-8b', 'Qwen/Qwen3-8B'],
  ];
  for (const [query, id] of wanted) {
    assert.equal(ids(query)[0], id, query);
    assert.ok(isKnown(choices, id), query);
  }
  for (const unknown of ['meta-llama/Llama-3-18B', 'some-lab/gpt2', 'mistralai/Mistral-7B-v0.9'])
    assert.ok(!isKnown(choices, unknown), unknown);
});

test('another number is not a match', () => {
  assert.deepEqual(ids('llama-2-17b'), []);
  assert.deepEqual(ids('meta-llama/Llama-2-14b-hf'), []);
  assert.equal(ids('llama-2-13b')[0], 'meta-llama/Llama-2-13b-hf');
  assert.ok(
    ids('llama 3 8b').every((id) => !id.includes('3.1') && !id.includes('3.2')),
    'a number before others is whole',
  );
  assert.ok(ids('llama 3').includes('meta-llama/Llama-3.1-8B'), 'the last one may go on');
  assert.ok(ids('qwen3 8b').every((id) => !id.includes('0.6B')));
  assert.equal(ids('qwen257b')[0], 'Qwen/Qwen2.5-7B', 'digits that were joined are told by their letters');
});

test('without a query all are listed in order', () => {
  assert.equal(ids('').length, models.length + ledger.catalog().families.length);
  assert.equal(ids('')[0], models[0].id);
});
