// Tests the user's own models in the table of models.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { findModelBase, createTypeBase } from '../../../web/models/catalogue.ts';
import { listOwnModels, parsePastedLines, listVisitedTypes } from '../../../web/models/own-models.ts';

test('unchanged published models are in the catalogue already; edited and opened ones are the user’s own', async () => {
  const base = await findModelBase('meta-llama/Llama-3.1-8B');
  assert.ok(base);
  const edited = { base, text: base.text.replace('32', '40') };
  const own = listOwnModels([{ base, text: base.text }, edited, { title: 'mine.json', text: '{"model_type":"gpt2"}' }]);
  assert.deepEqual(own.map(({ id, name, entry }) => [id, name, entry === edited]), [['', 'Llama 3.1 8B, edited', true], ['', 'mine.json', false]]); // prettier-ignore
});

test('visited model types have their defaults; one that is on the page is not repeated', () => {
  const visited = /** @type {const} */ ([{ kind: 'type', id: 'llama' }, { kind: 'model', id: 'openai-community/gpt2' }, { kind: 'type', id: 'bert' }]); // prettier-ignore
  const base = createTypeBase('bert', ledger);
  const listed = listVisitedTypes(visited, [{ base, text: base.text }], ledger);
  assert.deepEqual(listed.map(({ name, visited: is }) => [name, is]), [['llama', true]]); // prettier-ignore
  assert.equal(counted(listed[0].config).totals.parameters, '6738415616');
  const edited = { base, text: base.text.replace('}', ',"hidden_size":64}') };
  assert.deepEqual(listVisitedTypes(visited, [edited], ledger).map(({ name }) => name), ['llama', 'bert']); // prettier-ignore
});

test('lines in the command line’s form', () => {
  const lines = '{"model_type":"gpt2"}\r\n\n{"id":7,"config":{"model_type":"t5"}}\n{"id":"a","config":"{\\"model_type\\":\\"bert\\"}"}\nno';
  assert.deepEqual(
    parsePastedLines(lines).map(({ name, config }) => [name, config]),
    [
      ['line 1', '{"model_type":"gpt2"}'],
      ['7', '{"model_type":"t5"}'],
      ['a', '{"model_type":"bert"}'],
      ['line 5', 'no'],
    ],
  );
});
