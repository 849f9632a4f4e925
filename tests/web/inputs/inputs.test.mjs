// Tests how pasted and dropped inputs are recognised. If an input cannot be used, the message must say what it is.

import { File } from 'node:buffer';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataLines } from '../../data.mjs';
import { ledger } from '../ledger.mjs';
import { recognise } from '../../../web/inputs/recognise.ts';
import { readDropped, readFile } from '../../../web/inputs/files.ts';

test('a configuration, also in a block of code', () => {
  for (const [text, config] of [
    [' {"a": 1}', ' {"a": 1}'],
    ['```json\n{"a": 1}\n```\n', '{"a": 1}\n'],
    ['\ufeff{"a": 1}', '{"a": 1}'],
    ['{broken', '{broken'], // the core reports what is wrong with it
  ]) {
    const what = recognise(ledger, text);
    assert.equal(what.kind, 'config');
    assert.equal(what.text, config);
  }
});

test('the name of a model', () => {
  assert.deepEqual(recognise(ledger, 'meta-llama/Llama-3.1-8B\n').id, 'meta-llama/Llama-3.1-8B');
  assert.equal(recognise(ledger, 'https://huggingface.co/a/b/blob/main/config.json').id, 'a/b');
});

test('tensors of a printed model, of a list, of files', () => {
  const printed = recognise(ledger, 'M(\n  (x): Linear(in_features=3, out_features=5, bias=True)\n)');
  assert.equal(printed.kind, 'tensors');
  assert.equal(printed.reading.totals.shown, '20');
  assert.equal(recognise(ledger, 'a.weight: [4, 4]').reading.kind, 'tensor_list');
});

test('any other input is named by the page, with what is accepted', () => {
  for (const [text, what] of /** @type {[string, RegExp][]} */ ([
    ['', /It is empty/],
    ['[1, 2]', /a list/],
    ['<!DOCTYPE html><html>', /web page/],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:1', /Git LFS/],
    ['GGUX\0\0\0\u0003', /binary/],
    ['4096', /a number/],
    ['hello world, how many parameters?', /“hello world, how many parameters\?”/],
  ])) {
    const said = recognise(ledger, text);
    assert.equal(said.kind, 'other', text);
    assert.match(said.what, what);
    assert.match(said.what, /You can give a config\.json/);
  }
});

/** @param {Partial<DataTransferItem>} item @param {File[]} [files] */
const transfer = (item, files = []) => ({ items: [{ kind: 'file', getAsFile: () => files[0] ?? null, ...item }], files });

test('a folder is opened for its config.json', async () => {
  const folder = (/** @type {any} */ getFile) =>
    transfer({ webkitGetAsEntry: () => ({ isDirectory: true, name: 'Llama-3.1-8B', getFile }) });
  const full = folder((/** @type {any} */ _name, /** @type {any} */ _options, /** @type {any} */ done) =>
    done({ file: (/** @type {any} */ take) => take(new File(['{}'], 'config.json')) }),
  );
  const files = await readDropped(full)(ledger);
  assert.equal(files[0].name, 'Llama-3.1-8B');
  assert.equal(new TextDecoder().decode(files[0].content), '{}');
  const empty = folder((/** @type {any} */ _name, /** @type {any} */ _options, /** @type {any} */ _done, /** @type {any} */ fail) =>
    fail(new Error('not found')),
  );
  await assert.rejects(readDropped(empty)(ledger), /The folder Llama-3\.1-8B contains no config\.json/);
});

test('files that a browser lists only as files are read', async () => {
  const read = readDropped(/** @type {any} */ ({ items: [], files: [new File(['{}'], 'a.json'), new File(['[]'], 'b.json')] }));
  assert.deepEqual((await read?.(ledger))?.map(({ name, content }) => [name, new TextDecoder().decode(/** @type {any} */ (content))]), [['a.json', '{}'], ['b.json', '[]']]); // prettier-ignore
});

/**
 * A stub of a File that begins with `bytes` and continues with zeros, and the list of the slices that are requested from it.
 * @param {string} name @param {Uint8Array} bytes @param {number} size
 */
function largeFile(name, bytes, size) {
  /** @type {number[][]} */
  const slices = [];
  const slice = (/** @type {number} */ from, /** @type {number} */ to) => {
    slices.push([from, to]);
    const there = bytes.subarray(from, to);
    const out = new Uint8Array(to - from);
    out.set(there);
    return new Blob([out]);
  };
  return { slices, file: { name, size, slice } };
}

test('for a safetensors file only the header is read', async () => {
  const header = `{"a":{"dtype":"U8","shape":[70000000000],"data_offsets":[0,70000000000]}${' '.repeat(100_000)}}`;
  const bytes = new Uint8Array(8 + header.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(new TextEncoder().encode(header), 8);
  const { slices, file } = largeFile('model.safetensors', bytes, bytes.length + 70_000_000_000);
  const read = await readFile(file, ledger);
  assert.deepEqual(slices, [
    [0, 65_536],
    [65_536, 131_072],
  ]);
  const { reading } = recognise(ledger, [read]);
  assert.equal(reading.partial, false, JSON.stringify(reading.problems));
  assert.equal(reading.totals.bytes, '70000000000');
});

test('for a GGUF file only the head is read, without its tokens’ scores', async () => {
  const [{ head, size, parameters }] = dataLines('gguf.jsonl.gz');
  const { slices, file } = largeFile('model.gguf', Buffer.from(head, 'base64'), size);
  const { reading } = recognise(ledger, [await readFile(file, ledger)]);
  assert.equal(reading.kind, 'gguf');
  assert.equal(reading.totals.parameters, String(parameters));
  assert.equal(reading.recognised.agrees, true);
  assert.deepEqual(slices, [[0, 65_536]]);
});

test('for a torch archive the directory and the pickle are read', async () => {
  for (const { id, name, file: content, tensors, config, problems } of dataLines('torch.jsonl.gz')) {
    const bytes = Buffer.from(content, 'base64');
    const read = await readFile(new File([bytes], name), ledger);
    const reading = ledger.read([read], { config });
    assert.equal(reading.partial, problems !== undefined, id);
    assert.equal(reading.totals.tensors, String(Object.keys(tensors).length), id);
    if (config) assert.equal(reading.check.agrees, true, id);
  }
});

test('unreadable and too large input is reported', async () => {
  const slice = () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) });
  await assert.rejects(readFile({ size: 5, name: 'x', slice }, ledger), /x could not be read/);
  const { file } = largeFile('x', new TextEncoder().encode(' '.repeat(65_536)), 200_000_001);
  file.slice = (from, to) => (to > 65_536 ? assert.fail('read') : new Blob([' '.repeat(to - from)]));
  await assert.rejects(readFile(file, ledger), /200,000,001 bytes/);
  assert.equal(readDropped({ items: [], files: [] }), undefined);
});
