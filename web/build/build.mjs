// Builds web/dist from the sources of web/ and the core in .build/wasm. `node web/build/build.mjs [FOLDER]` writes:
//   index.html, *.js, style-*.css, models-*.json                     the hosted page, its scripts and style sheet, and the catalogue
//   preview.png, LICENSE.txt                                         the preview picture for links, and all licenses
//   service-worker.js                                                stores the files of the hosted page for use without a network
//   count-*.wasm, published-*.wasm, core-*.wasm                      the core: for common model types, for published models, for all types
//   param-ledger.html                                                the page as one file, which can be opened from disk
//   examples/                                                        pages that use the widget
//   docs/                                                            web/docs as pages
//   vectors.jsonl                                                    configurations with their exact counts, to test other calculators
//   param-ledger.wasi.wasm                                           the full program for hosts without JavaScript
//   schema.json                                                      the JSON schema of what commands write with --json
//   package/                                                         the package as npm would publish it
// Two environment variables are optional. PARAM_LEDGER_HOME is the address of the hosted page, for links to it and for previews.
// PARAM_LEDGER_SOURCE is the address of the source code.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle, common, fetched, here, home, inlined, output, smaller, withShared } from './bundles.mjs';
import { docs } from './docs.mjs';
import { lowerExceptions } from './lower-exceptions.mjs';
import { made, PROGRAMS } from './make.mjs';
import { licenses, notices } from './notices.mjs';
import { packaged, WIDGET_LIMIT, WIDGET_RECORDED } from './packaged.mjs';
import { preview } from './preview.mjs';
import { hostedPolicy, offlinePolicy } from './policy.mjs';
import { schema } from './schema.mjs';
import { vectors } from './vectors.mjs';

/** The largest permitted size of the first view in bytes, compressed, without wasm and catalogue. Other views are loaded on demand. */
const PAGE_LIMIT = 80_000;
/** The size of the first view in bytes when it was last recorded. A growth of more than 5 % is reported. */
const PAGE_RECORDED = 74_700;
/** How many compressed bytes the address in PARAM_LEDGER_HOME may add to the first view. */
const HOME_LIMIT = 1_000;

const dist = resolve(process.argv[2] ?? here('dist'));

/** @typedef {{ name: string, contents: string | Uint8Array }} File */

/** Returns the HTML of the hosted page and of the offline file. document.tsx draws the first model's answer into both. */
async function drawnPage() {
  const files = await bundle({ ...fetched, entryPoints: ['entry/document.tsx'], format: 'esm', platform: 'node' });
  const program = Buffer.from(output(files, '.js').contents).toString('base64');
  const { drawn } = await import(`data:text/javascript;base64,${program}`);
  const bytes = await readFile(here('made/count.wasm'));
  return { hosted: await drawn(bytes, true), file: await drawn(bytes, home !== '') };
}

/** Throws if the scripts that Emscripten generated for the programs differ, because the script of the full program starts all of them. */
async function sharesGlue() {
  const scripts = await Promise.all(PROGRAMS.map((name) => readFile(here(`../.build/wasm/${name}.js`), 'utf8')));
  // Ignores the wrappers for indirect calls with 64-bit arguments. The full program has more of them, but JavaScript calls none.
  const plain = (/** @type {string} */ script) => script.replaceAll(/var dynCall_\w+=.*?apply\(null,arguments\)\};/g, '');
  const glues = new Set(scripts.map((script, i) => plain(script).replaceAll(`${PROGRAMS[i]}.wasm`, '')));
  if (glues.size > 1) throw new Error(`the scripts of ${PROGRAMS.join(', ')} differ: see wasm/bindings.hpp`);
}

/**
 * Bundles a small script: one that runs before the first paint, or the service worker.
 * @param {string} entry
 * @param {Record<string, unknown>} [define] constants
 */
const early = (entry, define = {}) =>
  bundle({
    ...common,
    entryPoints: [entry],
    format: 'iife',
    define: { ...common.define, ...Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])) },
  }).then((files) => output(files, '.js').text.trim());

/**
 * @param {import('../entry/document.tsx').Drawn} drawn
 * @param {{ policy: string, early: string, head: string, end?: string }} parts
 */
