// Writes the generated modules of web/made, which `imports` of package.json names like the sources, so that Node, editors and bundlers
// find them as files.
//   core.cjs, *.wasm                          what Emscripten built
//   *-packed.js                               the programs as text, for a page without files beside it
//   models.json, models.js, first-model.js    the catalogue (models, and all model types), the same as text, and its first model
//   verified.js                               what the tests compare, by model type
//   search-worker.js, *-style.js              a script and style sheets as text

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { build } from 'esbuild';
import { common, here, output } from './bundles.mjs';
import { parseModels } from './floats.mjs';
import { families, verified } from './verified.mjs';

/** From the smallest to the whole one. */
export const PROGRAMS = ['count', 'published', 'core'];

/** @param {string} name */
const built = (name) => readFile(here(`../.build/wasm/${name}`));
/** @param {unknown} value */
const exporting = (value) => `export default ${JSON.stringify(value)};\n`;

/** Writes a file only if it has changed, so that its time stays. @param {string} name @param {string | Uint8Array} contents */
async function put(name, contents) {
  const path = here(`made/${name}`);
  const known = await readFile(path).catch(() => undefined);
  if (!known?.equals(Buffer.from(contents))) await writeFile(path, contents);
}

/** A bundle as text. @param {string} path @param {string} ending */
async function bundled(path, ending) {
  const { outputFiles } = await build({ ...common, entryPoints: [path], format: 'iife' });
  return exporting(output(outputFiles ?? [], ending).text.trim());
}

/** Deflated, in base64. @param {string} name */
const packed = async (name) => exporting(deflateSync(await built(`${name}.wasm`), { level: 9 }).toString('base64'));

/** Writes all modules. */
export async function made() {
  await mkdir(here('made'), { recursive: true });
  const models = parseModels(await readFile(here('data/models.json'), 'utf8'));
  const types = (await families()).map(({ model_type, summary }) => ({ model_type, summary }));
  const catalogue = JSON.stringify({ models, types });
  await put('core.cjs', `// @ts-nocheck\n${await built('core.js')}`); // it is bundled into the worker
  await Promise.all([
    put('models.json', catalogue),
    put('models.js', exporting(catalogue)),
    put('first-model.js', exporting(models[0])),
    verified().then((types) => put('verified.js', exporting(types))),
    ...PROGRAMS.map((name) => built(`${name}.wasm`).then((bytes) => put(`${name}.wasm`, bytes))),
    ...PROGRAMS.map((name) => packed(name).then((text) => put(`${name}-packed.js`, text))),
    bundled('app/search-worker.ts', '.js').then((text) => put('search-worker.js', text)),
    bundled('widget/style.css', '.css').then((text) => put('widget-style.js', text)),
    bundled('styles/views.css', '.css').then((text) => put('views-style.js', text)),
    bundled('styles/compact-page.css', '.css').then((text) => put('compact-style.js', text)),
  ]);
}
