// Tests the command line's counts, output formats and exit codes.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, run, small } from './cli.mjs';
import { temporaryFolder } from '../folder.mjs';

const folder = temporaryFolder();

const text = JSON.stringify(small);
const file = join(folder, 'small.json');
writeFileSync(file, text);
mkdirSync(join(folder, 'repository'));
writeFileSync(join(folder, 'repository', 'config.json'), text);

test('a file, a folder, standard input, a published model by any of its names, a model type', () => {
  for (const words of [[file], [join(folder, 'repository')], ['-'], []])
    assert.match(run(words, { input: text }).out, /\b95,040 parameters/);
  assert.match(run(['.'], { cwd: join(folder, 'repository') }).out, /\b95,040 parameters/);
  for (const name of ['meta-llama/Llama-3.1-8B', 'meta-llama/llama-3.1-8b', 'meta-llama/Meta-Llama-3.1-8B']) {
    assert.match(run([name]).out, /\b8,030,261,248 parameters {2}8\.03 billion\n✓ equals the published count/);
  }
  assert.match(run(['gpt-2_124m']).out, /\b124,439,808 parameters/);
  // The model's 40 expert layers have 512 score corrections each. They are buffers, but the publisher counts them as parameters.
  assert.match(
    run(['NVIDIA-Nemotron-3-Super-120B-A12B-BF16']).out,
    /\b120,668,687,360 parameters.*\n✓ equals the published count of 120,668,707,840, buffers included/,
  );
  assert.match(run(['mixtral']).out, /\b46,702,792,704 parameters/);
  assert.match(run([file, 'mixtral']).out, /95,040 parameters[^]*46,702,792,704 parameters/);
});

test('a model by its address on the Hub, and by its name alone', () => {
  for (const name of [
    'https://huggingface.co/meta-llama/Llama-3.1-8B',
    'https://huggingface.co/meta-llama/Llama-3.1-8B/blob/main/config.json',
    'http://www.huggingface.co/meta-llama/Meta-Llama-3.1-8B/tree/main?a=b#c',
    'hf.co/meta-llama/Llama-3.1-8B',
    'Llama-3.1-8B',
    'llama-3.1-8b',
    'Meta-Llama-3.1-8B',
    'Llama 3.1 8B',
  ])
    assert.match(run([name, '--format', 'names']).out, /^model\.embed_tokens\.weight\n/, name);
  assert.match(run(['gpt2-xl', 'https://huggingface.co/gpt2-xl']).out, /1,557,611,200 parameters[^]*1,557,611,200 parameters/);
  // A name with another size or another owner belongs to a different model.
  for (const other of ['Llama-3.1-80B', 'somebody/Llama-3.1-8B', 'https://huggingface.co/somebody/Llama-3.1-8B']) {
    const { code, out, errors } = run([other]);
    assert.deepEqual([code, out], [2, ''], other);
    assert.match(errors, /is not a file, a published model or a model type/);
  }
  assert.match(
    run(['somebody/Llama-3.1-8B']).errors,
    /curl -sL https:\/\/huggingface\.co\/somebody\/Llama-3\.1-8B\/resolve\/main\/config\.json \| param-ledger/,
  );
});

test('an unknown model is reported with similar names', () => {
  assert.deepEqual(run(['no-such-thing-at-all']).code, 2);
  assert.match(run(['meta-llama/Llama-3.1-8']).errors, /Did you mean meta-llama\/Llama-3\.1-8B/);
  assert.match(run(['-'], { input: 'version https://git-lfs.github.com/spec/v1\n' }).errors, /Git LFS pointer/);
  const refused = run(['-'], { input: '{"model_type": "lama"}' });
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /lama/);
  assert.equal(refused.out, '');
});

