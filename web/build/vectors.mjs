// The conformance vectors: configurations with their exact counts. All numbers come from tests/data: they were computed
// by transformers or taken from publishers' files. None was computed by this program.

import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

/** @param {string} name */
const bytes = (name) => readFile(new URL(`../../tests/data/${name}`, import.meta.url));

/**
 * Parses JSON lines. Lines with Python's Infinity or NaN are skipped, because they are not JSON and other programs could not read them.
 * @param {string} text
 */
const lines = (text) =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });

/** Bytes per element. @type {Record<string, number>} */
const WIDTHS = { bfloat16: 2, float16: 2, float32: 4 };

/** The number of tensors that a name with index lists stands for: four for "[0-2,4].keys". @param {string} name */
const copies = (name) =>
  [...name.matchAll(/\[([\d,-]+)\]/g)].reduce(
    (product, [, runs]) =>
      product *
      runs.split(',').reduce((sum, run) => {
        const [from, to = from] = run.split('-').map(Number);
        return sum + to - from + 1;
      }, 0),
    1,
  );

/** @param {[string, number[], string][]} tensors */
const cacheBytes = (tensors) =>
  tensors.reduce((sum, [name, shape, dtype]) => sum + copies(name) * shape.reduce((a, b) => a * b, 1) * WIDTHS[dtype], 0);

/** @param {string} name */
const architecture = (name) => name.split('/')[1];

/** @returns {Promise<string>} one JSON object per line and configuration */
export async function vectors() {
  const names = ['oracle.jsonl', 'active.json', 'cost.jsonl.gz', 'models.json', 'exceptions.json'];
  const [oracle, active, cost, models, exceptions] = await Promise.all(names.map(bytes));
  const refused = JSON.parse(String(exceptions)); // cases that this program refuses although transformers builds them
  const built = new Map(lines(String(oracle)).map((row) => [row.id, row]));
  const used = new Map(JSON.parse(String(active)).map((/** @type {{ id: string }} */ row) => [row.id, row]));
  const run = new Map(lines(String(gunzipSync(cost))).map((row) => [row.id, row]));
  const computed = [...new Set([...used.keys(), ...run.keys()])].sort().flatMap((id) => {
    const row = built.get(id);
    if (!row || id in refused) return [];
    const { config, parameters, buffers } = row;
    const same = (/** @type {Record<string, any> | undefined} */ other) =>
      other && (!other.config || JSON.stringify(other.config) === JSON.stringify(config)) ? other : undefined;
    const { active: uses } = same(used.get(id)) ?? {};
    // The cache and the operations are left out if they depend on the length of an encoder's input. Operations are also left out if the
    // recorded ones miss some products: see `without` and `sums` in tests/data/cost.py.
    const { cache, flops, source, without, sums } = same(run.get(id)) ?? {};
    return [
      {
        id,
        config,
        class: architecture(id),
        parameters,
        buffers,
        ...(uses !== undefined && { active: uses }),
        ...(cache &&
          source === undefined && { cache_bytes: Object.fromEntries(Object.entries(cache).map(([n, kept]) => [n, cacheBytes(kept)])) }),
        ...(flops && source === undefined && !without && !sums && { operations: flops }),
      },
    ];
  });
  const published = JSON.parse(String(models)).flatMap(
    (/** @type {Record<string, any>} */ { name, config, parameters, total, source_count }) =>
      total === undefined ? [{ id: name, config, class: config.architectures?.[0], parameters, published: source_count }] : [],
  );
  return [...computed, ...published].map((row) => `${JSON.stringify(row, exact)}\n`).join('');
}

/** Throws for integers that JavaScript may have rounded, except for those from 1e20 on. @param {string} key @param {unknown} value */
function exact(key, value) {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && !(Math.abs(value) >= 1e20))
    throw new Error(`${key} = ${value} is not exact`);
  return value;
}
