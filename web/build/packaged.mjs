// Builds the files of dist/package, the package as npm would publish it: modules, the widget's script, the command line, types and
// manifests.

import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { bundle, fetched, here, home, imported, onDisk, smaller, source, version } from './bundles.mjs';
import { declarations } from './declarations.mjs';
import { elements } from './elements.mjs';
import { PROGRAMS } from './make.mjs';
import { notices } from './notices.mjs';
import { schema } from './schema.mjs';
import { vectors } from './vectors.mjs';

/**
 * The largest permitted size of the widget's script in bytes, compressed, without wasm and catalogue. A growth of more than 5 % over the
 * recorded size is reported.
 */
export const WIDGET_LIMIT = 50_000;
export const WIDGET_RECORDED = 41_100;

/** Makes separate scripts of rarely used parts of the widget, which are loaded on demand. @type {import('esbuild').Plugin} */
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/widget-(derivation|devices|exercise)\.tsx$/ }, ({ path }) => ({
      path: `./${basename(path, '.tsx')}.js`,
      external: true,
    }));
  },
};

/** The types of a WebAssembly file. Bundlers replace an import of the file with its URL. */
const WASM_TYPES = 'declare const address: string;\nexport default address;\n';

/** @typedef {{ name: string, contents: string | Uint8Array }} File */

/** @param {string} path */
const text = (path) => readFile(here(path), 'utf8');

/** @returns {Promise<File[]>} the files, with their paths in the package as names */
export async function packaged() {
  const [modules, widget, cli] = await Promise.all([
    bundle({
      ...imported,
      entryPoints: [
        { in: 'npm/index.ts', out: 'param-ledger' },
        { in: 'npm/ledger.ts', out: 'ledger' },
        { in: 'npm/sync.ts', out: 'sync' },
        { in: 'widget/element.ts', out: 'element' },
        { in: 'widget/define.ts', out: 'define' },
      ],
      format: 'esm',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
    }),
    Promise.all([
      bundle({
        ...fetched,
        entryPoints: [{ in: 'widget/define.ts', out: 'widget' }],
        format: 'esm',
        assetNames: '[name]',
        plugins: [apart],
      }),
      bundle({
        ...fetched,
        entryPoints: ['widget-derivation', 'widget-devices', 'widget-exercise'].map((name) => ({ in: `parts/${name}.tsx`, out: name })),
        format: 'esm',
        assetNames: '[name]',
      }),
    ]).then(([script, others]) => smaller([...script, ...others.filter(({ path }) => !script.some((own) => own.path === path))])),
    bundle({ ...onDisk, entryPoints: [{ in: 'cli/main.ts', out: 'cli' }], format: 'esm' }),
  ]);
  const known = new Set(widget.map(({ path }) => basename(path)));
  return [
    ...modules.map(({ path, contents }) => ({ name: path.replace(/.*\/dist\//, ''), contents })),
    ...widget.map(({ path, contents }) => ({ name: basename(path), contents })), // the scripts, the programs and the catalogue
    ...cli.filter(({ path }) => !known.has(basename(path))).map(({ path, contents }) => ({ name: basename(path), contents })), // the script; the widget already has the full program
    ...(await declarations()),
    ...PROGRAMS.map((name) => ({ name: `${name}.wasm.d.ts`, contents: WASM_TYPES })),
    ...(await jsx()),
    { name: 'vectors.jsonl', contents: await vectors() },
    { name: 'schema.json', contents: schema() },
    { name: 'custom-elements.json', contents: await elements() },
    { name: 'package.json', contents: manifest(JSON.parse(await text('npm/package.json'))) },
    { name: 'README.md', contents: await text('npm/README.md') },
    { name: 'LICENSE', contents: await text('../LICENSE') },
    { name: 'THIRD-PARTY.txt', contents: await notices() },
  ];
}

/** The declarations of the custom element for each framework. @returns {Promise<File[]>} */
async function jsx() {
  const names = (await readdir(here('npm/jsx'))).sort();
  const types = await Promise.all(names.map(async (name) => ({ name: `jsx/${name}`, contents: await text(`npm/jsx/${name}`) })));
  return [...types, { name: 'jsx/none.js', contents: 'export {};\n' }];
}

/** Adds the version and the addresses set for the build. @param {Record<string, unknown>} own */
function manifest({ name, description, keywords, license, ...rest }) {
  const places = { ...(home && { homepage: home }), ...(source && { repository: { type: 'git', url: source } }) };
  return `${JSON.stringify({ name, version, description, keywords, license, ...places, ...rest }, null, 2)}\n`;
}
