// Everything in web/dist from the sources beside this file and the core in .build/wasm; `node web/build.mjs [FOLDER]`:
//   index.html, page-*.js, style-*.css, core-*.wasm   the hosted page
//   param-ledger.html                                 the same page as one file, for use from a disk
//   param-ledger.mjs, param-ledger.d.ts               the package

import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { zlibAsync } from '@gfx/zopfli';
import { build } from 'esbuild';
import { hostedPolicy, offlinePolicy } from './policy.mjs';

/** Of the page without the wasm, compressed. */
const PAGE_LIMIT = 120_000;

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = resolve(process.argv[2] ?? here('dist'));
const wasm = here('../.build/wasm/core.wasm');

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: here('.'),
  outdir: dist,
  bundle: true,
  minify: true,
  write: false,
  legalComments: 'none',
  target: ['chrome103', 'firefox113', 'safari16.4', 'node18'],
  alias: { 'core-glue': here('../.build/wasm/core.js'), 'core-wasm': wasm },
};

/** @type {import('esbuild').BuildOptions} */
const fetched = { ...common, alias: { ...common.alias, 'core-bytes': here('bytes-fetched.js') }, loader: { '.wasm': 'file' } };

/** @type {import('esbuild').BuildOptions} */
const inlined = {
  ...common,
  alias: { ...common.alias, 'core-bytes': here('bytes-inlined.js') },
  plugins: [
    {
      name: 'deflated wasm',
      setup({ onLoad }) {
        onLoad({ filter: /\.wasm$/ }, async () => ({ contents: await (packed ??= pack()), loader: 'text' }));
      },
    },
  ],
};

/** @type {Promise<string> | undefined} */
let packed;

/** By zopfli: 5 % smaller than by Node's zlib, and the same with every version of Node. */
async function pack() {
  return Buffer.from(await zlibAsync(await readFile(wasm), { numiterations: 5 })).toString('base64');
}

/** @param {import('esbuild').BuildOptions} options */
const bundle = async (options) => (await build(options)).outputFiles ?? [];

/** The one output of a kind. @param {import('esbuild').OutputFile[]} files @param {string} ending */
function output(files, ending) {
  const found = files.filter(({ path }) => path.endsWith(ending));
  if (found.length !== 1) throw new Error(`${found.length} outputs *${ending}, not one`);
  return found[0];
}

/** Replaces what must stand in index.html exactly once. @param {string} html @param {RegExp} mark @param {string} text */
function put(html, mark, text) {
  if (html.match(new RegExp(mark, 'g'))?.length !== 1) throw new Error(`index.html must have ${mark} once`);
  return html.replace(mark, () => text);
}

const mark = {
  charset: /<meta charset="utf-8" ?\/?>/,
  style: /<link rel="stylesheet" href="style\.css" ?\/?>/,
  script: /<script type="module" src="page\.js"><\/script>/,
  end: /<\/body>/,
};

/** First in the head, so that it holds for all that follows. @param {string} html @param {string} policy */
const withPolicy = (html, policy) =>
  put(html, mark.charset, `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);

/** @param {string} html index.html */
async function hosted(html) {
  const files = await bundle({ ...fetched, entryPoints: ['page.js', 'style.css'], format: 'esm', entryNames: '[name]-[hash]', assetNames: '[name]-[hash]' });
  const name = (/** @type {string} */ ending) => basename(output(files, ending).path);
  let page = withPolicy(html, hostedPolicy);
  page = put(page, mark.style, `<link rel="stylesheet" href="${name('.css')}">`);
  // The wasm's request starts with the script's instead of after it.
  page = put(
    page,
    mark.script,
    `<link rel="preload" href="${name('.wasm')}" as="fetch" crossorigin>\n<script type="module" src="${name('.js')}"></script>`,
  );
  return [...files.map(({ path, contents }) => ({ name: basename(path), contents })), { name: 'index.html', contents: page }];
}

/** @param {string} html index.html */
async function offline(html) {
  const files = await bundle({ ...inlined, entryPoints: ['page.js', 'style.css'], format: 'iife' });
  const script = output(files, '.js').text.replaceAll(/<(?=\/script|!--)/gi, '\\x3C');
  const style = output(files, '.css').text;
  if (/<\/style/i.test(style)) throw new Error('the style would end its own element');
  let page = withPolicy(html, offlinePolicy(hash(script), hash(style)));
  page = put(page, mark.style, `<style>${style}</style>`);
  page = put(page, mark.script, ''); // a classic script runs where it stands, so at the end
  page = put(page, mark.end, `<script>${script}</script>\n</body>`);
  return [{ name: 'param-ledger.html', contents: page }];
}

async function packaged() {
  const files = await bundle({ ...inlined, entryPoints: ['core.js'], format: 'esm' });
  return [{ name: 'param-ledger.mjs', contents: output(files, '.js').text }];
}

/** As a Content-Security-Policy names an inline script. @param {string} text */
const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** @typedef {{ name: string, contents: string | Uint8Array }} File */

/** @param {File[]} files */
function check(files) {
  for (const { name, contents } of files) {
    const text = name.endsWith('.wasm') ? '' : String(typeof contents === 'string' ? contents : Buffer.from(contents));
    if (/\beval\(|\bnew Function\b/.test(text)) throw new Error(`${name} turns text into code`);
    if (text.includes('\r')) throw new Error(`${name} has a carriage return, which a browser's hash would not see`);
    // Links that a reader may follow are fine; whatever a browser would load by itself is not.
    const request = /<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*\b(?:src|href|data|srcset)=["']?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|@import|\b(?:fetch|import|open)\(["'`]https?:/i.exec(text);
    if (request) throw new Error(`${name} would make a request: ${request[0]}`);
  }
  const page = files.filter(({ name }) => name === 'index.html' || /^(page|style)-.*\.(js|css)$/.test(name));
  const size = page.reduce((sum, { contents }) => sum + gzipped(contents), 0);
  if (size > PAGE_LIMIT) throw new Error(`the page has ${size} bytes compressed, more than ${PAGE_LIMIT}`);
  return size;
}

/** @param {string | Uint8Array} contents */
const gzipped = (contents) => gzipSync(contents, { level: 9 }).length;

const html = await readFile(here('index.html'), 'utf8');
/** @type {File[]} */
const files = (await Promise.all([hosted(html), offline(html), packaged()])).flat();
const pageSize = check(files);

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await Promise.all(files.map(({ name, contents }) => writeFile(join(dist, name), contents)));
await copyFile(here('types.d.ts'), join(dist, 'param-ledger.d.ts'));

for (const { name, contents } of files) {
  console.log(`${String(Buffer.byteLength(contents)).padStart(9)} ${String(gzipped(contents)).padStart(9)} gz  ${name}`);
}
console.log(`${' '.repeat(10)}${String(pageSize).padStart(9)} gz  the page without the wasm`);
