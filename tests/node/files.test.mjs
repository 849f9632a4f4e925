// Compares the computed bytes of weights with published files: with the totals in their indexes, with file lengths where the header's
// length can be computed, and with GGUF files of one model in several formats, which have headers of equal length.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';
import { bytesOf, fileLength, filesLength } from './safetensors.mjs';

/** @typedef {import('./safetensors.mjs').Stored} Stored */
/**
 * A published model. `total_size`: the total in its index. `files`: the lengths of its files. `about`: the approximate length of all files
 * together. `gguf`: the lengths of its GGUF files by format. `holds`: names of additional tensors that our answer lists as possible.
 * `more`: additional tensors that it does not list. `biases`: AutoGPTQ wrote a bias of zeros for each matrix. `scales`: the bytes of an fp8
 * scale, if they are not 4.
 * @typedef {{ model: string, source: string, config: Record<string, any>, total_size?: number, files?: number[], about?: number,
 *   gguf?: Record<string, number>, holds?: string[], more?: Stored[], metadata?: object, biases?: boolean, scales?: number }} Published
 */

const ledger = await whole();
/** @type {Published[]} */
const published = readFileSync(new URL('../data/files.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** @param {Published} file @param {string} [format] */
function weightsOf({ config, model }, format = 'published') {
  const answer = ledger.memory(config, { weights: format });
  assert.ok(answer.ok && answer.weights.known, `${model}: ${JSON.stringify(answer).slice(0, 300)}`);
  return answer.weights;
}

/** @param {Published} file */
const bytesInFiles = (file) => {
  const { files, loaded } = weightsOf(file);
  return Number((files ?? loaded).bytes);
};

/** The rows of our answer for tensors that only some published files contain, including this model's. @param {Published} file */
function possible({ config, model, holds = [] }) {
  const answer = ledger.count(config);
  assert.ok(answer.ok, model);
  return holds.map((name) => {
    const row = answer.tensors.find((tensor) => tensor.name === name && tensor.kind === 'possible');
    assert.ok(row, `${model}: ${name}`);
    return row;
  });
}

const WIDTHS = /** @type {const} */ ({ bfloat16: 'BF16', float16: 'F16', float32: 'F32' });

/** @param {string} name @returns {string[]} */
function single(name) {
  const [, before, runs, after] = name.match(/^(.*?)\[([\d,-]+)\](.*)$/) ?? [];
  if (runs === undefined) return [name];
  return runs.split(',').flatMap((run) => {
    const [first, last = first] = run.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => single(`${before}${first + i}${after}`)).flat();
  });
}

/**
 * Splits stacked experts into the tensors that files store: one per expert, with separate gate and up projections.
 * @param {string} name @param {number[]} shape @returns {[string, number[]][]}
 */
function experts(name, shape) {
  const [, before, matrix, after] = name.match(/^(.*\.experts)\.(gate_up_proj|down_proj)(_scale_inv)?$/) ?? [];
  if (before === undefined) return [[name, shape]];
  const [count, rows, width] = shape;
  return Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    (matrix === 'down_proj' ? ['down_proj'] : ['gate_proj', 'up_proj']).map((half) => [
      `${before}.${i}.${half}.weight${after ?? ''}`,
      [matrix === 'down_proj' ? rows : rows / 2, width],
    ]),
  );
}

/**
 * The tensors that a quantization method stores for a matrix.
 * @param {Published} file @param {string} name @param {number[]} shape @returns {Stored[]}
 */
function packed({ config, biases }, name, [out, inner]) {
  const base = name.replace(/\.weight$/, '');
  const { quant_method: method, bits, group_size, config_groups } = config.quantization_config;
  const groups = group_size > 0 ? Math.ceil(inner / group_size) : 1;
  const part = (/** @type {string} */ suffix, /** @type {string} */ dtype, /** @type {number[]} */ ...shape) => ({
    name: base + suffix,
    dtype,
    shape,
  });
  switch (method) {
    case 'gptq':
      return [
        part('.qweight', 'I32', (inner / 32) * bits, out),
        part('.qzeros', 'I32', groups, (out / 32) * bits),
        part('.scales', 'F16', groups, out),
        part('.g_idx', 'I32', inner),
        ...(biases ? [part('.bias', 'F16', out)] : []),
      ];
    case 'awq':
      return [part('.qweight', 'I32', inner, out / 8), part('.qzeros', 'I32', groups, out / 8), part('.scales', 'F16', groups, out)];
    case 'bitsandbytes':
      if (config.quantization_config.load_in_8bit)
        return [part('.weight', 'I8', out, inner), part('.SCB', 'F32', out), part('.weight_format', 'U8')];
      return [
        part('.weight', 'U8', (out * inner) / 2, 1),
        part('.weight.absmax', 'U8', (out * inner) / 64),
        part('.weight.nested_absmax', 'F32', (out * inner) / 64 / 256),
        part('.weight.nested_quant_map', 'F32', 256),
        part('.weight.quant_map', 'F32', 16),
      ];
    case 'fp8':
      return [part('.weight', 'F8_E4M3', out, inner)];
    case 'compressed-tensors':
      return [
        part('.weight_packed', 'I32', out, inner / 8),
        part('.weight_scale', 'BF16', out, inner / config_groups.group_0.weights.group_size),
        part('.weight_shape', 'I64', 2),
      ];
  }
  throw new Error(method);
}

