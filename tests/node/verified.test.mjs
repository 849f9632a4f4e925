// Checks what the catalogue states about the verification of each model type against the data of the C++ tests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';

const { families } = (await whole()).catalog();

/** @param {string} name */
const text = (name) => readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8');
/** @param {string} name */
const lines = (name) => text(name).trimEnd().split('\n');

test('every type is verified, and the statements add up to the data', () => {
  const sum = (/** @type {number[]} */ counts) => counts.reduce((total, count) => total + count, 0);
  for (const { model_type, architectures, verified } of families) {
    assert.deepEqual(Object.keys(verified.cases), architectures);
    assert.ok(sum(Object.values(verified.cases)) + verified.models > 0 || model_type === 'generic', model_type);
  }
  const cases = ['oracle.jsonl', 'edges.jsonl', 'own_code.jsonl'].flatMap(lines);
  const refused = Object.keys(JSON.parse(text('exceptions.json')));
  assert.equal(sum(families.flatMap(({ verified }) => Object.values(verified.cases))), cases.length - refused.length);
  assert.equal(
    sum(families.map(({ verified }) => verified.models)),
    JSON.parse(text('models.json')).length + JSON.parse(text('models_rest.json')).length,
  );
});

test('a class has the number of its compared configurations', () => {
  const llama = families.find(({ model_type }) => model_type === 'llama');
  const cases = [...lines('oracle.jsonl'), ...lines('edges.jsonl')].filter((line) => line.includes('"id": "llama/LlamaModel/'));
  assert.equal(llama?.verified.cases.LlamaModel, cases.length);
});

test('types that transformers lacks are never called compared with it', () => {
  const own = new Set(families.filter(({ own_code }) => own_code).map(({ model_type }) => model_type));
  const held = (/** @type {string} */ name) => new Set(lines(name).map((line) => /"id": "([^/]*\/[^/]*)/.exec(line)?.[1] ?? ''));
  const typeOf = (/** @type {string} */ held) => held.split('/')[0] ?? '';
  assert.ok(own.has('qwen') && !own.has('llama'));
  const compared = held('oracle.jsonl');
  for (const one of compared) assert.ok(!own.has(typeOf(one)), one);
  // transformers may have a model type but lack one of its classes, such as MPTForCausalLM. Assistants whose layers all reuse keys and values
  // were compared with transformers 5.12, because 5.23 does not build them.
  for (const one of held('own_code.jsonl')) assert.ok(own.has(typeOf(one)) || !compared.has(one) || one.includes('_assistant/'), one);
});
