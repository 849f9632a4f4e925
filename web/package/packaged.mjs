// The package as npm would publish it, in dist/package: the modules, the script of the widget, the command line, types and manifests.

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { bundle, core, fetched, home, imported, onDisk, output, smaller, source, version } from '../bundles.mjs';
import { frugal } from './frugal.mjs';

/** Of the widget's script without wasm and catalogue, compressed. */
export const WIDGET_LIMIT = 40 * 1024;

/** @typedef {{ name: string, contents: string | Uint8Array }} File */

/** @param {string} path */
const text = (path) => readFile(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

/** @returns {Promise<File[]>} names are those in the package */
export async function packaged() {
  const [modules, widget, cli] = await Promise.all([
    bundle({
      ...imported,
      entryPoints: [
        { in: 'package/index.ts', out: 'param-ledger' },
        { in: 'widget/element.ts', out: 'element' },
        { in: 'widget/define.ts', out: 'define' },
      ],
      format: 'esm',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
    }),
    frugal({ ...fetched, entryPoints: [{ in: 'widget/define.ts', out: 'widget' }], format: 'esm', assetNames: '[name]' }).then(smaller),
    bundle({ ...onDisk, entryPoints: [{ in: 'cli/main.ts', out: 'cli' }], format: 'esm' }),
  ]);
  const commented = (/** @type {string} */ name) => new RegExp(`(?:/\\*\\*(?:[^*]|\\*(?!/))*\\*/\\s*)?export declare ${name}.*`);
  const types = await Promise.all([
    declarations('../lib/types.ts'),
    declarations('../lib/core/ledger.ts', commented('function load\\(')),
    declarations('index.ts', commented('const version')),
  ]);
  return [
    ...modules.map(({ path, contents }) => ({ name: path.replace(/.*\/dist\//, ''), contents })),
    ...widget.map(({ path, contents }) => ({ name: basename(path), contents })), // with the wasm that counts and the catalogue beside it
    { name: 'core.wasm', contents: await readFile(core) },
    { name: 'cli.js', contents: output(cli, '.js').contents },
    { name: 'param-ledger.d.ts', contents: `${types.join('\n')}\n` },
    { name: 'element.d.ts', contents: await declarations('../widget/element.ts') },
    { name: 'define.d.ts', contents: await declarations('../widget/define.ts') },
    { name: 'custom-elements.json', contents: await text('custom-elements.json') },
    { name: 'package.json', contents: manifest(JSON.parse(await text('package.json'))) },
    { name: 'README.md', contents: await text('README.md') },
    { name: 'LICENSE', contents: await text('../../LICENSE') },
  ];
}

/** With the version, and with the addresses that the build was told. @param {Record<string, unknown>} own */
function manifest({ name, description, keywords, license, ...rest }) {
  const places = { ...(home && { homepage: home }), ...(source && { repository: { type: 'git', url: source } }) };
  return `${JSON.stringify({ name, version, description, keywords, license, ...places, ...rest }, null, 2)}\n`;
}

/** What a module declares, as TypeScript writes it; `wanted` of it. @param {string} path @param {RegExp} [wanted] */
async function declarations(path, wanted) {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, allowImportingTsExtensions: true };
  const { outputText } = ts.transpileDeclaration(await text(path), { fileName: path, compilerOptions });
  if (!wanted) return published(outputText);
  const [found] = wanted.exec(outputText) ?? [];
  if (found === undefined) throw new Error(`${path} does not declare what is wanted of it`);
  return found;
}

/** Of what a module imports only types are left, and these are the package's. @param {string} declared */
const published = (declared) =>
  declared
    .replace(/^(?:\/\*\*.*\*\/\s*)?import .* from '\.\/shown\.ts';\n/gm, '')
    .replaceAll("'../lib/types.ts'", "'./param-ledger.js'")
    .replaceAll("'./element.ts'", "'./element.js'");
