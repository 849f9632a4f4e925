// Tests the packed npm package: its contents, its modules in Node, its types in TypeScript, and its command line.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkPackage, Package } from '@arethetypeswrong/core';
import { publint } from 'publint';
import ts from 'typescript';
import { build as esbuild } from '../../web/node_modules/esbuild/lib/main.js';
import { file, folder, packedFiles, program } from './installed.mjs';

const dist = new URL('../../web/dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(file('package.json'), 'utf8'));

test('a build is reproducible', () => {
  const again = mkdtempSync(join(tmpdir(), 'param-ledger-'));
  const files = (/** @type {string | URL} */ place) =>
    readdirSync(place, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath ?? entry.path, entry.name).slice(String(place instanceof URL ? fileURLToPath(place) : `${place}/`).length),
      )
      .sort();
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL('../../web/build/build.mjs', import.meta.url)), again]);
    assert.deepEqual(files(again), files(dist));
    for (const name of files(again)) assert.ok(readFileSync(join(again, name)).equals(readFileSync(new URL(name, dist))), name);
  } finally {
    rmSync(again, { recursive: true });
  }
});

test('it contains what is needed and nothing else', () => {
  assert.deepEqual(
    packedFiles.filter((name) => !/^chunks\/[\w-]+\.js$/.test(name)),
    [
      'LICENSE',
      'README.md',
      'THIRD-PARTY.txt',
      'cli.js',
      'core.wasm',
      'core.wasm.d.ts',
      'count.wasm',
      'count.wasm.d.ts',
      'custom-elements.json',
      'define.d.ts',
      'define.js',
      'element.d.ts',
      'element.js',
      ...['attributes.d.ts', 'none.js', 'preact.d.ts', 'react.d.ts', 'svelte.d.ts'].map((name) => `jsx/${name}`),
      'ledger.d.ts',
      'ledger.js',
      'models.json',
      'package.json',
      'param-ledger.d.ts',
      'param-ledger.js',
      'published.wasm',
      'published.wasm.d.ts',
      'schema.json',
      'sync.d.ts',
      'sync.js',
      'vectors.jsonl',
      'widget-derivation.js',
      'widget-devices.js',
      'widget-exercise.js',
      'widget.js',
    ],
  );
  for (const target of [
    ...Object.values({ ...manifest.exports, './jsx/*': ['./jsx/none.js'] }).flatMap((entry) =>
      typeof entry === 'string' ? entry : Object.values(entry),
    ),
    ...manifest.sideEffects,
  ]) {
    assert.ok(existsSync(file(target)), target);
  }
  for (const name of packedFiles) assert.doesNotMatch(readFileSync(file(name), 'latin1').slice(0, 200_000), /\/(?:work|root|tmp)\//, name);
  // The package states the repository's address only if the build was given one. npm attests where the package was built.
  if (!process.env.PARAM_LEDGER_SOURCE) assert.equal('repository' in manifest, false);
  assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
  assert.equal(manifest.version, JSON.parse(readFileSync(new URL('../../web/package.json', import.meta.url), 'utf8')).version);
});

test('third-party code is listed with its license wherever it is shipped', () => {
  const read = (/** @type {string} */ name) => readFileSync(new URL(name, dist), 'utf8');
  const shipped = ['LICENSE.txt', 'param-ledger.html', 'package/THIRD-PARTY.txt'].map((name) => read(name).replaceAll('==', '--'));
  const linked = readFileSync(new URL('../../wasm/CMakeLists.txt', import.meta.url), 'utf8');
  assert.match(linked, /-sMALLOC=emmalloc[^]*-lembind/); // the other linked libraries are listed below
  const own = JSON.parse(readFileSync(new URL('../../web/package.json', import.meta.url), 'utf8'));
  assert.deepEqual(own.dependencies, undefined);
  for (const text of shipped) {
    for (const part of [
      /Copyright \(c\) 2015-present Jason Miller/, // Preact
      /nlohmann\/json[^]*Niels Lohmann[^]*Florian Loitsch[^]*Bjoern Hoehrmann/,
      /Emscripten authors/,
      /musl[^]*Rich Felker/,
      /libc\+\+, libc\+\+abi and compiler-rt/,
      /The above copyright notice and this permission notice shall be included/,
      /Apache License\s+Version 2\.0, January 2004[^]*END OF TERMS AND CONDITIONS[^]*LLVM Exceptions to the Apache 2\.0 License[^]*Combined\s+Software/,
    ]) {
      assert.match(text, part);
    }
  }
  assert.match(shipped[0], /^MIT License\s+Copyright \(c\) 2026 Param Ledger contributors/);
});

test('publint and attw find nothing', async () => {
  const { messages } = await publint({ pkgDir: file('.'), strict: true });
  assert.deepEqual(messages, []);
  // Does what attw does with its profile esm-only, but without attw's tarball reader, which fails on large tarballs.
  const files = packedFiles.map((name) => [`/node_modules/param-ledger/${name}`, new Uint8Array(readFileSync(file(name)))]);
  const analysis = await checkPackage(new Package(Object.fromEntries(files), manifest.name, manifest.version), {
    excludeEntrypoints: ['./custom-elements.json', './package.json', './schema.json', './vectors.jsonl'],
  });
  assert.ok(analysis.types, 'its types are found');
  assert.deepEqual(
    analysis.problems.filter((problem) => !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind)),
    [],
  );
});

