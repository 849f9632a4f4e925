// Tests a model and its edits in the form in which the page stores them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import * as model from '../../../web/models/model.ts';
import { firstModel, createTypeBase } from '../../../web/models/catalogue.ts';
import { formatHash } from '../../../web/config/link.ts';

const { isEdited, nameOf, openModel, undoOrRedo, editField } = model;

const first = openModel(ledger, { base: firstModel, text: firstModel.text });

test('retyping the same value is not an edit, and the link stays short', async () => {
  const cleared = editField(ledger, first, 'hidden_size', undefined);
  assert.equal(isEdited(cleared.entry), true);
  const again = editField(ledger, editField(ledger, cleared, 'hidden_size', '409'), 'hidden_size', '4096');
  assert.equal(isEdited(again.entry), false);
  assert.equal(again.entry.text, firstModel.text, 'in its place');
  assert.equal(await formatHash([again.entry]), '#m=meta-llama/Llama-3.1-8B');
  const head = editField(ledger, editField(ledger, first, 'architectures', undefined), 'architectures', '["LlamaForCausalLM"]');
  assert.deepEqual(Object.keys(JSON.parse(head.entry.text)), Object.keys(JSON.parse(firstModel.text)), 'also as the first');
});

test('edits of one field are one step of undo', () => {
  const typed = ['8', '81', '819', '8192'].reduce((now, digits) => editField(ledger, now, 'hidden_size', digits), first);
  assert.equal(typed.past.length, 1);
  assert.equal(typed.before, first.shown);
  const back = undoOrRedo(ledger, typed, 'undo');
  assert.equal(back.entry.text, firstModel.text);
  assert.equal(undoOrRedo(ledger, back, 'redo').entry.text, typed.entry.text);
});

test('undo from one model to another claims no edit', () => {
  const other = openModel(ledger, { base: createTypeBase('gpt2', ledger), text: createTypeBase('gpt2', ledger).text }, first);
  const back = undoOrRedo(ledger, other, 'undo');
  assert.equal(nameOf(back.entry), 'Llama 3.1 8B');
  assert.equal(back.before, undefined);
});

test('a refused text keeps the last valid answer, and its model’s name', () => {
  const refused = editField(ledger, first, 'hidden_size', '"wide"');
  assert.equal(refused.answer.ok, false);
  assert.equal(refused.shown, first.shown);
  assert.equal(refused.shownOf, first.entry);
  assert.equal(refused.blamed, 'hidden_size');
  assert.ok(refused.form.fields.some(({ name }) => name === 'hidden_size'));
});

test('the form of a refused text has that text’s defaults, not the previous model’s', () => {
  const text = '{"model_type": "llama", "hidden_size": 2050, "num_attention_heads": 32}';
  const { form } = openModel(ledger, { text }, first);
  const valueOf = (/** @type {string} */ field) => form.fields.find(({ name }) => name === field)?.value;
  assert.deepEqual(['intermediate_size', 'vocab_size', 'num_key_value_heads'].map(valueOf), [11008, 32000, 32]);
});

test('a required field is in the form', () => {
  const missing = openModel(ledger, { text: createTypeBase('ministral', ledger).text });
  assert.equal(missing.answer.ok, false);
  assert.ok(missing.form.fields.some(({ name }) => name === 'head_dim'));
});

test('a model whose type is not loaded yet keeps the number before it; a refused one does not', () => {
  /** @type {any} */
  const loading = { ...ledger, count: () => ({ ok: false, error: { code: 'not_loaded', field: 'model_type', message: '' } }) };
  assert.equal(openModel(loading, { text: '{"model_type": "swin"}' }, first).shown, first.shown);
  assert.equal(openModel(ledger, { text: '{"model_type": "swinn"}' }, first).shown, undefined);
});

test('two hundred steps can be undone', () => {
  let now = first;
  for (let i = 0; i < 201; i++) now = openModel(ledger, { text: `{"model_type": "gpt2", "n_layer": ${i}}` }, now);
  assert.equal(now.past.length, 200);
  assert.equal(now.past[0].text, '{"model_type": "gpt2", "n_layer": 0}', 'the first model is the oldest');
});