const html = (drawn, { policy, early: first, head, end = '' }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<script>${first}</script>
${head}
${drawn.head}
</head>
<body>
${drawn.body}
${end}</body>
</html>
`;

/** @param {import('../entry/document.tsx').Drawn} drawn @returns {Promise<File[]>} */
async function hosted(drawn) {
  const names = { entryNames: '[name]-[hash]', assetNames: '[name]-[hash]', chunkNames: '[name]-[hash]' };
  const plugins = [withShared('views/page-view.tsx', 'core/counter.ts')];
  const files = await smaller(
    await bundle({ ...fetched, plugins, ...names, entryPoints: ['entry/page.tsx'], format: 'esm', splitting: true }),
  );
  const style = await bundle({ ...common, entryNames: 'style-[hash]', stdin: styleOf(drawn) });
  const name = (/** @type {string} */ ending) => basename(output([...files, ...style], ending).path);
  const script = output(files.filter(isEntry), '.js');
  const named = (/** @type {string} */ beginning) => files.filter(({ path }) => basename(path).startsWith(beginning));
  const begun = await early('entry/early-fetched.ts', {
    EARLY_PROGRAM: basename(output(named('count-'), '.wasm').path),
    EARLY_CATALOGUE: basename(output(named('models-'), '.json').path),
    EARLY_SCRIPTS: [...importsOf(script.text), basename(script.path)].map((path) => `./${path}`),
  });
  const page = html(drawn, {
    policy: hostedPolicy(hash(begun)),
    early: begun,
    head: `<link rel="stylesheet" href="${name('.css')}">`,
  });
  const kept = [
    ...[...files, ...style].map(({ path, contents }) => ({ name: basename(path), contents })),
    { name: 'index.html', contents: page },
  ];
  return [
    ...kept,
    { name: 'service-worker.js', contents: await serviceWorker(kept) },
    { name: 'preview.png', contents: await preview(drawn.preview) },
    { name: 'LICENSE.txt', contents: await licenses() },
  ];
}

/** Returns the script of the service worker that stores these files, each identified by its hash. @param {File[]} kept */
async function serviceWorker(kept) {
  const sha = (/** @type {string | Uint8Array} */ contents) => createHash('sha256').update(contents).digest('hex');
  const hashes = Object.fromEntries(kept.map(({ name, contents }) => [name, sha(contents)]));
  const build = sha(JSON.stringify(hashes)).slice(0, 16);
  return `${await early('entry/service-worker.ts', { KEPT_FILES: hashes, KEPT_BUILD: build })}\n`;
}

/** @param {import('../entry/document.tsx').Drawn} drawn @returns {Promise<File[]>} */
async function offline(drawn) {
  const files = await bundle({ ...inlined, entryPoints: ['entry/page.tsx'], format: 'iife' });
  const script = output(files, '.js').text.replaceAll(/<(?=\/script|!--)/gi, '\\x3C');
  const style = output(await bundle({ ...common, stdin: styleOf(drawn) }), '.css').text;
  if (/<\/style/i.test(style)) throw new Error('the style would end its own element');
  const begun = await early('entry/early.ts');
  const page = html(drawn, {
    policy: offlinePolicy([hash(begun), hash(script)], hash(style)),
    early: begun,
    head: `<style>${style}</style>`,
    // A classic script runs where it stands in the document, so it comes last. Two hyphens could end the HTML comment.
    end: `<script>${script}</script>\n<!--\n${(await notices()).replaceAll('--', '==')}-->\n`,
  });
  return [{ name: 'param-ledger.html', contents: page }];
}

/**
 * Whether a file is the entry script or not a script at all. Excludes the chunks that the entry script shares with views.
 * @param {import('esbuild').OutputFile} file
 */
const isEntry = ({ path }) => !path.endsWith('.js') || basename(path).startsWith('page-');

/** The scripts that a script imports statically. @param {string} script */
const importsOf = (script) => [...script.matchAll(/\b(?:from|import)"(\.\/[^"]+)"/g)].map(([, path]) => path.slice('./'.length));

/**
 * The style sheet, including rules that replace the style attributes of the prerendered page.
 * @param {import('../entry/document.tsx').Drawn} drawn
 */
const styleOf = ({ style }) => ({
  contents: `@import './styles/index.css';\n${style}`,
  resolveDir: here('.'),
  sourcefile: 'style.css',
  loader: /** @type {const} */ ('css'),
});

/** The hash by which a Content-Security-Policy names an inline script. @param {string} text */
const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** The example pages, which load the package from the folder next to them. @returns {Promise<File[]>} */
async function examples() {
  const listed = await Promise.all(
    ['', 'posts/'].map(async (folder) => (await readdir(here(`examples/${folder}`))).map((name) => folder + name)),
  );
  const names = listed
    .flat()
    .filter((name) => /\.(html|css|m?js|md|yml)$/.test(name))
    .sort();
  return Promise.all(names.map(async (name) => ({ name: `examples/${name}`, contents: await readFile(here(`examples/${name}`), 'utf8') })));
}

/** Throws if the output breaks a rule. Returns the compressed size of the first view, without wasm and catalogue. @param {File[]} files */
function check(files) {
  for (const { name, contents } of files) {
    const text = /\.(wasm|png|md)$/.test(name) ? '' : String(typeof contents === 'string' ? contents : Buffer.from(contents));
    if (/\beval\(|\bnew Function\b/.test(text)) throw new Error(`${name} turns text into code`);
    if (text.includes('\r')) throw new Error(`${name} has a carriage return, which a browser's hash would not see`);
    if (name.endsWith('.html') && / style="/.test(text)) throw new Error(`${name} has a style attribute, which its policy forbids`);
    // Links that a user may click are fine. Requests that the browser makes on its own are not.
    const request =
      /<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*\b(?:src|href|data|srcset)=["']?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|@import|\b(?:fetch|import|open)\(["'`]https?:/i.exec(
        text,
      );
    if (request) throw new Error(`${name} would make a request: ${request[0]}`);
  }
  const first = imported(files);
  const page = files.filter(({ name }) => name === 'index.html' || /^style-.*\.css$/.test(name) || first.has(name));
  const size = page.reduce((sum, { contents }) => sum + gzipped(contents), 0);
  const limit = PAGE_LIMIT + (process.env.PARAM_LEDGER_HOME ? HOME_LIMIT : 0);
  if (size > limit) throw new Error(`the page has ${size} bytes compressed, more than ${limit}`);
  if (size > 1.05 * PAGE_RECORDED) console.warn(`the page has grown from ${PAGE_RECORDED} to ${size} bytes compressed`);
  const widget = gzipped(files.find(({ name }) => name === 'package/widget.js')?.contents ?? '');
  if (widget > WIDGET_LIMIT) throw new Error(`the widget has ${widget} bytes compressed, more than ${WIDGET_LIMIT}`);
  if (widget > 1.05 * WIDGET_RECORDED) console.warn(`the widget has grown from ${WIDGET_RECORDED} to ${widget} bytes compressed`);
  return size;
}