const NAMES = [
  ...[
    'article',
    'catalog',
    'check',
    'compare',
    'count',
    'counterFor',
    'derive',
    'devices',
    'headOf',
    'load',
    'memory',
    'operations',
    'read',
  ],
  ...['search', 'totals', 'version', 'whole'],
];

test('its modules export what they promise, and importing them needs no browser', () => {
  assert.equal(program("console.log(Object.keys(await import('param-ledger')).join())"), `${NAMES.join()}\n`);
  assert.equal(program("console.log(Object.keys(await import('param-ledger/sync')).join())"), 'headOf,loadCounter,loadLedger\n');
  assert.equal(program("console.log(Object.keys(await import('param-ledger/ledger')).join())"), 'createCounter,createLedger\n');
  assert.equal(program("console.log(Object.keys(await import('param-ledger/element')).join())"), 'ParamLedgerElement\n');
  assert.equal(
    program("await import('param-ledger/define'); await import('param-ledger/widget.js'); console.log(typeof HTMLElement)"),
    'undefined\n',
  );
  assert.equal(
    program("import { load, version, whole } from 'param-ledger'; console.log(version, load() === load(), whole() === whole())"),
    `${manifest.version} true true\n`,
  );
});

test('count answers for each model of the catalogue, in whichever program its type is', async () => {
  const { count, totals } = await import(file('param-ledger.js'));
  const { models } = JSON.parse(readFileSync(file('models.json'), 'utf8'));
  assert.ok(models.length > 390);
  for (const { id, config, parameters } of models) {
    const answer = await count(config);
    // Some publishers count all stored elements, including buffers.
    assert.ok(answer.ok && [answer.totals.parameters, answer.totals.stored].includes(String(parameters)), id);
    assert.deepEqual((await totals(JSON.stringify(config))).totals, answer.totals, id);
  }
  const { error } = await count({ model_type: 'lama' });
  assert.deepEqual([error.code, error.nearest[0]], ['unknown_architecture', 'llama']);
});

test('each question is a function with the same answer as the synchronous ledger', async () => {
  const questions = await import(file('param-ledger.js'));
  const ledger = await (await import(file('sync.js'))).loadLedger();
  const config = { model_type: 'llama' };
  const article = JSON.parse(readFileSync(new URL('../../web/data/articles/llama-2-70b.json', import.meta.url), 'utf8'));
  const asked = {
    count: [config],
    totals: [config],
    compare: [[config, { model_type: 'gpt2' }]],
    derive: [config],
    check: [config, '6.74B'],
    article: [article],
    memory: [config, { tokens: 4096 }],
    devices: [config, { tensor: 2 }],
    search: [config, { target: '7B', vary: [{ field: 'num_hidden_layers', from: 24, to: 40, step: 1 }] }],
    read: ['{"model_type": "llama"}'],
    catalog: [],
  };
  for (const [name, words] of Object.entries(asked)) {
    const answer = await questions[name](...words);
    assert.deepEqual(answer, ledger[name](...words), name);
    assert.notEqual(answer.ok, false, JSON.stringify(answer.error));
  }
  const bytes = readFileSync(file('package.json'));
  const source = {
    name: 'x.json',
    size: bytes.length,
    read: async (/** @type {number} */ from, /** @type {number} */ to) => bytes.subarray(from, to),
  };
  assert.deepEqual(await questions.headOf(source), await questions.headOf(ledger, source));
});

