// What is pasted or dropped is recognised, and what is no configuration is told as what it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../bundled.mjs';

const { recognise } = await bundled('lib/inputs/recognise.ts');
const { dropped, readFile } = await bundled('lib/inputs/files.ts');

test('a configuration, also in a block of code', () => {
  assert.deepEqual(recognise(' {"a": 1}'), { kind: 'config', text: ' {"a": 1}' });
  assert.deepEqual(recognise('```json\n{"a": 1}\n```\n'), { kind: 'config', text: '{"a": 1}' });
  assert.equal(recognise('\ufeff{"a": 1}').kind, 'config');
  assert.equal(recognise('{broken').kind, 'config', 'the core says what is wrong with it');
});

test('the name of a model', () => {
  assert.deepEqual(recognise('meta-llama/Llama-3.1-8B\n').id, 'meta-llama/Llama-3.1-8B');
  assert.equal(recognise('https://huggingface.co/a/b/blob/main/config.json').id, 'a/b');
});

test('whatever else it is, the page can say so, and what it accepts', () => {
  for (const [text, what] of /** @type {[string, RegExp][]} */ ([
    ['', /nothing in it/],
    ['[1, 2]', /a list/],
    ['<!DOCTYPE html><html>', /web page/],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:1', /Git LFS/],
    ['GGUF\0\0\0\u0003', /binary/],
    ['LlamaForCausalLM(\n  (model): LlamaModel(', /printed model/],
    ['4096', /a number/],
    ['hello world, how many parameters?', /“hello world, how many parameters\?”/],
  ])) {
    const said = recognise(text);
    assert.equal(said.kind, 'other', text);
    assert.match(said.what, what);
    assert.match(said.what, /Accepted are a config\.json/);
  }
});

/** @param {Partial<DataTransferItem>} item @param {File[]} [files] */
const transfer = (item, files = []) => ({ items: [{ kind: 'file', getAsFile: () => files[0] ?? null, ...item }], files });

test('a folder is opened for its config.json', async () => {
  const folder = (/** @type {any} */ getFile) =>
    transfer({ webkitGetAsEntry: () => ({ isDirectory: true, name: 'Llama-3.1-8B', getFile }) });
  const file = { size: 2, text: async () => '{}', name: 'config.json' };
  const full = folder((/** @type {any} */ _name, /** @type {any} */ _options, /** @type {any} */ done) =>
    done({ file: (/** @type {any} */ take) => take(file) }),
  );
  assert.deepEqual(await dropped(full), { name: 'Llama-3.1-8B', text: '{}' });
  const empty = folder((/** @type {any} */ _name, /** @type {any} */ _options, /** @type {any} */ _done, /** @type {any} */ fail) =>
    fail(new Error('not found')),
  );
  await assert.rejects(dropped(empty), /The folder Llama-3\.1-8B holds no config\.json/);
});

test('what cannot be read and what is too large is told', async () => {
  await assert.rejects(readFile({ size: 5, name: 'x', text: () => Promise.reject(new Error('gone')) }), /x could not be read/);
  await assert.rejects(readFile({ size: 1_000_001, name: 'x' }), /1,000,001 bytes/);
  assert.equal(dropped({ items: [], files: [] }), undefined);
});
