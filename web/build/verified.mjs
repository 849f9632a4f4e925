// Counts how many configurations in tests/data the tests compare for each model type. make.mjs writes the result to web/made/verified.js.

import { readFile } from 'node:fs/promises';

const glue = new URL('../../.build/wasm/core.js', import.meta.url);
const wasm = new URL('../../.build/wasm/core.wasm', import.meta.url);

/** @param {string} name */
const text = (name) => readFile(new URL(`../../tests/data/${name}`, import.meta.url), 'utf8');

/** @returns {Promise<Record<string, import('../types/index.ts').Verified>>} the numbers of comparisons by model type */
export async function verified() {
  const refused = JSON.parse(await text('exceptions.json'));
  const cases = new Map();
  for (const name of ['oracle.jsonl', 'edges.jsonl', 'own_code.jsonl']) {
    for (const [, id, of] of (await text(name)).matchAll(/^\{"id": "(([^"/]+\/[^"/]+)\/[^"]*)"/gm)) {
      if (!(id in refused)) cases.set(of, (cases.get(of) ?? 0) + 1);
    }
  }
  const models = new Map();
  for (const name of ['models.json', 'models_rest.json']) {
    for (const { config } of JSON.parse(await text(name))) models.set(config.model_type, (models.get(config.model_type) ?? 0) + 1);
  }

  const entries = (await families()).map(({ model_type, architectures }) => [
    model_type,
    {
      cases: Object.fromEntries(architectures.map((name) => [name, take(cases, `${model_type}/${name}`)])),
      models: take(models, model_type),
    },
  ]);
  const unknown = [...cases.keys(), ...models.keys()];
  if (unknown.length > 0) throw new Error(`tests/data has what the core does not list: ${unknown.join(', ')}`);
  return Object.fromEntries(entries);
}

/** @param {Map<string, number>} counts @param {string} key */
function take(counts, key) {
  const count = counts.get(key) ?? 0;
  counts.delete(key);
  return count;
}

/** The model types that the core supports. @returns {Promise<import('../types/index.ts').Catalog['families']>} */
export async function families() {
  const { default: createCore } = await import(glue.href);
  const program = new WebAssembly.Module(Uint8Array.from(await readFile(wasm)));
  const core = await createCore({
    instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {Function} */ receive) =>
      receive(new WebAssembly.Instance(program, imports), program),
  });
  return JSON.parse(new TextDecoder().decode(core.catalog())).families;
}
