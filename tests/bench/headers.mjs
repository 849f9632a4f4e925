// Prints the time to read a large safetensors header. The core checks every rule of the format and groups the names. For comparison, also
// prints the time that JSON.parse and a sum over the elements take. The header has about 75 MB and half a million tensors, like those of
// the largest published models.

import { whole } from '../../web/dist/package/param-ledger.js';

const LAYERS = 91;
const EXPERTS = 896;
const rounds = 3;

const ledger = await whole();
const { bytes, tensors, data } = header();
const file = { name: 'model.safetensors', content: bytes, size: bytes.length + data };

/** Writes a header that lists the experts of many layers, sorted by name: two packed matrices per expert, with their scales and shapes. */
function header() {
  /** @type {string[]} */
  const names = [];
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let expert = 0; expert < EXPERTS; expert++) {
      const prefix = `language_model.model.layers.${layer}.block_sparse_moe.experts.${expert}.`;
      names.push(`${prefix}w1.weight_packed`, `${prefix}w1.weight_scale`, `${prefix}w1.weight_shape`);
      names.push(`${prefix}w2.weight_packed`, `${prefix}w2.weight_scale`, `${prefix}w2.weight_shape`);
    }
  }
  names.sort();
  let at = 0;
  const entries = names.map((name) => {
    const [dtype, shape, size] = name.endsWith('packed')
      ? ['I32', [2048, 448], 2048 * 448 * 4]
      : name.endsWith('scale')
        ? ['BF16', [2048, 112], 2048 * 112 * 2]
        : ['I64', [2], 16];
    const begin = at;
    at += /** @type {number} */ (size);
    return `"${name}":{"dtype":"${dtype}","shape":${JSON.stringify(shape)},"data_offsets":[${begin},${at}]}`;
  });
  const text = new TextEncoder().encode(`{"__metadata__":{"format":"pt"},${entries.join(',')}}`);
  const all = new Uint8Array(8 + text.length);
  new DataView(all.buffer).setBigUint64(0, BigInt(text.length), true);
  all.set(text, 8);
  return { bytes: all, tensors: names.length, data: at };
}

function parse() {
  let sum = 0n;
  for (const [name, { shape }] of Object.entries(JSON.parse(new TextDecoder().decode(bytes.subarray(8)))))
    if (name !== '__metadata__' && shape)
      sum += shape.reduce((/** @type {bigint} */ product, /** @type {number} */ dim) => product * BigInt(dim), 1n);
  return String(sum);
}

function read() {
  const answer = ledger.read([file]);
  if (!answer.ok || answer.kind !== 'safetensors' || answer.partial) throw new Error(JSON.stringify(answer).slice(0, 500));
  return answer.totals.elements;
}

/** @type {Record<string, number[]>} */
const took = { read: [], parse: [] };
for (let round = 0; round < rounds; round++) {
  for (const [name, task] of Object.entries({ read, parse })) {
    const start = performance.now();
    task();
    took[name].push(performance.now() - start);
  }
}
if (read() !== parse()) throw new Error('the sums differ');
const [own, other] = [took.read, took.parse].map((times) => times.sort((a, b) => a - b)[(rounds - 1) / 2]);
console.log(
  `header         ${own.toFixed(0)} ms for ${(bytes.length / 1e6).toFixed(0)} MB with ${tensors} tensors; JSON.parse and sum ${other.toFixed(0)} ms, ${(other / own).toFixed(1)} times as long`,
);
