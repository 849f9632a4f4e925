// Writes the generated modules to web/made. `imports` in package.json maps names to these files, so that Node, editors and bundlers find
// them.
//   core.cjs, *.wasm                          the programs that Emscripten built, and the script that starts them
//   *-packed.js                               the programs as text, for the offline file and the npm package
//   models.json, models.js, first-model.js    the catalogue (models, and all model types) as JSON, as text, and its first model
//   verified.js                               how many comparisons the tests make for each model type
//   search-worker.js, *-style.js              a script and style sheets as text

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { build } from 'esbuild';
import { common, here, output } from './bundles.mjs';
import { parseModels } from './floats.mjs';
import { families, verified } from './verified.mjs';

/** The names of the programs, from the smallest to the full one. */
export const PROGRAMS = ['count', 'published', 'core'];

/** @param {string} name */
const built = (name) => readFile(here(`../.build/wasm/${name}`));
/** @param {unknown} value */
const exporting = (value) => `export default ${JSON.stringify(value)};\n`;

/**
 * Writes a file only if its contents have changed, so that its modification time stays the same otherwise.
 * @param {string} name @param {string | Uint8Array} contents
 */
async function put(name, contents) {
  const path = here(`made/${name}`);
  const known = await readFile(path).catch(() => undefined);
  if (!known?.equals(Buffer.from(contents))) await writeFile(path, contents);
}

/** Returns the source of a module that exports a bundle as text. @param {string} path @param {string} ending */
async function bundled(path, ending) {
  const { outputFiles } = await build({ ...common, entryPoints: [path], format: 'iife' });
  return exporting(output(outputFiles ?? [], ending).text.trim());
}

/** Returns the source of a module that exports a program, deflated and in base64. @param {string} name */
const packed = async (name) => exporting(deflateSync(await built(`${name}.wasm`), { level: 9 }).toString('base64'));

/** Writes all generated modules. */
export async function made() {
  await mkdir(here('made'), { recursive: true });
  const models = parseModels(await readFile(here('data/models.json'), 'utf8'));
  const types = (await families()).map(({ model_type, summary }) => ({ model_type, summary }));
  const catalogue = JSON.stringify({ models, types });
  await put('core.cjs', `// @ts-nocheck\n${await built('core.js')}`); // comes first, because the worker's bundle contains it
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
