// How the sources beside this file are bundled, for each of the outputs of build.mjs and for the tests.

import { readdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zlibAsync } from '@gfx/zopfli';
import { build } from 'esbuild';
import { minify } from 'terser';
import { verified } from './verified.mjs';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** The whole core, and what of it counts. */
export const core = here('../.build/wasm/core.wasm');
const count = here('../.build/wasm/count.wasm');
const glue = here('../.build/wasm/core.js');
const catalogue = here('catalog/models.json');

/** Of the package, the command line and the answers. @type {string} */
export const version = JSON.parse(await readFile(here('package.json'), 'utf8')).version;

/** Where the hosted page will stand, for links out of the one file; empty where nobody has said. */
export const home = process.env.PARAM_LEDGER_HOME ?? '';

/** Where the sources can be read, for a link to them; empty where nobody has said. */
export const source = process.env.PARAM_LEDGER_SOURCE ?? '';

/** Modules that are made here. @param {Record<string, () => Promise<string> | string>} modules as JSON or text @returns {import('esbuild').Plugin} */
export const given = (modules) => ({
  name: 'given modules',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${Object.keys(modules).join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'given' }));
    onLoad({ filter, namespace: 'given' }, async ({ path }) => ({ contents: await modules[path](), loader: 'js' }));
  },
});

/** @param {unknown} value */
const exporting = (value) => `export default ${JSON.stringify(value)};`;

const firstOfCatalogue = async () => exporting(JSON.parse(await readFile(catalogue, 'utf8'))[0]);

const verifiedModule = async () => exporting(await verified());

async function articles() {
  const names = (await readdir(here('articles'))).filter((name) => name.endsWith('.json')).sort();
  return exporting(
    Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name.slice(0, -'.json'.length), JSON.parse(await readFile(here(`articles/${name}`), 'utf8'))]),
      ),
    ),
  );
}

/** The worker's script, which runs from a blob in the hosted page as in the one file. */
async function searchWorker() {
  const files = await build({
    ...common,
    entryPoints: ['app/search-worker.ts'],
    format: 'iife',
    alias: { 'core-glue': glue },
    plugins: [],
  });
  return exporting(output(files.outputFiles ?? [], '.js').text);
}

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
  define: { PARAM_LEDGER_VERSION: JSON.stringify(version) },
  target: ['chrome103', 'firefox113', 'safari16.4', 'node18'],
};

/** A style sheet as text: for shadow roots, and for views that bring their own. @param {string} path */
const styleText = (path) => async () => {
  const { outputFiles } = await build({ ...common, entryPoints: [path], plugins: [] });
  return exporting(output(outputFiles ?? [], '.css').text.trim());
};

const styles = {
  'widget-style': styleText('widget/style.css'),
  'compact-style': styleText('styles/compact-page.css'),
  'views-style': styleText('styles/views.css'),
};

/** Wasm and catalogue in files beside the script. @type {BuildOptions} */
export const fetched = {
  ...common,
  alias: {
    'core-glue': glue,
    'count-wasm': count,
    'core-wasm': core,
    'core-bytes': here('lib/core/wasm-fetched.ts'),
    'catalogue-json': catalogue,
    'catalogue-text': here('lib/models/catalogue-fetched.ts'),
    'hub-request': here('lib/models/hub-request.ts'),
  },
  loader: { '.wasm': 'file', '.json': 'file' },
  plugins: [
    given({
      'catalogue-first': firstOfCatalogue,
      verified: verifiedModule,
      articles,
      'search-worker': searchWorker,
      'page-options': pageOptions(false),
      ...styles,
    }),
  ],
};

/** Both inside the script. @type {BuildOptions} */
export const inlined = {
  ...common,
  alias: {
    'core-glue': glue,
    'core-bytes': here('lib/core/wasm-inlined.ts'),
    'catalogue-text': here('lib/models/catalogue-inlined.ts'),
    'hub-request': here('lib/models/hub-by-hand.ts'),
  },
  plugins: [
    given({
      'core-wasm': async () => exporting(await (packed ??= pack())),
      'catalogue-json': async () => exporting(JSON.stringify(JSON.parse(await readFile(catalogue, 'utf8')))),
      'catalogue-first': firstOfCatalogue,
      verified: verifiedModule,
      articles,
      'search-worker': searchWorker,
      'page-options': pageOptions(true),
      ...styles,
    }),
  ],
};

/** Both in modules of their own, imported when they are wanted: what every bundler understands. @type {BuildOptions} */
export const imported = {
  ...inlined,
  alias: { 'core-glue': glue, 'core-bytes': here('lib/core/wasm-imported.ts'), 'catalogue-text': here('lib/models/catalogue-imported.ts') },
};

/** Both in files beside the script, read from the disk: for Node. @type {BuildOptions} */
export const onDisk = {
  ...inlined,
  platform: 'node',
  alias: { 'core-glue': glue, 'core-bytes': here('lib/core/wasm-on-disk.ts'), 'catalogue-text': here('lib/models/catalogue-on-disk.ts') },
};

/**
 * What is loaded later counts as using all that a module brings: what they share is then one file, beside one for each that is loaded later,
 * where esbuild would write a file for each set of them that shares something.
 * @param {string} path of that module @returns {import('esbuild').Plugin}
 */
export const besides = (path) => ({
  name: 'besides',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, namespace, resolveDir, path: relative }) =>
      kind === 'dynamic-import' && namespace === 'file' ? { path: resolve(resolveDir, relative), namespace: 'later' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'later' }, ({ path: later }) => ({
      contents: `import ${JSON.stringify(here(path))}; export * from ${JSON.stringify(later)};`,
      resolveDir: dirname(later),
    }));
  },
});

/** @type {Promise<string> | undefined} */
let packed;

/** By zopfli: 5 % smaller than by Node's zlib, and the same with every version of Node. */
async function pack() {
  return Buffer.from(await zlibAsync(await readFile(core), { numiterations: 5 })).toString('base64');
}

/** @param {BuildOptions} options */
export const bundle = async (options) => (await build(options)).outputFiles ?? [];

/**
 * As browsers get it: compressed, a twentieth less than esbuild writes.
 * @param {readonly import('esbuild').OutputFile[]} files @returns {Promise<import('esbuild').OutputFile[]>}
 */
export const smaller = (files) =>
  Promise.all(
    files.map(async (file) => {
      if (!file.path.endsWith('.js')) return file;
      const { code = '' } = await minify(file.text, { module: true, ecma: 2020, format: { comments: false } });
      return { ...file, contents: Buffer.from(code), text: code };
    }),
  );

/** The one output of a kind. @param {import('esbuild').OutputFile[]} files @param {string} ending */
export function output(files, ending) {
  const found = files.filter(({ path }) => path.endsWith(ending));
  if (found.length !== 1) throw new Error(`${found.length} outputs *${ending}, not one`);
  return found[0];
}
