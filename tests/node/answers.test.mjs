// Tests invariants of every answer: it has the types in web/types/index.ts, its numbers add up, and its formulas evaluate to its numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { whole } from '../../web/dist/package/param-ledger.js';
import { evaluate, value } from './formula.mjs';
import { cases, files } from './oracle.mjs';
import { copies } from './tensors.mjs';

/** @typedef {import('../../web/types/index.ts').CountAnswer} CountAnswer */

const ledger = await whole();
const types = new URL('../../web/dist/package/param-ledger.d.ts', import.meta.url);

const refusals = ['', '{', '{"model_type": "lama"}', '{"model_type": "llama", "hidden_size": 2.5}'].map((config) => ledger.count(config));
const answers = files()
  .flatMap((file) => cases(file))
  .map(({ id, config }) => ({ id, answer: ledger.count(config) }));

/** @param {string} what @param {(answer: CountAnswer) => void} check */
const everywhere = (what, check) =>
  test(what, () => {
    for (const { id, answer } of answers) {
      if (!answer.ok) continue; // refusals are tested in cases.test.mjs
      try {
        check(answer);
      } catch (error) {
        throw new Error(`${id}: ${error}`, { cause: error });
      }
    }
  });

/** @param {Iterable<string>} counts */
const sum = (counts) => [...counts].reduce((total, count) => total + BigInt(count), 0n);

/** Maps the name or the symbol of each quantity to its value. @param {CountAnswer} answer @param {'name' | 'symbol'} key */
const valuesBy = (answer, key) => new Map(answer.symbols.map((row) => [row[key], BigInt(row.value)]));

test('answers and refusals have the promised types', () => {
  const one = new Map(answers.map(({ id, answer }) => [id.split('/')[0], answer])); // the last answer of each model type
  const lines = [...one.values(), ...refusals, ledger.totals({ model_type: 'llama' })].map((answer) => `check(${JSON.stringify(answer)});`);
  const source = `import type { Answer, Catalog, TotalsAnswer } from './param-ledger.js';
declare function check(answer: Answer | TotalsAnswer): void;
const catalog: Catalog = ${JSON.stringify(ledger.catalog())};
${lines.join('\n')}`;
  assert.deepEqual(typeErrors(source), []);
});

everywhere('the totals are the sums of the rows', ({ totals, tensors, parts }) => {
  const rows = (/** @type {string} */ kind) => tensors.filter((row) => row.kind === kind);
  assert.equal(BigInt(totals.parameters), sum(rows('parameter').map(({ total }) => total)));
  assert.equal(BigInt(totals.buffers), sum(rows('buffer').map(({ total }) => total)));
  assert.equal(BigInt(totals.stored), BigInt(totals.parameters) + BigInt(totals.buffers));
  assert.equal(BigInt(totals.active), sum(rows('parameter').map(({ active }) => active)));
  assert.equal(BigInt(totals.parameters), BigInt(totals.embedding) + BigInt(totals.output_head) + BigInt(totals.non_embedding));
  for (const { part, parameters, buffers } of parts) {
    const of = (/** @type {string} */ kind) =>
      sum(
        rows(kind)
          .filter((row) => row.part === part)
          .map(({ total }) => total),
      );
    assert.deepEqual([of('parameter'), of('buffer')], [BigInt(parameters), BigInt(buffers)], part);
  }
  assert.equal(sum(parts.map(({ parameters }) => parameters)), BigInt(totals.parameters));
});

everywhere('a row is its shape times its copies', ({ tensors }) => {
  for (const row of tensors) {
    assert.equal(
      BigInt(row.elements),
      row.shape.reduce((product, size) => product * BigInt(size), 1n),
      row.name,
    );
    assert.equal(BigInt(row.copies), copies(row.name), row.name);
    assert.equal(BigInt(row.total), BigInt(row.elements) * BigInt(row.copies), row.name);
    assert.ok(BigInt(row.active) <= BigInt(row.total), row.name);
  }
});

everywhere('every formula gives its number, as a tree, in names and in numbers', (answer) => {
  const [names, symbols] = [valuesBy(answer, 'name'), valuesBy(answer, 'symbol')];
  assert.equal(names.size, answer.symbols.length, 'a name stands twice');
  assert.equal(symbols.size, answer.symbols.length, 'a symbol stands for two names');
  for (const { name, total, math, formula, substitution } of answer.tensors) {
    for (const result of [value(math, answer.symbols), evaluate(formula, names), evaluate(substitution, new Map())])
      assert.equal(result, BigInt(total), name);
  }
  const { formula, totals } = answer;
  assert.equal(formula.value, totals.parameters);
  for (const result of [
    value(formula.math, answer.symbols),
    evaluate(formula.symbols, symbols),
    evaluate(formula.substitution, new Map()),
  ]) {
    assert.equal(result, BigInt(formula.value));
  }
});

/** The errors that TypeScript reports for a module that uses the package's declarations. @param {string} source */
function typeErrors(source) {
  const name = new URL('answers.mts', types).pathname;
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.getSourceFile = (path, version) => (path === name ? ts.createSourceFile(path, source, version) : getSourceFile(path, version));
  const program = ts.createProgram([name], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test('an integer that a JavaScript number cannot hold is a string of digits', () => {
  const answer = ledger.count(
    '{"model_type": "mamba", "hidden_size": 8, "vocab_size": 9007199254740993, "bos_token_id": -9007199254740995}',
  );
  assert.ok(answer.ok);
  const valueOf = (/** @type {string} */ field) => answer.fields.find(({ name }) => name === field)?.value;
  assert.deepEqual([valueOf('vocab_size'), valueOf('bos_token_id')], ['9007199254740993', '-9007199254740995']);
});
