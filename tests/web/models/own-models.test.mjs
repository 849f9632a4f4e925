// Models of the reader's own beside the published ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { findModelBase, createTypeBase } from '../../../web/models/catalogue.ts';
import { listOwnModels, parsePastedLines, listVisitedTypes } from '../../../web/models/own-models.ts';

test('what is published as it is stands in the catalogue already; what was edited or brought is one’s own', async () => {
  const base = await findModelBase('meta-llama/Llama-3.1-8B');
  assert.ok(base);
  const edited = { base, text: base.text.replace('32', '40') };
  const own = listOwnModels([{ base, text: base.text }, edited, { title: 'mine.json', text: '{"model_type":"gpt2"}' }]);
  assert.deepEqual(own.map(({ id, name, entry }) => [id, name, entry === edited]), [['', 'Llama 3.1 8B, edited', true], ['', 'mine.json', false]]); // prettier-ignore
});

test('model types that were visited, with their defaults; one that stands on the page is there already', () => {
  const visited = /** @type {const} */ ([{ kind: 'type', id: 'llama' }, { kind: 'model', id: 'openai-community/gpt2' }, { kind: 'type', id: 'bert' }]); // prettier-ignore
  const base = createTypeBase('bert', ledger);
  const listed = listVisitedTypes(visited, [{ base, text: base.text }], ledger);
  assert.deepEqual(listed.map(({ name, visited: is }) => [name, is]), [['llama', true]]); // prettier-ignore
  assert.equal(counted(listed[0].config).totals.parameters, '6738415616');
  const edited = { base, text: base.text.replace('}', ',"hidden_size":64}') };
  assert.deepEqual(listVisitedTypes(visited, [edited], ledger).map(({ name }) => name), ['llama', 'bert']); // prettier-ignore
});

test('lines as the command line takes them', () => {
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
