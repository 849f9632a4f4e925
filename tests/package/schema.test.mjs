// Tests that param-ledger/schema.json describes exactly what each command writes with --json.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import { dataLines, dataText } from '../data.mjs';
import { temporaryFolder } from '../folder.mjs';
import { cli, small } from './cli.mjs';
import { hubServer } from './hub-server.mjs';

const schema = JSON.parse(readFileSync(new URL('../../web/dist/package/schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: true, strictTuples: false, allowUnionTypes: true, allErrors: true });
ajv.addSchema(schema, 'all');
/** @param {string} command */
const validator = (command) => /** @type {import('ajv').ValidateFunction} */ (ajv.getSchema(`all#/definitions/${command}`));

const folder = temporaryFolder();
const place = (/** @type {string} */ name) => join(folder, name);
const repository = Object.fromEntries(
  Object.entries(JSON.parse(dataText('repository.json'))).map(([name, text]) => [name, Buffer.from(String(text), 'base64')]),
);
for (const [name, bytes] of Object.entries(repository)) writeFileSync(place(name), bytes);
writeFileSync(place('printed.txt'), 'Sequential(\n  (0): Linear(in_features=4, out_features=2, bias=True)\n)\n');
const { head, size } = dataLines('gguf.jsonl.gz')[0];
writeFileSync(place('model.gguf'), Buffer.concat([Buffer.from(head, 'base64')], size));
writeFileSync(place('small.json'), JSON.stringify(small));
writeFileSync(place('wrong.json'), '{"model_type": "llama", "hidden_size": "wide"}');
writeFileSync(place('empty.json'), '{');
writeFileSync(
  place('lines.jsonl'),
  `{"id": "a", "config": ${JSON.stringify(small)}}\n${JSON.stringify(small)}\n{\n{"model_type": "lama"}\n`,
);
const shards = Object.keys(repository).filter((name) => name.endsWith('.safetensors'));
const article = fileURLToPath(new URL('../../web/data/articles/llama-2-70b.json', import.meta.url));
const hub = await hubServer({ 'lab/model': { files: repository }, 'lab/nothing': { files: { 'README.md': Buffer.from('#') } } });
after(() => hub.close());

/** The arguments with which each command is run. --json is added, except for jsonl. @type {Record<string, string[][]>} */
const runs = {
  count: [
    ['meta-llama/Llama-3.1-8B'],
    ['deepseek-ai/DeepSeek-V3', 'gpt2', 't5'],
    ['openai/clip-vit-base-patch32'],
    ['mamba', '--set', 'unknown_field=3'],
    ['small.json', '--set', 'tie_word_embeddings=true', '--explain', 'hidden_size'],
    ['wrong.json'],
    ['empty.json'],
  ],
  compare: [
    ['meta-llama/Llama-2-7b-hf', 'meta-llama/Llama-3.1-8B'],
    ['small.json', 'gpt2', 'bert'],
    ['small.json', 'wrong.json'],
  ],
  derive: [['meta-llama/Llama-3.1-8B'], ['deepseek-ai/DeepSeek-V3', '--tp', '8'], ['mamba'], ['wrong.json']],
  memory: [
    ['meta-llama/Llama-3.1-8B', '--context', '128k', '--gb', '80'],
    ['deepseek-ai/DeepSeek-V3', '--context', '4k', '--batch', '2'],
    ['openai/gpt-oss-20b', '--dtype', 'Q4_K_M'],
    ['small.json', '--train', '--lora', '8'],
    ['small.json', '--train', '--devices', '8', '--stage', '2'],
    ['mamba'],
    ['bert'],
    ['wrong.json'],
  ],
  operations: [['meta-llama/Llama-3.1-8B', '--context', '4k'], ['mamba'], ['vit'], ['wrong.json']],
  devices: [
    ['meta-llama/Llama-3.1-8B', '--tp', '8', '--context', '4k', '--gb', '80', '--sent'],
    ['meta-llama/Llama-3.1-8B', '--plan', 'vllm', '--tp', '16', '--against', 'megatron-16x1x1'],
    ['mistralai/Mixtral-8x7B-v0.1', '--plan', 'megatron', '--tp', '2', '--ep', '8', '--train', '--stage', '1', '--dp', '4', '--sent'],
    ['bert', '--tp', '7'],
    ['wrong.json'],
  ],
  check: [
    ['meta-llama/Llama-3.1-8B', '8,030,257,152'],
    ['deepseek-ai/DeepSeek-V3', '671B total, 37B activated'],
    ['small.json', '13.5 GB in fp16'],
    ['small.json', '123456789'],
    ['wrong.json', '8B'],
  ],
  article: [[article], ['small.json']],
  search: [
    ['llama', '7B', '--vary', 'num_hidden_layers=24..40'],
    ['llama', '405B'],
    ['llama', '7B', '--vary', 'no_such_field=1..2'],
  ],
  read: [
    ['printed.txt'],
    [...shards, '--config', 'config.json'],
    [shards[0], '--config', 'small.json'],
    ['model.gguf'],
    ['small.json'],
    ['empty.json'],
  ],
  verify: [['lab/model'], ['lab/model', '--config', 'small.json'], ['lab/nothing'], ['lab/none']],
  explain: [['num_key_value_heads'], ['num_key_value_heads', 'Llama-3.1-8B'], ['vocab_size', 'gpt2'], ['hidden_size', 'wrong.json']],
  models: [
    ['qwen', 'active < 10B', '--sort', '-parameters'],
    ['--limit', '20'],
  ],
  types: [[], ['qwen']],
  jsonl: [['lines.jsonl'], ['lines.jsonl', '--totals']],
  help: [[], ['memory']],
};

/** @param {string} command @param {string[]} words @returns {Promise<string>} */
const written = (command, words) =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, HF_ENDPOINT: hub.address }, maxBuffer: 1 << 28 };
    execFile(process.execPath, [cli, command, ...words, ...(command === 'jsonl' ? [] : ['--json'])], options, (_, out) => resolve(out));
  });

