import assert from 'node:assert/strict';
import fs, { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { createBase, findModelBase } from '../../../web/models/catalogue.ts';
import { findPublished } from '../../../web/models/find-published.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));

// Must be the first test, because the catalogue is loaded only once per process.
test('a catalogue that could not be loaded is loaded again', async (t) => {
  const { mock } = t.mock.method(fs, 'readFile', () => Promise.reject(new Error('offline')));
  syncBuiltinESMExports();
  await assert.rejects(findModelBase('gpt2-xl'), /offline/);
  mock.restore();
  syncBuiltinESMExports();
  assert.equal((await findModelBase('gpt2-xl'))?.id, 'openai-community/gpt2-xl');
});

test('every published model is counted as published, some including buffers', () => {
  for (const { id, config, parameters } of models) {
    const { totals } = counted(config);
    assert.ok([totals.parameters, totals.stored].includes(parameters), `${id}: ${totals.parameters}, published ${parameters}`);
  }
});

test('what the published files hold beyond the parameters adds up', () => {
  const told = models.filter(({ stored, beyond }) => stored && beyond);
  assert.ok(told.length > 8);
  for (const { id, parameters, stored, beyond } of told) {
    const rest = Object.values(beyond ?? {}).reduce((sum, count) => sum + BigInt(count), 0n);
    assert.equal(BigInt(stored ?? 0) - rest, BigInt(parameters), id);
  }
});

test('the catalogue is large enough, and has the most requested models', () => {
  assert.ok(models.length >= 300);
  const ids = new Set(models.flatMap(({ id, aliases = [] }) => [id, ...aliases]));
  const first = 'gpt2 mistralai/Mistral-7B-v0.1 meta-llama/Llama-2-13b-hf meta-llama/Llama-3.3-70B-Instruct Qwen/Qwen3-8B microsoft/phi-4';
  for (const id of [...first.split(' '), 'google-bert/bert-base-uncased', 'openai/whisper-large-v3', 'google/flan-t5-base'])
    assert.ok(ids.has(id), id);
});

test('the first one is the page’s first model; each occurs once, with a unique name, a source and a date', () => {
  assert.equal(models[0].parameters, '8030261248');
  const names = models.flatMap(({ id, aliases = [] }) => [id, ...aliases].map((name) => name.toLowerCase()));
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(models.map(({ name }) => name)).size, models.length);
  for (const { id, name, source, recorded } of models) {
    assert.ok(id.includes('/') && !name.includes('/') && source, id);
    assert.match(recorded, /^20\d\d-\d\d-\d\d$/, id);
  }
});

test('a name without its owner belongs to one model', () => {
  const plain = (/** @type {string} */ name) => name.slice(name.indexOf('/') + 1).toLowerCase().replace(/[\s_]+/g, '-'); // prettier-ignore
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const { id, name, aliases = [] } of models)
    for (const own of [name, id, ...aliases].map(plain)) {
      assert.equal(owners.get(own) ?? id, id, own);
      owners.set(own, id);
    }
});

test('a model is found by its aliases, in any letter case', async () => {
  assert.equal((await findModelBase('meta-llama/meta-llama-3.1-8b')).id, 'meta-llama/Llama-3.1-8B');
  assert.equal((await findModelBase('GPT2-XL')).id, 'openai-community/gpt2-xl');
  assert.equal(await findModelBase('no/such-model'), undefined);
});

test('a config from elsewhere gets a name only if it is a published model’s', () => {
  const nameOf = (/** @type {object} */ config) => findPublished(JSON.stringify(config), counted(config), models, ledger)?.name;
  const { config } = models[0];
  assert.equal(nameOf({ ...config, rope_theta: 500000, transformers_version: '4.43' }), 'Llama 3.1 8B');
  assert.equal(nameOf({ ...config, num_hidden_layers: 31 }), undefined);
  const float = JSON.stringify(config).replace('"rope_theta":500000,', '"rope_theta":500000.0,');
  assert.ok(float.includes('500000.0'));
  assert.equal(findPublished(float, counted(float), models, ledger)?.name, 'Llama 3.1 8B');
  assert.equal(nameOf({ ...config, hidden_act: 'gelu' }), undefined, 'another field says otherwise');
  const by = (/** @type {string} */ id) => models.find((model) => model.id === id)?.config ?? {};
  assert.equal(nameOf({ ...by('deepseek-ai/DeepSeek-V3'), _name_or_path: 'deepseek-ai/DeepSeek-V3' }), 'DeepSeek-V3');
  assert.equal(nameOf(by('deepseek-ai/DeepSeek-V3')), 'DeepSeek-R1 or DeepSeek-V3');
  assert.equal(nameOf(by('meta-llama/Llama-3.1-70B')), 'Llama 3.1 70B');
});

test('a base is the text of its config', () => assert.deepEqual(JSON.parse(createBase(models[0]).text), models[0].config));

test('integral floats stay floats, as transformers wants them', async () => {
  const textOf = async (/** @type {string} */ id) => (await findModelBase(id))?.text ?? '';
  assert.match(await textOf('openai/gpt-oss-20b'), /"swiglu_limit": 7\.0,/);
  assert.match(await textOf('google/gemma-2-2b'), /"final_logit_softcapping": 30\.0,/);
  assert.match(await textOf('microsoft/cvt-13'), /"mlp_ratio": \[\s+4\.0,\s+4\.0,\s+4\.0\s+\]/);
  assert.match(await textOf('openai/gpt-oss-20b'), /"num_hidden_layers": 24,/);
  // The text of every model must contain the floats of its line in the file.
  const lines = (await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8')).split('\n');
  const floatsOf = (/** @type {string} */ text) =>
    [...text.replace(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)]
      .map(([token]) => token)
      .filter((token) => !/^-?\d+$/.test(token));
  for (const { id } of models) {
    const line = lines.find((one) => one.includes(`{"id": "${id}",`)) ?? '';
    assert.deepEqual(floatsOf(await textOf(id)).map(Number), floatsOf(line).map(Number), id);
  }
});
