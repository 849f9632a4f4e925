// Tests which worked article an address selects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, write } from '../../../web/settings/article-choice.ts';

test('a shipped article by its id, and the user’s own with all of its contents', () => {
  assert.equal(parse(''), undefined);
  assert.deepEqual(parse('llama-2-70b'), { kind: 'shipped', id: 'llama-2-70b' });
  const article = {
    title: 'Mine',
    source: { name: 'a post', url: 'https://example.org/' },
    setting: { model_type: 'llama' },
    model: { model_type: 'llama' },
    names: { N: 'num_hidden_layers' },
    steps: [{ name: 'a', says: 'tables', expression: 'V * d', prints: '131M', tensors: ['embed'], each: true }, { says: '' }],
    total: { says: 'all', expression: 'a' },
  };
  const text = JSON.stringify(article);
  const choice = parse(text);
  assert.deepEqual(choice, { kind: 'own', article });
  assert.ok(choice);
  assert.deepEqual(JSON.parse(write(choice)), article);
  assert.equal(write({ kind: 'shipped', id: 'llama-2-70b' }), 'llama-2-70b');
});

test('a value of another form is reported and kept', () => {
  for (const [text, trouble] of /** @type {const} */ ([
    ['{', /is not JSON/],
    ['{}', /no steps/],
    ['{"steps": {}}', /no steps/],
    ['{"steps": [null]}', /steps\.0 /],
    ['{"steps": [{"says": 5}]}', /steps\.0\.says /],
    ['{"steps": [{"tensors": "q_proj"}]}', /steps\.0\.tensors /],
    ['{"title": {}, "steps": []}', /title /],
    ['{"steps": [], "source": "a post"}', /source /],
    ['{"steps": [], "source": {"name": "a post", "url": 5}}', /source\.url /],
    ['{"steps": [], "setting": [1]}', /setting /],
    ['{"steps": [], "names": {"N": 3}}', /N /],
    ['{"steps": [], "total": "7B"}', /total /],
  ])) {
    const choice = parse(text);
    assert.equal(choice?.kind, 'broken', text);
    assert.match(choice.trouble, trouble);
    assert.equal(write(choice), text);
  }
});
