import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configAddress, fileAddress, listAddress, parseHubPlace } from '../../../web/hub/address.ts';
import { isHubId, parseHubId } from '../../../web/hub/id.ts';

test('an id consists of two names, neither of which is a path', () => {
  for (const id of ['a/b', 'meta-llama/Llama-3.1-8B', 'a/..b']) assert.ok(isHubId(id), id);
  for (const id of ['../..', 'a/..', './b', 'a', 'a/b/c', 'a/b?c', '']) assert.ok(!isHubId(id), id);
  assert.equal(parseHubPlace('a/..'), undefined);
  assert.equal(parseHubId('https://huggingface.co/../b'), undefined);
});

test('an address of the Hub names a model', () => {
  assert.equal(parseHubId('https://huggingface.co/a/b/blob/main/config.json'), 'a/b');
  assert.equal(parseHubId('hf.co/a/b?x=1'), 'a/b');
  assert.equal(parseHubId('https://huggingface.co/gpt2'), 'gpt2');
  assert.equal(parseHubId('https://huggingface.co/gpt2/blob/main/config.json'), 'gpt2');
  for (const text of [
    'https://huggingface.co/datasets/a/b',
    'https://huggingface.co/datasets/squad',
    'https://huggingface.co/papers',
    'https://hf.co/blog/moe',
    'https://huggingface.co/',
    'https://example.com/a/b',
  ])
    assert.equal(parseHubId(text), undefined, text);
  const folder = { id: 'a/b', revision: 'v1', path: 'x y/z' };
  for (const end of ['', '/', '//', '/?x=1'])
    assert.deepEqual(parseHubPlace(`https://huggingface.co/a/b/tree/v1/x%20y/z${end}`), folder, end);
  assert.equal(configAddress('a/b'), 'https://huggingface.co/a/b/resolve/main/config.json');
});

test('a revision with a slash is one part of an address', () => {
  const place = { id: 'a/b', revision: 'refs/pr/1', path: '' };
  assert.equal(fileAddress('https://hub.example', place, 'x y/z'), 'https://hub.example/a/b/resolve/refs%2Fpr%2F1/x%20y/z');
  assert.equal(listAddress('https://hub.example', place, 'x'), 'https://hub.example/api/models/a/b/tree/refs%2Fpr%2F1/x');
});
