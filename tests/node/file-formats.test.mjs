// Reads small models in four file formats, written by the original tools (tests/data/file_formats.py). Checks every name, type, shape and
// sum, and compares each file with its configuration. GGUF files hold other models and are tested in tests/core/inputs/gguf/gguf_test.cpp.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';
import { dataLines } from '../data.mjs';

const ledger = await whole();
/** @type {{ config: Record<string, any>, tensors: Record<string, [string, number[]]>, files: Record<string, string> }[]} */
const models = dataLines('file_formats.jsonl.gz');

const KINDS = { 'model.safetensors': 'safetensors', 'pytorch_model.bin': 'pytorch', 'old.bin': 'pytorch', 'weights.npz': 'numpy' };

/** The number of parameters that transformers does not save, because a formula computes the positions. @type {Record<string, string>} */
const UNSAVED = { marian: '512' };

/** Expands a name with ranges of indices. @param {string} name @returns {string[]} */
function single(name) {
  const match = /\[([\d,-]+)\]/.exec(name);
  if (!match) return [name];
  return match[1].split(',').flatMap((run) => {
    const [first, last = first] = run.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => single(name.replace(match[0], String(first + i)))).flat();
  });
}

test('42 models in four formats', () => {
  assert.equal(models.length, 42);
  for (const { config, tensors, files } of models) {
    const elements = Object.values(tensors).reduce((sum, [, shape]) => sum + shape.reduce((product, n) => product * n, 1), 0);
    for (const [name, bytes] of Object.entries(files)) {
      const where = `${config.model_type} ${name}`;
      const reading = ledger.read([{ name, content: Buffer.from(bytes, 'latin1') }], { config: JSON.stringify(config) });
      assert.ok(reading.ok && 'tensors' in reading, `${where}: ${JSON.stringify(reading).slice(0, 300)}`);
      assert.equal(reading.kind, KINDS[/** @type {keyof typeof KINDS} */ (name)], where);
      assert.equal(reading.partial, false, `${where}: ${JSON.stringify(reading.problems)}`);
      /** @type {Record<string, [string, number[]]>} */
      const read = {};
      for (const row of reading.tensors)
        for (const one of single(row.name)) read[one] = [name === 'weights.npz' ? tensors[one]?.[0] : String(row.dtype), [...row.shape]];
      assert.deepEqual(read, tensors, where);
      assert.equal(reading.totals.elements, String(elements), where);
      const { missing, unexpected } = /** @type {{ totals: Record<string, string> }} */ (reading.check).totals;
      assert.deepEqual(
        [missing, unexpected],
        [UNSAVED[config.model_type] ?? '0', '0'],
        `${where}: ${JSON.stringify(reading.check).slice(0, 500)}`,
      );
    }
  }
});
