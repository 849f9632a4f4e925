// Tests derivations on the command line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, small } from './cli.mjs';

const config = JSON.stringify(small);

test('a count is derived in each format, and article on the same command line finds it right', () => {
  const plain = run(['derive', '-'], { input: config });
  assert.equal(plain.code, 0);
  assert.match(plain.out, /\*\*All parameters\*\*[^]*= 95,040\n/);
  assert.match(run(['derive', '-', '--format', 'html'], { input: config }).out, /^<!doctype html>[^]*<strong>95,040<\/strong>/);
  assert.match(run(['derive', '-', '--format', 'latex'], { input: config }).out, /95\{,\}040/);
  assert.equal(JSON.parse(run(['derive', '-', '--json'], { input: config }).out).parameters, '95040');
  assert.match(run(['derive', '-', '--set', 'num_hidden_layers=1'], { input: config }).out, /= 53,952\n/);
  // With two devices, each holds half of everything except the five norms of 64.
  assert.match(run(['derive', '-', '--tp', '2'], { input: config }).out, /\*\*Device 0, total\*\*[^]*?= 47,680\n/);
  const { out: article } = run(['derive', '-', '--format', 'article'], { input: config });
  const judged = run(['article', '-'], { input: article });
  assert.equal(judged.code, 0, judged.out + judged.errors);
});

test('a refusal is explained', () => {
  const refused = run(['derive', '-'], { input: '{"model_type": "llama", "hidden_size": "x"}' });
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(refused.errors, /hidden_size/);
  const format = run(['derive', '-', '--format', 'tea'], { input: config });
  assert.deepEqual([format.code, format.out], [2, '']);
  assert.match(format.errors, /--format must be one of markdown, plain, html, latex, article, not tea/);
  assert.match(run(['derive', '-', '--format', 'latx'], { input: config }).errors, /Did you mean latex\?/);
  assert.match(run(['derive', '-', '--format', 'latex', '--json'], { input: config }).errors, /--json cannot be combined with --format/);
});

test('a refusal is JSON if that is requested', () => {
  const wrong = run(['derive', '-', '--json'], { input: '{"model_type": "llama", "hidden_size": "x"}' });
  assert.equal(wrong.code, 1);
  assert.deepEqual(JSON.parse(wrong.out).error.field, 'hidden_size');
  const none = run(['derive', '-', '--json'], { input: 'Hello.' });
  assert.equal(none.code, 1);
  assert.equal(JSON.parse(none.out).ok, false);
});