test('a byte order mark, Windows’ line ends and UTF-16 are read; other encodings are refused', () => {
  const windows = JSON.stringify(small, null, 2).replaceAll('\n', '\r\n');
  assert.match(run(['-'], { input: `\ufeff${windows}\r\n` }).out, /\b95,040 parameters/);
  const little = Buffer.from(`\ufeff${windows}`, 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16()]) assert.match(run(['-'], { input: bytes }).out, /\b95,040 parameters/);
  for (const bytes of [Buffer.from(text.replace('llama', 'll\xe4ma'), 'latin1'), little.subarray(0, -1)]) {
    const { code, out, errors } = run(['-'], { input: bytes });
    assert.deepEqual([code, out], [1, '']);
    assert.match(errors, /UTF-8/);
  }
  for (const [input, why] of /** @type {const} */ ([
    ['', /It is empty/],
    [text.slice(0, -1), /not JSON: the text ends where/],
    ['x'.repeat(3_000_000), /neither a config\.json/],
  ])) {
    const { code, errors } = run(['-'], { input });
    assert.equal(code, 1, String(why));
    assert.match(errors, why);
  }
  for (const path of [join(folder, 'none.json'), join(folder, 'repository', 'none')]) assert.equal(run([path]).code, 2);
  assert.match(run(['.'], { cwd: folder }).errors, /the folder \. has no config\.json/);
});

test('fields are changed, sections too, and the class', () => {
  const parameters = (/** @type {string[]} */ ...words) => JSON.parse(run([...words, '--format', 'json']).out).totals.parameters;
  assert.equal(parameters(file, '--set', 'num_hidden_layers=1'), '53952');
  assert.equal(parameters(file, '--set', 'num_hidden_layers=1', '--set', 'vocab_size=200'), '66752');
  assert.equal(parameters('llama', '--set', 'num_hidden_layers='), '6738415616');
  assert.equal(parameters(file, '--class', 'LlamaModel'), '88640');
  assert.equal(parameters(file, '--set', 'vocab_size=1k'), String(95_040 + 2 * 64 * 924)); // two tables of 1,024 rows instead of 100
  assert.equal(parameters(file, '--set', 'vocab_size=1,024'), parameters(file, '--set', 'vocab_size=1024'));
  assert.notEqual(parameters('google/gemma-3-4b-it', '--set', 'text_config.num_hidden_layers=2'), parameters('google/gemma-3-4b-it'));
  assert.equal(run([file, '--set', 'x']).code, 2);
  // A field that affects no tensor is mentioned on standard error.
  const idle = run([file, '--set', 'rms_norm_eps=1e-5']);
  assert.equal(idle.code, 0);
  assert.match(idle.out, /95,040 parameters/);
  assert.match(idle.errors, /rms_norm_eps: No tensor’s shape depends/);
  assert.equal(run([file, '--set', 'num_hidden_layers=1']).errors, '');
});

test('--expect is an exit code', () => {
  for (const [expected, code] of /** @type {const} */ ([
    ['95040', 0],
    ['95,040', 0],
    ['stored=95_040', 0],
    ['95041', 1],
    ['0.09504M', 0],
    ['0.095M', 0],
    ['0.1M', 0],
    ['0.0951M', 1],
    ['0.2M', 1],
    ['95K', 2],
    ['stored=1', 1],
    ['nothing=1', 2],
    ['many', 2],
  ])) {
    const { code: exit, out } = run([file, '--expect', expected]);
    assert.equal(exit, code, expected);
    if (expected === 'many') assert.equal(out, '', 'nothing is counted for a question that is none');
  }
  assert.match(run([file, '--expect', '95041']).errors, /95,040 parameters, expected 95,041/);
});

test('JSON is the answer with its version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../web/package.json', import.meta.url), 'utf8'));
  const answer = JSON.parse(run([file, '-f', 'json']).out);
  assert.equal(answer.totals.parameters, '95040');
  assert.equal(answer.version, version);
  assert.equal(run(['--version']).out, `${version}\n`);
});

