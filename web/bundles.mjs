// How the sources beside this file are bundled, for each of the outputs of build.mjs and for the tests.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { zlibAsync } from '@gfx/zopfli';
import { build } from 'esbuild';
import { verified } from './verified.mjs';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const wasm = here('../.build/wasm/core.wasm');
const glue = here('../.build/wasm/core.js');
const catalogue = here('catalog/models.json');

/** Where the hosted page will stand, for links out of the one file; empty where nobody has said. */
export const home = process.env.PARAM_LEDGER_HOME ?? '';

/** Where the sources can be read, for a link to them; empty where nobody has said. */
export const source = process.env.PARAM_LEDGER_SOURCE ?? '';

/** Modules that are made here. @param {Record<string, () => Promise<string> | string>} modules as JSON or text @returns {import('esbuild').Plugin} */
export const given = (modules) => ({
  name: 'given modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${Object.keys(modules).join('|')})$`) }, ({ path }) => ({ path, namespace: 'given' }));
    onLoad({ filter: /./, namespace: 'given' }, async ({ path }) => ({ contents: await modules[path](), loader: 'js' }));
  },
});

/** @param {unknown} value */
const exporting = (value) => `export default ${JSON.stringify(value)};`;

const firstOfCatalogue = async () => exporting(JSON.parse(await readFile(catalogue, 'utf8'))[0]);

const verifiedModule = async () => exporting(await verified());

/** @param {boolean} isFile */
const pageOptions = (isFile) => () =>
  `export const home = ${JSON.stringify(home)}; export const source = ${JSON.stringify(source)}; export const isFile = ${isFile};`;

/** @type {BuildOptions} */
export const common = {
  absWorkingDir: here('.'),
  outdir: 'dist',
  bundle: true,
  minify: true,
  write: false,
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  target: ['chrome103', 'firefox113', 'safari16.4', 'node18'],
};

/** Wasm and catalogue in files beside the script. @type {BuildOptions} */
export const fetched = {
  ...common,
  alias: {
    'core-glue': glue,
    'core-wasm': wasm,
    'core-bytes': here('lib/wasm-fetched.ts'),
    'catalogue-json': catalogue,
    'catalogue-text': here('lib/catalogue-fetched.ts'),
    'hub-request': here('lib/hub.ts'),
  },
  loader: { '.wasm': 'file', '.json': 'file' },
  plugins: [given({ 'catalogue-first': firstOfCatalogue, verified: verifiedModule, 'page-options': pageOptions(false) })],
};

/** Both inside the script. @type {BuildOptions} */
export const inlined = {
  ...common,
  alias: {
    'core-glue': glue,
    'core-bytes': here('lib/wasm-inlined.ts'),
    'catalogue-text': here('lib/catalogue-inlined.ts'),
    'hub-request': here('lib/hub-by-hand.ts'),
  },
  plugins: [
    given({
      'core-wasm': async () => exporting(await (packed ??= pack())),
      'catalogue-json': async () => exporting(JSON.stringify(JSON.parse(await readFile(catalogue, 'utf8')))),
      'catalogue-first': firstOfCatalogue,
      verified: verifiedModule,
      'page-options': pageOptions(true),
    }),
  ],
};

/** @type {Promise<string> | undefined} */
let packed;

/** By zopfli: 5 % smaller than by Node's zlib, and the same with every version of Node. */
async function pack() {
  return Buffer.from(await zlibAsync(await readFile(wasm), { numiterations: 5 })).toString('base64');
}

/** @param {BuildOptions} options */
export const bundle = async (options) => (await build(options)).outputFiles ?? [];

/** The one output of a kind. @param {import('esbuild').OutputFile[]} files @param {string} ending */
export function output(files, ending) {
  const found = files.filter(({ path }) => path.endsWith(ending));
  if (found.length !== 1) throw new Error(`${found.length} outputs *${ending}, not one`);
  return found[0];
}