/** All tensors in the model's files. @param {Published} file @returns {Stored[]} */
function stored(file) {
  const counted = ledger.count(file.config);
  assert.ok(counted.ok, file.model);
  const shapes = new Map(counted.tensors.map(({ name, shape }) => [name, shape.map(Number)]));
  const held = weightsOf(file).rows.map(({ name, format }) => ({ name, format }));
  // A row whose layers are only partly quantized is listed once for each format.
  const mixed = held.filter(({ name }, i) => held.findIndex((other) => other.name === name) !== i).map(({ name }) => name);
  const skipped = (file.config.quantization_config?.llm_int8_skip_modules ?? []).map((/** @type {string} */ name) => `${name}.`);
  return [
    ...held.flatMap(({ name, format }) =>
      single(name)
        .filter((one) => !mixed.includes(name) || skipped.some((/** @type {string} */ start) => one.startsWith(start)) === format in WIDTHS)
        .flatMap((one) => experts(one, /** @type {number[]} */ (shapes.get(name))))
        .flatMap(([one, shape]) => {
          const dtype = WIDTHS[/** @type {keyof typeof WIDTHS} */ (format)];
          if (dtype) return [{ name: one, dtype: file.scales && one.endsWith('_scale_inv') ? 'BF16' : dtype, shape }];
          return packed(file, one, shape);
        }),
    ),
    ...possible(file).flatMap(({ name, shape }) =>
      single(name).map((one) => ({
        name: one,
        dtype: WIDTHS[/** @type {keyof typeof WIDTHS} */ (file.config.torch_dtype)],
        shape: shape.map(Number),
      })),
    ),
    ...(file.more ?? []),
  ];
}

test('totals in indexes of published files', () => {
  let models = 0;
  for (const file of published) {
    if (file.total_size === undefined) continue;
    const { torch_dtype: dtype = 'bfloat16' } = file.config;
    const beside = possible(file).reduce((sum, { total }) => sum + Number(total) * (dtype === 'float32' ? 4 : 2), 0);
    assert.equal(bytesInFiles(file) + beside, file.total_size, `${file.model} (${file.source})`);
    ++models;
  }
  assert.equal(models, 28);
});

test('a single file, exact to the byte, with its header', () => {
  let models = 0;
  for (const file of published) {
    if (file.files?.length !== 1 || file.config.quantization_config?.load_in_4bit) continue;
    assert.equal(fileLength(stored(file), file.metadata), file.files[0], `${file.model} (${file.source})`);
    ++models;
  }
  assert.equal(models, 7);
});

test('several files, with bounds for their headers', () => {
  let models = 0;
  for (const file of published) {
    const sizes = file.files ?? (file.about ? [file.about] : []);
    if (sizes.length === 0 || (sizes.length === 1 && !file.about && !file.config.quantization_config?.load_in_4bit)) continue;
    const size = sizes.reduce((sum, one) => sum + one, 0);
    const tensors = stored(file);
    // The tensors in the headers must have as many bytes as our answer says, except for known differences.
    const listed = tensors.reduce((sum, tensor) => sum + bytesOf(tensor), 0);
    if (!file.holds && !file.scales) assert.equal(listed, bytesInFiles(file), file.model);
    const [least, most] = filesLength(tensors, file.files?.length ?? 1);
    // The bytes that may be added: 200 for each of an unknown number of files if only the approximate total length is known, and 400 of
    // text for each tensor in NF4.
    const unknown = file.about ? 200 * Math.ceil(size / 1e9) : file.config.quantization_config?.load_in_4bit ? 400 * tensors.length : 0;
    assert.ok(least <= size && size <= most + unknown, `${file.model} (${file.source}): ${least} ${size} ${most + unknown}`);
    ++models;
  }
  assert.equal(models, 25);
});

test('GGUF files of one model have equal headers: the remainder after our bytes is the same', () => {
  let files = 0;
  for (const file of published) {
    if (!file.gguf) continue;
    const { num_hidden_layers: layers, hidden_size: width, intermediate_size, moe_intermediate_size, num_experts = 1 } = file.config;
    const headers = Object.entries(file.gguf).map(([format, size]) => {
      ++files;
      const header = size - Number(weightsOf(file, format).loaded.bytes);
      if (format !== 'Q4_0' || file.model === 'Llama 2 7B') return header;
      // With an importance matrix, Q4_0 files use Q4_1 for down projections in the first eighth of the layers, which takes two more bytes
      // per 32 weights.
      return header - (Math.floor(layers / 8) * width * (moe_intermediate_size ?? intermediate_size) * num_experts * 2) / 32;
    });
    const [least, most] = [Math.min(...headers), Math.max(...headers)];
    // One of the files has some additional text about its calibration.
    assert.ok(least > 700_000 && most - least <= (file.model === 'Llama 3.3 70B Instruct' ? 640 : 0), `${file.model}: ${headers}`);
  }
  assert.equal(files, 44);
});
