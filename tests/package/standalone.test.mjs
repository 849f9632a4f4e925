// Tests param-ledger.wasi.wasm, the full program for hosts without JavaScript. It must have no imports and give the answers of core.wasm,
// and the example in the documentation must run in Python.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startCore } from '../../web/core/core.ts';
import { packReadRequest } from '../../web/core/read-request.ts';
import { packTexts } from '../../web/core/write-input.ts';
import { dataText } from '../data.mjs';
import { cases, files } from '../node/oracle.mjs';

/** @typedef {import('../../web/core/core.ts').Question} Question */

const dist = new URL('../../web/dist/', import.meta.url);
const program = new WebAssembly.Module(readFileSync(new URL('param-ledger.wasi.wasm', dist)));
const encoder = new TextEncoder();
const bytes = (/** @type {unknown} */ value) => encoder.encode(typeof value === 'string' ? value : JSON.stringify(value));

/** Starts the program. The returned function sends a request as web/docs/api.md describes. */
function standalone() {
  const exports = /** @type {Record<string, any>} */ (new WebAssembly.Instance(program).exports);
  exports._initialize();
  return (/** @type {string} */ question, /** @type {readonly Uint8Array[]} */ pieces) => {
    const input = Buffer.concat(pieces);
    const room = exports.room(input.length);
    new Uint8Array(exports.memory.buffer).set(input, room);
    const at = exports[`ask_${question}`]();
    return Buffer.from(exports.memory.buffer, at, exports.answer_size()).toString();
  };
}

