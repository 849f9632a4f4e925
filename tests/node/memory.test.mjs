// Tests the package's function `memory`, which returns the core's answer with formulas as text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';

const ledger = await whole();
const llama = {
  model_type: 'llama',
  num_hidden_layers: 2,
  hidden_size: 512,
  intermediate_size: 1024,
  num_attention_heads: 8,
  vocab_size: 1000,
};

/** @param {object | string} config @param {import('../../web/types/index.ts').MemoryOptions} [options] */
function memory(config, options) {
  const answer = ledger.memory(config, options);
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer;
}

test('caches of engines stand beside that of transformers, or say why they are not known', () => {
  const { cache } = memory(llama, { tokens: 256, batch: 3, cache: 'float8' });
  assert.ok(cache.known);
  const [llamaCpp, sglang] = cache.engines ?? [];
  assert.ok(llamaCpp.known);
  // llama.cpp's cache in two layers: keys and values of 8 heads of 64 dimensions, 34 bytes per 32 values, 3 × 256 cells.
  assert.equal(llamaCpp.total.bytes, String(((2 * 2 * 8 * 64 * 34) / 32) * 768));
  assert.equal(sglang.known ? '' : sglang.reason, 'Only its 16-bit caches have been compared.');
});

test('the cache has its rows, its formula and the bytes of one token', () => {
  const { cache } = memory(llama, { tokens: 100, batch: 3 });
  assert.ok(cache.known);
  // Keys and values in two layers: 8 heads of 64 dimensions, 2 bytes, 3 sequences.
  const each = 2 * 2 * 8 * 64 * 2 * 3;
  assert.equal(cache.total.bytes, String(each * 100));
  assert.equal(cache.per_token, String(each));
  assert.equal(cache.constant, '0');
  assert.deepEqual(cache.rows[0].shape, [3, 8, 100, 64]);
  assert.match(cache.rows[0].formula, /tokens/);
  assert.match(cache.formula, /n/);
  assert.equal(
    cache.rows.reduce((sum, { bytes }) => sum + BigInt(bytes), 0n),
    BigInt(cache.total.bytes),
  );
});

test('a text, bytes and an object give the same answer, and options may be missing', () => {
  const text = JSON.stringify(llama);
  const answers = [llama, text, new TextEncoder().encode(text)].map((config) => memory(config));
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
  assert.equal(answers[0].tokens, '4096');
});

test('GB and GiB agree with the bytes', () => {
  const { weights } = memory({ model_type: 'llama' }, { weights: 'bfloat16' });
  assert.ok(weights.known);
  assert.equal(weights.loaded.bytes, '13476831232');
  assert.equal(weights.loaded.gb, '13.5');
  assert.equal(weights.loaded.gib, '12.6');
});

test('invalid options are refused by name', () => {
  for (const [config, options, field] of /** @type {const} */ ([
    [llama, { tokens: 0 }, 'tokens'],
    [llama, { weights: 'Q9' }, 'weights'],
    [llama, { training: { optimizer: 'lion' } }, 'optimizer'],
    [{ ...llama, hidden_size: -1 }, {}, 'hidden_size'],
    [7, {}, ''],
    ['{', {}, ''],
  ])) {
    const answer = ledger.memory(/** @type {any} */ (config), /** @type {any} */ (options));
    assert.ok(!answer.ok);
    assert.equal(answer.error.field, field);
  }
});

test('DeepSeek-V3 in eight bits with 32 k of context fits on eight H200, not on eight H100', () => {
  const config = {
    model_type: 'deepseek_v3',
    torch_dtype: 'bfloat16',
    quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] },
  };
  const on = (/** @type {string} */ gb) => memory(config, { tokens: 32768, room: `${gb}000000000`, devices: 8 });
  assert.equal(on('141').room?.fits, true);
  assert.equal(on('80').room?.fits, false);
  assert.equal(on('80').room?.longest, '0');
});

test('a block of each GGUF format has the bytes of its fields', () => {
  // For each format, the number of weights in a block and the bytes of the block: 16-bit scales and minima, packed scales, packed weights
  // and their high bits.
  /** @type {Record<string, [number, number]>} */
  const blocks = {
    Q4_0: [32, 2 + 16],
    Q4_1: [32, 2 + 2 + 16],
    Q5_0: [32, 2 + 4 + 16],
    Q5_1: [32, 2 + 2 + 4 + 16],
    Q8_0: [32, 2 + 32],
    Q2_K: [256, 2 + 2 + 16 + 64],
    Q3_K: [256, 2 + 12 + 64 + 32],
    Q4_K: [256, 2 + 2 + 12 + 128],
    Q5_K: [256, 2 + 2 + 12 + 128 + 32],
    Q6_K: [256, 2 + 16 + 128 + 64],
    IQ4_NL: [32, 2 + 16],
    IQ4_XS: [256, 2 + 2 + 4 + 128],
    MXFP4: [32, 1 + 16],
  };
  for (const [format, [numbers, bytes]] of Object.entries(blocks)) {
    const { weights } = memory({ ...llama, vocab_size: 1024 }, { weights: format });
    assert.ok(weights.known);
    const rows = weights.rows.filter((row) => row.format === format);
    assert.ok(rows.length >= 8, format);
    for (const row of rows)
      assert.equal(BigInt(row.bytes) * BigInt(numbers), BigInt(row.elements) * BigInt(bytes), `${format}: ${row.name}`);
  }
});

test('a context that fits to the last byte fits, and with one byte less one token less fits', () => {
  for (const tokens of [1, 777, 131_072]) {
    const need = memory(llama, { tokens }).need?.bytes ?? '';
    assert.equal(memory(llama, { room: need }).room?.longest, String(tokens));
    assert.equal(memory(llama, { room: need, tokens }).room?.fits, true);
    const less = String(BigInt(need) - 1n);
    assert.equal(memory(llama, { room: less }).room?.longest, String(tokens - 1));
    assert.equal(memory(llama, { room: less, tokens }).room?.fits, false);
  }
});