test('a page that only counts downloads at most 15 KB of JavaScript, compressed', async () => {
  const { outputFiles } = await esbuild({
    stdin: { contents: "import { count } from 'param-ledger'; globalThis.counted = count({ model_type: 'llama' });", resolveDir: folder },
    outdir: join(folder, 'counting'),
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  const script = (/** @type {string} */ name) => String(files.get(name));
  const sent = new Set(['stdin.js']);
  for (const name of sent) for (const [, other] of script(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) sent.add(other);
  const size = [...sent].reduce((sum, name) => sum + gzipSync(script(name), { level: 9 }).length, 0);
  assert.ok(size <= 15 * 1024, `${size} bytes`);
  assert.ok(size > 5_000, 'it is all of them');
});

test('a ledger uses the program that it is given, independent of others', async () => {
  const { createCounter, createLedger } = await import(file('ledger.js'));
  const bytes = readFileSync(file('core.wasm'));
  const [first, second] = await Promise.all([createLedger({ wasm: bytes }), createLedger({ wasm: new WebAssembly.Module(bytes) })]);
  assert.notEqual(first, second);
  for (const ledger of [first, second]) assert.equal(ledger.compare([{ model_type: 'llama' }, { model_type: 'gpt2' }]).ok, true);
  const counter = await createCounter({ wasm: Promise.resolve(new Response(readFileSync(file('count.wasm')))) });
  assert.deepEqual([counter.catalog().complete, first.catalog().complete], [false, true]);
  assert.equal(counter.count({ model_type: 'llama' }).totals.parameters, '6738415616');
  assert.ok(counter.catalog().families[0].verified);
  await assert.rejects(createLedger({ wasm: new Response('', { status: 404 }) }), /HTTP 404/);
  await assert.rejects(createLedger({ wasm: Buffer.from('no program') }), WebAssembly.CompileError);
});

test('it works where text may not become code', () => {
  const source = `import { load } from 'param-ledger'; const { count } = await load(); console.log(count('{"model_type":"llama"}').totals.parameters);`;
  assert.equal(program(source, '--disallow-code-generation-from-strings'), '6738415616\n');
});

test('it counts in a worker', () => {
  writeFileSync(
    join(folder, 'worker.mjs'),
    `import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { load } from 'param-ledger';
if (isMainThread) new Worker(new URL(import.meta.url)).once('message', console.log);
else parentPort.postMessage((await load()).totals({ model_type: 'llama' }).totals.parameters);`,
  );
  assert.equal(String(execFileSync(process.execPath, ['worker.mjs'], { cwd: folder })), '6738415616\n');
});

test('the caller may serve the wasm', () => {
  const source = `import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { load } from 'param-ledger';
const { totals } = await load({ wasm: readFile(createRequire('${folder}/').resolve('param-ledger/core.wasm')) });
console.log(totals({ model_type: 'llama' }).totals.parameters);`;
  assert.equal(program(source), '6738415616\n');
});

test('its command line is installed', () => {
  const printed = execFileSync(join(folder, 'node_modules/.bin/param-ledger'), ['gpt2', '--expect', '124439808', '--format', 'csv'], {
    cwd: folder,
  });
  assert.match(String(printed), /^name,kind,part,[^]*transformer\.wte\.weight,parameter,embedding/);
});

const CONSUMER = `import { count as countOnce, headOf, load, search, version, whole, type Answer, type Part, type TensorRow, type Totals } from 'param-ledger';
import { ParamLedgerElement } from 'param-ledger/element';
import 'param-ledger/define';
import { loadLedger } from 'param-ledger/sync';
import { createLedger } from 'param-ledger/ledger';
import core from 'param-ledger/core.wasm';
const same2: Answer = await countOnce({ model_type: 'llama' });
const found = await search({ model_type: 'llama' }, { target: '7B', vary: [] });
if (found.ok && !found.done) found.next();
(await createLedger({ wasm: fetch(core) })).read([await headOf({ name: 'x', size: 1, read: async () => new Uint8Array(1) })]);
(await loadLedger()).count(same2.ok ? {} : '');
// @ts-expect-error: it has to be given
createLedger({});
const { count } = await load();
const answer: Answer = count({ model_type: 'llama' });
export const total: string = answer.ok ? answer.totals.parameters + answer.version : answer.error.message + version;
// @ts-expect-error: a total is a string
export const wrong: number = total;
const element = document.createElement('param-ledger');
export const same: ParamLedgerElement = element;
element.model = 'openai-community/gpt2';
element.addEventListener('ledger-answer', ({ detail }) => detail.answer.totals.parameters);
element.addEventListener('ledger-error', ({ detail }) => detail.message.length);
// @ts-expect-error: names are text
element.model = 5;
if (answer.ok) {
  // @ts-expect-error: a sum that is misspelt
  answer.totals.paramters;
  // @ts-expect-error: no part of any model
  answer.parts.filter(({ part }) => part === 'atention');
  // @ts-expect-error: no kind of tensor
  answer.tensors.filter(({ kind }) => kind === 'parameters');
  // @ts-expect-error: not what a tensor is
  answer.tensors.filter(({ role }) => role === 'matrx');
}
export const names: [Part, TensorRow['kind'], TensorRow['role'], keyof Totals] = ['state_space', 'tied', 'table', 'published'];
interface Llama { model_type: 'llama'; hidden_size: number }
declare const own: Llama, unknowns: Record<string, unknown>, any: object;
for (const config of ['{}', {}, { model_type: 'llama' }, own, unknowns, any, new Uint8Array(1), new ArrayBuffer(1), new DataView(new ArrayBuffer(1))]) count(config);
// @ts-expect-error: wait for it first
count(Promise.resolve({ model_type: 'llama' }));
// @ts-expect-error: its text, or its json
count(await fetch('config.json'));
// @ts-expect-error: its text
count(new Blob());
// @ts-expect-error: one of them
count([{ model_type: 'llama' }]);
// @ts-expect-error: Object.fromEntries of it
count(new Map());
// @ts-expect-error: no configuration
count(() => ({}));
// @ts-expect-error: no configuration
count(null);
const ledger = await whole();
ledger.memory(own, { tokens: 4096n, batch: '2' });
// @ts-expect-error: no option
ledger.memory(own, { contxt: 5 });
// @ts-expect-error: no configuration
ledger.read('x', { config: Promise.resolve({}) });`;

for (const [name, module, moduleResolution] of /** @type {const} */ ([
  ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
  ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
])) {
  test(`TypeScript finds its types under ${name}`, () => {
    const path = join(folder, `${name}.ts`);
    writeFileSync(path, CONSUMER);
    const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module, moduleResolution, types: [] };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([path], options));
    assert.deepEqual(
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      [],
    );
  });
}

/**
 * The element in the syntax of each framework: `source` is correct, `wrong` contains a mistake.
 * @type {Record<string, { names: string[], source: string, wrong: string }>}
 */
const FRAMEWORKS = {
  react: {
    names: ['@types/react', 'csstype'],
    source: `<param-ledger model="gpt2" config={{ model_type: 'gpt2' }} theme="dark" style={{ height: 3 }} ref={(element) => void element?.answers} onledger-error={({ detail }) => detail.code.length}>GPT-2</param-ledger>`,
    wrong: `<param-ledger theme="drak" />`,
  },
  preact: {
    names: ['preact'],
    source: `<param-ledger model="gpt2" config={{ model_type: 'gpt2' }} class="x" onledger-answer={({ detail }) => detail.answer.totals.active}>GPT-2</param-ledger>`,
    wrong: `<param-ledger modle="gpt2" />`,
  },
  svelte: {
    names: ['svelte'],
    source: `(({ model: 'gpt2', class: 'x', 'onledger-answer': ({ detail }) => detail.answer.totals.active }) satisfies import('svelte/elements').SvelteHTMLElements['param-ledger'])`,
    wrong: `(({ theme: 'drak' }) satisfies import('svelte/elements').SvelteHTMLElements['param-ledger'])`,
  },
};

for (const [name, { names, source, wrong }] of Object.entries(FRAMEWORKS)) {
  test(`${name} knows the element`, () => {
    for (const one of names) {
      const place = join(folder, 'node_modules', one);
      const from = [new URL(`../node_modules/${one}`, import.meta.url), new URL(`../../web/node_modules/${one}`, import.meta.url)];
      mkdirSync(dirname(place), { recursive: true });
      if (!existsSync(place)) symlinkSync(fileURLToPath(/** @type {URL} */ (from.find((each) => existsSync(each)))), place, 'dir');
    }
    const path = join(folder, `in-${name}.tsx`);
    writeFileSync(
      path,
      `import 'param-ledger/jsx/${name}';\nexport const right = ${source};\n// @ts-expect-error: a mistake\nexport const wrong = ${wrong};\n`,
    );
    const found = ts.getPreEmitDiagnostics(
      ts.createProgram([path], {
        strict: true,
        noEmit: true,
        skipLibCheck: name !== 'react', // some frameworks' own declarations have type errors
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        jsx: ts.JsxEmit.ReactJSX,
        jsxImportSource: name,
        preserveSymlinks: true,
        types: [],
      }),
    );
    assert.deepEqual(
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      [],
    );
  });
}

test('its types refer only to public names', () => {
  const types = readFileSync(file('param-ledger.d.ts'), 'utf8');
  assert.doesNotMatch(types, /export interface NoConfig/);
  assert.match(types, /export declare function load\(options\?: LoadOptions\): Promise<Counter>;/);
  assert.match(types, /export declare function whole\(options\?: LoadOptions\): Promise<Ledger>;/);
  assert.doesNotMatch(types, /Raw|#|from '/);
});

test('the totals alone equal those of the full answer', async () => {
  const { whole } = await import(file('param-ledger.js'));
  const { count, totals, catalog } = await whole();
  for (const { model_type } of catalog().families) {
    const answer = count({ model_type });
    const sums = totals({ model_type });
    assert.deepEqual(sums.ok && sums.totals, answer.ok && answer.totals, model_type);
  }
  assert.equal(totals('{').ok, false);
});

test('custom-elements.json lists the element’s members', async () => {
  const [{ declarations }] = JSON.parse(readFileSync(file('custom-elements.json'), 'utf8')).modules;
  const [{ attributes, members, cssParts, cssProperties, events }] = declarations;
  const source = (/** @type {string} */ name) => readFileSync(fileURLToPath(new URL(`../../web/${name}`, import.meta.url)), 'utf8');
  const { ParamLedgerElement } = await import(file('element.js'));
  const names = (/** @type {{ name: string }[]} */ list) => list.map(({ name }) => name).sort();
  assert.deepEqual(names(attributes), [...ParamLedgerElement.observedAttributes].sort());
  const own = Object.entries(Object.getOwnPropertyDescriptors(ParamLedgerElement.prototype));
  assert.deepEqual(names(members), own.flatMap(([name, { get }]) => (get ? [name] : [])).sort()); // prettier-ignore
  const drawn = source('views/compact-view.tsx') + source('parts/derived-compact.tsx') + source('widget/display.ts');
  for (const part of names(cssParts)) assert.match(drawn, new RegExp(`part(=|: )["']${part}["']`), part);
  for (const property of names(cssProperties))
    assert.ok((source('styles/tokens.css') + source('widget/style.css')).includes(property), property);
  for (const event of names(events)) assert.ok(drawn.includes(`'${event}'`), event);
});