test('piped output is plain; a terminal sets width and colours, and NO_COLOR removes them', () => {
  const piped = run([file]).out;
  assert.doesNotMatch(piped, /\x1b/); // eslint-disable-line no-control-regex
  assert.match(piped, /intermediate_size × hidden_size × num_hidden_layers/);
  const shown = (/** @type {string} */ environment, /** @type {number} */ columns) =>
    String(execFileSync('script', ['-qec', `stty cols ${columns}; ${environment} ${process.execPath} ${cli} ${file}`, '/dev/null']));
  const narrow = shown('TERM=xterm', 72);
  assert.match(narrow, /\x1b\[1m95,040/); // eslint-disable-line no-control-regex
  const plain = shown('TERM=xterm NO_COLOR=1', 72);
  assert.doesNotMatch(plain, /\x1b/); // eslint-disable-line no-control-regex
  for (const line of plain.split(/\r?\n/)) assert.ok(line.length <= 72 || !/^model\./.test(line), line);
  assert.match(plain, /95,040/);
  for (const [environment, words, coloured] of /** @type {const} */ ([
    ['TERM=xterm', '--color never', false],
    ['TERM=xterm NO_COLOR=1', '--color=always', true],
    ['TERM=xterm NO_COLOR=', '--color auto', true],
    ['TERM=dumb', '', false],
  ])) {
    const command = `${environment} ${process.execPath} ${cli} ${words} ${file}`;
    assert.equal(String(execFileSync('script', ['-qec', command, '/dev/null'])).includes('\x1b['), coloured, command);
  }
  assert.ok(run([file, '--color', 'always']).out.includes('\x1b[1m95,040'));
});

test('a field is explained, model types are listed', () => {
  const { out } = run([file, '--explain', 'intermediate_size']);
  assert.match(out, /value +128/);
  assert.match(out, /given in the configuration/);
  assert.match(out, /up_proj/);
  assert.doesNotMatch(out, /q_proj/);
  assert.match(run([file, '--explain', 'intermediate_sizee']).errors, /Did you mean intermediate_size\?/);
  const types = run(['--types']).out.trim().split('\n');
  assert.ok(types.length > 180, String(types.length));
  assert.ok(types.some((line) => /^mixtral .*MixtralForCausalLM/.test(line)));
  assert.deepEqual(run(['--types', 'gpt_neo']).out.trim().split('\n').map((line) => line.split(' ')[0]), ['type', 'gpt_neo', 'gpt_neox', 'gpt_neox_japanese']); // prettier-ignore
});

test('a reader that closes the pipe is not an error', () => {
  for (const words of ['deepseek-ai/DeepSeek-V3 --format json', 'deepseek-ai/DeepSeek-V3 --format names']) {
    const shell = `${process.execPath} ${cli} ${words} | head -c 10; echo "\${PIPESTATUS[0]}"`;
    assert.equal(String(execFileSync('bash', ['-c', shell], { stdio: 'pipe' })).slice(10), '0\n', words);
  }
});

test('the names of a large model are written once each', () => {
  const names = run(['deepseek-ai/DeepSeek-V3', '--format', 'names']).out.trimEnd().split('\n');
  // Each of 61 layers has seven attention tensors and two norms. Three layers have dense blocks of three matrices; 58 have a router with
  // its correction, 256 experts and a shared expert. The embedding, the final norm and the head come on top.
  assert.equal(names.length, 61 * 9 + 3 * 3 + 58 * (2 + 257 * 3) + 3);
  assert.equal(new Set(names).size, names.length);
});

test('an expectation is checked even if the reader closed the pipe', () => {
  for (const [expected, code] of /** @type {const} */ ([
    ['671026404352', 0],
    ['1', 1],
  ])) {
    const shell = `${process.execPath} ${cli} deepseek-ai/DeepSeek-V3 --format names --expect ${expected} 2>/dev/null | head -c 10; echo "\${PIPESTATUS[0]}"`;
    assert.equal(String(execFileSync('bash', ['-c', shell], { stdio: 'pipe' })).slice(10), `${code}\n`);
  }
});