test('it has no imports, and a function for each question', () => {
  assert.deepEqual(WebAssembly.Module.imports(program), []);
  const names = WebAssembly.Module.exports(program).map(({ name }) => name);
  for (const name of ['_initialize', 'memory', 'room', 'answer_size']) assert.ok(names.includes(name), name);
  const bindings = ['counts.cpp', 'questions.cpp'].map((name) => readFileSync(new URL(`../../wasm/${name}`, import.meta.url), 'utf8'));
  const questions = [...bindings.join().matchAll(/\{"(\w+)", &/g)].map(([, name]) => `ask_${name}`);
  assert.deepEqual(names.filter((name) => name.startsWith('ask_')).sort(), questions.sort());
});

test('a question with another number of texts than it has is not answered', () => {
  for (const input of [[], [2], [2, 0, 0], [2, 0, 0, 0], [2, 0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0], [255, 255, 255, 255]])
    assert.equal(standalone()('memory', [Uint8Array.from(input)]), '', String(input));
});

/** The seed inputs of a fuzz target in tests/fuzz. @param {string} reader */
const seeds = (reader) => {
  const folder = new URL(`../fuzz/corpus/${reader}/`, import.meta.url);
  return readdirSync(folder).map((name) => new Uint8Array(readFileSync(new URL(name, folder))));
};
/** @param {Uint8Array} content @param {string} name */
const request = (content, name) => packReadRequest([{ name, bytes: content }], undefined, undefined);

const all = files().flatMap((file) => cases(file));
/** Every sixth of the recorded default configurations, of which there is at most one for each class of a model type. */
const some = all
  .filter(({ id }) => id.endsWith('/default'))
  .filter((_, i) => i % 6 === 0)
  .map(({ config }) => bytes(config));

/** The requests of each kind. Many are answered, others refused. @type {Record<string, () => [Question, readonly Uint8Array[]][]>} */
const asked = {
  'the totals of all cases of the oracle': () => all.map(({ config }) => ['totals', [bytes(config)]]),
  'counts and derivations': () =>
    some.flatMap((config) => [
      ['count', [config]],
      ['derive', [config]],
    ]),
  'refusals, and configurations that a fuzzer found': () =>
    [...JSON.parse(dataText('refusals.json')).map((/** @type {{ text: string }} */ { text }) => bytes(text)), ...seeds('config')].map(
      (text) => ['count', [text]],
    ),
  'memory, operations and devices': () =>
    some.flatMap((config) => [
      ['memory', packTexts(config, bytes({ tokens: 4096 }))],
      ['operations', packTexts(config, bytes({ tokens: 64 }))],
      ['devices', packTexts(config, bytes({ tensor: 2 }))],
    ]),
  'claims, articles and lessons': () => [
    ...seeds('claim').map((text) => /** @type {[Question, readonly Uint8Array[]]} */ (['check', packTexts(bytes({ model_type: 'mixtral' }), text)])), // prettier-ignore
    ...seeds('article').map((text) => /** @type {[Question, readonly Uint8Array[]]} */ (['article', [text]])),
    ...seeds('lesson').map((text) => /** @type {[Question, readonly Uint8Array[]]} */ (['lesson', packTexts(text, bytes({}))])),
  ],
  'files and pasted text': () =>
    Object.entries({ torch: 'a.pt', gguf: 'a.gguf', safetensors: 'a.safetensors', printed_model: '', tensor_list: '', notation: '', fit: '' }) // prettier-ignore
      .flatMap(([reader, name]) => seeds(reader).map((content) => /** @type {[Question, readonly Uint8Array[]]} */ (['read', request(content, name)]))), // prettier-ignore
  'comparisons and searches': () => [
    ['compare', packTexts(bytes({ model_type: 'llama' }), bytes({ model_type: 'gpt2' }))],
    ['compare', packTexts(bytes({ model_type: 'llama' }), bytes('{'))],
    ['counterfactuals', [bytes({ model_type: 'deepseek_v3' })]],
    ['search', packTexts(bytes({ model_type: 'llama' }), bytes({ target: '7B', vary: [{ field: 'num_hidden_layers', from: 24, to: 40, step: 1 }], budget: 3 }))], // prettier-ignore
    ['search_step', [bytes({ budget: 100 })]],
  ],
};

for (const [what, questions] of Object.entries(asked)) {
  test(`it answers like core.wasm: ${what}`, async () => {
    const core = await startCore(readFileSync(new URL('package/core.wasm', dist)));
    const ask = standalone();
    let refused = 0;
    for (const [question, pieces] of questions()) {
      const answer = ask(question, pieces);
      if (answer.startsWith('{"ok":false')) refused++;
      if (answer !== core.ask(question, pieces)) assert.equal(answer, core.ask(question, pieces), Buffer.concat(pieces).toString());
    }
    if (what.startsWith('refusals')) assert.ok(refused > 100, String(refused));
  });
}

/**
 * The path of a Python interpreter with wasmtime, which is installed if it is missing. If the installation fails, the reason.
 * @returns {{ python?: string, missing?: string }}
 */
function pythonWithWasmtime() {
  const folder = fileURLToPath(new URL('../../.build/python/', import.meta.url));
  const python = join(folder, 'bin/python');
  const run = (/** @type {string} */ program, /** @type {string[]} */ ...words) =>
    spawnSync(program, words, { stdio: 'ignore' }).status === 0;
  const has = () => run(python, '-c', 'import wasmtime');
  if (has()) return { python };
  if (!run('python3', '-m', 'venv', '--clear', folder)) return { missing: 'python3 cannot make a venv' };
  if (!run(python, '-m', 'pip', 'install', '--quiet', 'wasmtime') || !has()) return { missing: 'wasmtime cannot be installed from PyPI' };
  return { python };
}

const { python, missing } = pythonWithWasmtime();

test('the example in web/docs/api.md runs in Python', { skip: missing }, () => {
  const text = readFileSync(new URL('../../web/docs/api.md', import.meta.url), 'utf8');
  const [, example] = /^```python\n(.*?)^```$/ms.exec(text) ?? [];
  const checked = example.replaceAll(/^(ask\(.*\S) {2}# ('.*')$/gm, 'assert $1 == $2');
  assert.equal(checked.match(/^assert/gm)?.length, 2);
  const { status, stderr } = spawnSync(String(python), ['-c', checked], { cwd: fileURLToPath(dist) });
  assert.equal(status, 0, String(stderr));
});