/**
 * Parses consecutive JSON values, each of which is on one line or ends with a line that contains only its last bracket.
 * @param {string} text
 */
const values = (text) => text.split(/(?<=^[\]}]\n|^\{.*\}\n|^\[\]\n)/m).filter(Boolean).map((one) => JSON.parse(one)); // prettier-ignore

for (const [command, asked] of Object.entries(runs)) {
  test(`what ${command} writes is as its schema says`, async () => {
    const check = validator(command);
    for (const words of asked) {
      const found = values(await written(command, words));
      assert.ok(found.length > 0, words.join(' '));
      for (const value of found) assert.ok(check(value), `${words.join(' ')}: ${ajv.errorsText(check.errors?.slice(0, 20))}`);
    }
  });
}

test('each command with --json has a schema', async () => {
  const [commands] = values(await written('help', []));
  const withJson = commands.flatMap((/** @type {any} */ { name, options }) =>
    options.some((/** @type {{ name: string }} */ one) => one.name === 'json') || name === 'jsonl' ? [name || 'count'] : [],
  );
  assert.deepEqual(withJson.sort(), Object.keys(runs).sort());
  for (const command of withJson) assert.ok(schema.definitions[command], command);
});

test('what no command writes is not valid', async () => {
  const [answer] = values(await written('count', ['small.json']));
  assert.ok(validator('count')(answer));
  for (const wrong of [
    {},
    { ...answer, ok: false },
    { ...answer, other: 1 },
    { ...answer, totals: { ...answer.totals, parameters: Number(answer.totals.parameters) } },
    { ...answer, tensors: [{ ...answer.tensors[0], kind: 'other' }] },
    { ok: false, error: { code: 'other', field: '', message: '' } },
  ])
    assert.equal(validator('count')(wrong), false);
});
