// The esbuild options that bundle web/ for each output of build.mjs and for the tests.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'terser';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */

/** Returns the absolute path of a path in web/. @param {string} path */
export const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The version in package.json, which the command line and the answers state as well. @type {string} */
export const version = JSON.parse(await readFile(here('package.json'), 'utf8')).version;

/** Appends a slash to a folder's address if it is missing. The address of an HTML file stays unchanged. @param {string} address */
export function folderOrFile(address) {
  const { href, pathname } = new URL(address);
  return /\/$|\.html?$/.test(pathname) ? href : `${href}/`;
}

/** The address of the hosted page, for links and previews; empty if not set. */
export const home = process.env.PARAM_LEDGER_HOME ? folderOrFile(process.env.PARAM_LEDGER_HOME) : '';

/** The address of the sources, for a link to them; empty if not set. */
export const source = process.env.PARAM_LEDGER_SOURCE ?? '';

/** The values of the constants in support/build-info.ts. @param {boolean} isFile */
const buildInfo = (isFile) => ({
  PARAM_LEDGER_VERSION: JSON.stringify(version),
  PARAM_LEDGER_HOME: JSON.stringify(home),
  PARAM_LEDGER_SOURCE: JSON.stringify(source),
  PARAM_LEDGER_FILE: String(isFile),
});

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
  define: buildInfo(false),
  target: ['chrome103', 'firefox113', 'safari16.4', 'node18'],
};

// The `conditions` below choose an entry in `imports` of package.json, and so where WebAssembly programs and the catalogue are loaded from.

/** For the hosted page: programs and catalogue are files next to the script. @type {BuildOptions} */
export const fetched = { ...common, loader: { '.wasm': 'file', '.json': 'file' } };

/** For the offline file: everything is inside the script. @type {BuildOptions} */
export const inlined = { ...common, conditions: ['file'], define: buildInfo(true) };

/**
 * For the npm package: programs and catalogue are modules that are imported on demand, which every bundler understands.
 * @type {BuildOptions}
 */
export const imported = { ...common, conditions: ['package'] };

/** For the command line: files next to the script, which Node reads from disk. @type {BuildOptions} */
export const onDisk = { ...fetched, platform: 'node', assetNames: '[name]' };

/**
 * Makes every dynamically imported module also import the modules of `paths`. Their common dependencies then become one chunk instead of
 * one chunk per combination: the first view loads 3 scripts instead of 36.
 * @param {string[]} paths modules that all others may share @returns {import('esbuild').Plugin}
 */
export const withShared = (...paths) => ({
  name: 'with-shared',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, namespace, resolveDir, path: relative }) =>
      kind === 'dynamic-import' && namespace === 'file' ? { path: resolve(resolveDir, relative), namespace: 'later' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'later' }, ({ path: later }) => ({
      contents: [...paths.map((path) => `import ${JSON.stringify(here(path))};`), `export * from ${JSON.stringify(later)};`].join('\n'),
      resolveDir: dirname(later),
    }));
  },
});

/** @param {BuildOptions} options */
export const bundle = async (options) => (await build(options)).outputFiles ?? [];

/**
 * Minifies the scripts with terser. They become about 8 % smaller than with esbuild's minifier: 4 KB less for the first view.
 * @param {readonly import('esbuild').OutputFile[]} files @returns {Promise<import('esbuild').OutputFile[]>}
 */
export const smaller = (files) =>
  Promise.all(
    files.map(async (file) => {
      if (!file.path.endsWith('.js')) return file;
      const { code = '' } = await minify(file.text, {
        module: true,
        ecma: 2020,
        compress: { passes: 3, pure_getters: true },
        format: { comments: false },
      });
      return { ...file, contents: Buffer.from(code), text: code };
    }),
  );

/** Returns the only output file with this ending. @param {import('esbuild').OutputFile[]} files @param {string} ending */
export function output(files, ending) {
  const found = files.filter(({ path }) => path.endsWith(ending));
  if (found.length !== 1) throw new Error(`${found.length} outputs *${ending}, not one`);
  return found[0];
}
