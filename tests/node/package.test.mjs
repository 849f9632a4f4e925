// The package and its build: what an embedder relies on.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import * as ledger from '../../web/dist/param-ledger.mjs';

const dist = new URL('../../web/dist/', import.meta.url);

test('it exports load, which starts one core', () => {
  assert.deepEqual(Object.keys(ledger), ['load']);
  assert.equal(ledger.load(), ledger.load());
});

test('it runs where text may not become code', () => {
  const program = `import { load } from '${new URL('param-ledger.mjs', dist)}'; const { count } = await load(); console.log(count('{"model_type":"llama"}').ok);`;
  const printed = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program]);
  assert.equal(String(printed), 'true\n');
});

test('a build is the same every time', () => {
  const again = mkdtempSync(join(tmpdir(), 'param-ledger-'));
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL('../../web/build.mjs', import.meta.url)), again]);
    assert.deepEqual(readdirSync(again), readdirSync(dist));
    for (const name of readdirSync(again)) assert.ok(readFileSync(join(again, name)).equals(readFileSync(new URL(name, dist))), name);
  } finally {
    rmSync(again, { recursive: true });
  }
});

for (const [name, module] of /** @type {const} */ ([
  ['nodenext', ts.ModuleKind.NodeNext],
  ['bundler', ts.ModuleKind.ESNext],
])) {
  test(`its types are found by TypeScript under ${name}`, () => {
    const source = `import { load, type Answer } from './param-ledger.mjs';
const { count } = await load();
const answer: Answer = count({ model_type: 'llama' });
export const total: string = answer.ok ? answer.totals.parameters : answer.error.message;
// @ts-expect-error: a total is a string
export const wrong: number = total;`;
    const moduleResolution = name === 'nodenext' ? ts.ModuleResolutionKind.NodeNext : ts.ModuleResolutionKind.Bundler;
    const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module, moduleResolution, types: [] };
    const file = fileURLToPath(new URL('consumer.mts', dist));
    const host = ts.createCompilerHost(options);
    const { fileExists, getSourceFile } = host;
    host.fileExists = (path) => path === file || fileExists(path);
    host.getSourceFile = (path, version) => (path === file ? ts.createSourceFile(path, source, version) : getSourceFile(path, version));
    const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
    assert.deepEqual(
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      [],
    );
  });
}

test('its types name only what is public', () => {
  const types = readFileSync(new URL('param-ledger.d.mts', dist), 'utf8');
  assert.match(types, /export declare function load\(options\?: LoadOptions\): Promise<Ledger>;/);
  assert.doesNotMatch(types, /Raw|#|from '/);
});

test('the wasm may be served by the caller', async () => {
  const program = `import { readFile } from 'node:fs/promises';
import { load } from '${new URL('param-ledger.mjs', dist)}';
const name = ${JSON.stringify(readdirSync(dist).find((file) => file.endsWith('.wasm')))};
const { totals } = await load({ wasm: readFile(new URL(name, '${dist}')) });
console.log(totals({ model_type: 'llama' }).totals.parameters);`;
  assert.equal(String(execFileSync(process.execPath, ['--input-type=module', '--eval', program])), '6738415616\n');
});

test('the sums alone are those of the whole answer', async () => {
  const { count, totals, catalog } = await ledger.load();
  for (const { model_type } of catalog().families) {
    const answer = count({ model_type });
    const sums = totals({ model_type });
    assert.deepEqual(sums.ok && sums.totals, answer.ok && answer.totals, model_type);
  }
  assert.equal(totals('{').ok, false);
});
