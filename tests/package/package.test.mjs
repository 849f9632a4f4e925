// The packed package: what it holds, what its modules and types give, in Node and to TypeScript.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkPackage, Package } from '@arethetypeswrong/core';
import { publint } from 'publint';
import ts from 'typescript';
import { file, folder, packedFiles, program } from './installed.mjs';

const dist = new URL('../../web/dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(file('package.json'), 'utf8'));

test('a build is the same every time', () => {
  const again = mkdtempSync(join(tmpdir(), 'param-ledger-'));
  const files = (/** @type {string | URL} */ place) =>
    readdirSync(place, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath ?? entry.path, entry.name).slice(String(place instanceof URL ? fileURLToPath(place) : `${place}/`).length),
      )
      .sort();
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL('../../web/build.mjs', import.meta.url)), again]);
    assert.deepEqual(files(again), files(dist));
    for (const name of files(again)) assert.ok(readFileSync(join(again, name)).equals(readFileSync(new URL(name, dist))), name);
  } finally {
    rmSync(again, { recursive: true });
  }
});

test('it holds what is needed and nothing else', () => {
  assert.deepEqual(
    packedFiles.filter((name) => !/^chunks\/[\w-]+\.js$/.test(name)),
    [
      'LICENSE',
      'README.md',
      'cli.js',
      'core.wasm',
      'count.wasm',
      'custom-elements.json',
      'define.d.ts',
      'define.js',
      'element.d.ts',
      'element.js',
      'models.json',
      'package.json',
      'param-ledger.d.ts',
      'param-ledger.js',
      'widget-derivation.js',
      'widget.js',
    ],
  );
  for (const target of [
    ...Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry))),
    ...manifest.sideEffects,
  ]) {
    assert.ok(existsSync(file(target)), target);
  }
  for (const name of packedFiles) assert.doesNotMatch(readFileSync(file(name), 'latin1').slice(0, 200_000), /\/(?:work|root|tmp)\//, name);
  // Addresses are those that the build was told; provenance is npm's to prove.
  if (!process.env.PARAM_LEDGER_SOURCE) assert.equal('repository' in manifest, false);
  assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
  assert.equal(manifest.version, JSON.parse(readFileSync(new URL('../../web/package.json', import.meta.url), 'utf8')).version);
});

test('publint and attw find nothing', async () => {
  const { messages } = await publint({ pkgDir: file('.'), strict: true });
  assert.deepEqual(messages, []);
  // By the profile that attw calls esm-only. Its own reader of tarballs fails on large ones.
  const files = packedFiles.map((name) => [`/node_modules/param-ledger/${name}`, new Uint8Array(readFileSync(file(name)))]);
  const analysis = await checkPackage(new Package(Object.fromEntries(files), manifest.name, manifest.version), {
    excludeEntrypoints: ['./core.wasm', './count.wasm', './custom-elements.json', './package.json'],
  });
  assert.ok(analysis.types, 'its types are found');
  assert.deepEqual(
    analysis.problems.filter((problem) => !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind)),
    [],
  );
});

test('its modules give what they say, and importing them needs no browser', () => {
  assert.equal(program("console.log(Object.keys(await import('param-ledger')).join())"), 'counterFor,load,version,whole\n');
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

test('it counts where text may not become code', () => {
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

test('the wasm may be served by the caller', () => {
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

const CONSUMER = `import { load, version, type Answer } from 'param-ledger';
import { ParamLedgerElement } from 'param-ledger/element';
import 'param-ledger/define';
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
element.model = 5;`;

for (const [name, module, moduleResolution] of /** @type {const} */ ([
  ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
  ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
])) {
  test(`its types are found by TypeScript under ${name}`, () => {
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

test('its types name only what is public', () => {
  const types = readFileSync(file('param-ledger.d.ts'), 'utf8');
  assert.match(types, /export declare function load\(options\?: LoadOptions\): Promise<Counter>;/);
  assert.match(types, /export declare function whole\(options\?: LoadOptions\): Promise<Ledger>;/);
  assert.doesNotMatch(types, /Raw|#|from '/);
});

test('the sums alone are those of the whole answer', async () => {
  const { whole } = await import(file('param-ledger.js'));
  const { count, totals, catalog } = await whole();
  for (const { model_type } of catalog().families) {
    const answer = count({ model_type });
    const sums = totals({ model_type });
    assert.deepEqual(sums.ok && sums.totals, answer.ok && answer.totals, model_type);
  }
  assert.equal(totals('{').ok, false);
});