/** The names of the page's script and of all scripts that it imports statically. @param {File[]} files @returns {Set<string>} */
function imported(files) {
  const names = new Set();
  const add = (/** @type {File | undefined} */ file) => {
    if (!file || names.has(file.name)) return;
    names.add(file.name);
    for (const path of importsOf(Buffer.from(file.contents).toString())) add(files.find(({ name }) => name === path));
  };
  add(files.find(({ name }) => /^page-.*\.js$/.test(name)));
  return names;
}

/** @param {string | Uint8Array} contents */
const gzipped = (contents) => gzipSync(contents, { level: 9 }).length;

await sharesGlue();
await made();
const drawn = await drawnPage();
const files = (
  await Promise.all([
    hosted(drawn.hosted),
    offline(drawn.file),
    examples(),
    docs(),
    vectors().then((contents) => [{ name: 'vectors.jsonl', contents }]),
    [{ name: 'schema.json', contents: schema() }],
    readFile(here('../.build/wasm/standalone.wasm')).then((bytes) => [
      { name: 'param-ledger.wasi.wasm', contents: lowerExceptions(bytes) },
    ]),
    packaged().then((own) => own.map((file) => ({ ...file, name: `package/${file.name}` }))),
  ])
).flat();
const firstView = check(files);

await rm(dist, { recursive: true, force: true });
await Promise.all(
  files.map(async ({ name, contents }) => {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name), contents);
  }),
);

const column = (/** @type {number} */ bytes) => String(bytes).padStart(9);
for (const { name, contents } of files) console.log(`${column(Buffer.byteLength(contents))} ${column(gzipped(contents))} gz  ${name}`);
console.log(`${' '.repeat(10)}${column(firstView)} gz  the first view without wasm and catalogue`);
