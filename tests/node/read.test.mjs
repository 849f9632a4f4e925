// Tests the package's function `read`: the inputs that callers may pass, and the answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';
import { dataLines } from '../data.mjs';

const ledger = await whole();
const header =
  '{"h.0.w":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]},"h.1.w":{"dtype":"BF16","shape":[2,3],"data_offsets":[12,24]}}';

/** @param {string} json */
function safetensors(json) {
  const text = new TextEncoder().encode(json);
  const bytes = new Uint8Array(8 + text.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  return bytes;
}

/** @param {Parameters<typeof ledger.read>[0]} input @param {string | object} [config] @returns {any} */
const read = (input, config) => ledger.read(input, { config });

test('text, bytes and files are read alike', () => {
  const config = '{"model_type": "llama"}';
  for (const input of [config, new TextEncoder().encode(config), [{ content: config }]]) {
    assert.deepEqual(read(input), { ok: true, kind: 'config', file: 0, text: config });
  }
  assert.deepEqual(read([{ content: 'Hello.' }, { content: config }]), { ok: true, kind: 'config', file: 1, text: config });
  assert.equal(read('```json\n{"é": 1}\n```').text, '{"é": 1}\n');
  assert.equal(read('').what, 'empty');
  assert.equal(read([]).what, 'empty');
});

test('a header is read and compared with a configuration', () => {
  const bytes = safetensors(header);
  const answer = read([{ name: 'model.safetensors', content: bytes, size: bytes.length + 24 }], { model_type: 'gpt2', n_layer: 2 });
  assert.equal(answer.partial, false, JSON.stringify(answer.problems));
  assert.deepEqual(answer.tensors, [
    { name: 'h.[0-1].w', shape: [2, 3], dtype: 'BF16', part: 'other', copies: '2', elements: '6', total: '12' },
  ]);
  assert.equal(answer.totals.bytes, '24');
  assert.equal(answer.check.ok, true);
  assert.equal(answer.check.agrees, false);
  assert.equal(read(bytes, '{').check.error.code, 'malformed_json');
  assert.equal(read(bytes.subarray(0, 20)).ok, false);
});

test('a file may have any name', () => {
  const answer = read([
    { name: 'a"\n\u{1f600}\\', content: 'a.w: [1]' },
    { name: '__proto__', content: 'b.w: [2]' },
  ]);
  assert.deepEqual(
    answer.files.map((/** @type {any} */ { name }) => name),
    ['a"\n\u{1f600}\\', '__proto__'],
  );
});

test('more than a megabyte can be read: the limit is for configurations only', () => {
  const list = Array.from({ length: 40_000 }, (_, i) => `model.layers.${i}.mlp.up_proj.weight: [8, 4]`).join('\n');
  const answer = read(list);
  assert.equal(answer.totals.parameters, String(40_000 * 32));
  assert.equal(answer.tensors.length, 1);
});

test('what a printed model does not show can be given', () => {
  const { text } = dataLines('printed_models.jsonl.gz').find(({ id }) => id === 'openai/gpt-oss-20b');
  const open = read(text);
  assert.equal(open.totals.parameters, undefined);
  assert.deepEqual(
    open.recognised.open.map((/** @type {{ field: string }} */ { field }) => field),
    ['num_attention_heads', 'num_local_experts', 'intermediate_size', 'tie_word_embeddings'],
  );
  const fields = { num_attention_heads: 64, num_local_experts: 32, intermediate_size: 2880, tie_word_embeddings: false };
  const filled = /** @type {any} */ (ledger.read(text, { fields }));
  assert.equal(filled.totals.parameters, '20914757184'); // the count of the model that transformers builds
  assert.deepEqual(filled.recognised.open, []);
  assert.equal(ledger.read(text, { fields: /** @type {any} */ (5) }).ok, false);
});
