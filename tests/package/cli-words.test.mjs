// Tests the messages with which the command line rejects inputs that it cannot read and invalid arguments, and its help.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, run, small } from './cli.mjs';
import { temporaryFolder } from '../folder.mjs';

const folder = temporaryFolder();
const text = JSON.stringify(small);
const file = join(folder, 'small.json');
writeFileSync(file, text);

test('endless input is refused with a message', () => {
  for (const words of [['/dev/zero'], ['--jsonl', '/dev/zero'], ['read', '/dev/zero'], ['article', '/dev/zero']]) {
    const { code, out, errors } = run(words);
    assert.deepEqual([code, out], [2, '']);
    assert.match(errors, words[0] === '--jsonl' ? /\/dev\/zero has a line that is too long/ : /\/dev\/zero is larger than 128 MB/);
  }
  assert.match(execFileSync('sh', ['-c', `"$0" "$1" < /dev/zero 2>&1; echo $?`, process.execPath, cli], { encoding: 'utf8' }), /standard input is larger than 128 MB[^]*\n2\n$/); // prettier-ignore
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const waited = run([pipe]);
  assert.equal(waited.code, 2);
  assert.match(waited.errors, /pipe is a pipe: waiting for a writer[^]*pipe is a pipe to which no program writes/);
  // A pipe must be read to its end, even if its writer starts late and writes slowly.
  const slowly = `(sleep 0.3; head -c 20 "$2"; sleep 0.3; tail -c +21 "$2") > "$3" & "$0" "$1" "$3"`;
  assert.match(execFileSync('sh', ['-c', slowly, process.execPath, cli, file, pipe], { encoding: 'utf8' }), /\b95,040 parameters/);
});

test('folders, missing files, unreadable files and weights without read get a message', () => {
  const weights = join(folder, 'model.safetensors');
  const header = Buffer.from('{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}');
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const written = openSync(weights, 'w');
  writeSync(written, Buffer.concat([length, header]));
  ftruncateSync(written, 3_000_000_000); // makes the file large but sparse
  closeSync(written);
  mkdirSync(join(folder, 'meta'));
  writeFileSync(join(folder, 'meta', 'params.json'), '{}');
  mkdirSync(join(folder, 'empty'));
  for (const [words, why] of /** @type {const} */ ([
    [[join(folder, 'none.json')], /none\.json cannot be read: it does not exist/],
    [['./none'], /\.\/none cannot be read: it does not exist/],
    [[join(folder, 'empty')], /the folder .*empty has no config\.json\.\n/],
    [[join(folder, 'meta')], /has no config\.json\. Name the file: .*params\.json/],
    [
      [weights],
      /model\.safetensors contains tensors \(safetensors\) and is not a config\.json\. To read it: param-ledger read .*model\.safetensors/,
    ],
    [['memory', weights], /contains tensors/],
    [['article', folder], /cannot be read: it is a folder/],
    [['article', join(folder, 'none.json')], /it does not exist/],
    [['read', folder], /cannot be read: it is a folder/],
    [['read', join(folder, 'none.safetensors')], /it does not exist/],
    [['--jsonl', folder], /it is a folder/],
    [['https://example.com/config.json'], /fetches nothing .*curl -sL https:\/\/example\.com\/config\.json \| param-ledger/],
    [['https://huggingface.co/somebody/something'], /curl -sL https:\/\/huggingface\.co\/somebody\/something\/resolve\/main\/config\.json/],
    [['https://huggingface.co/datasets/somebody/something'], /fetches nothing/],
  ])) {
    const { code, out, errors } = run([...words]);
    assert.deepEqual([code, out], [2, ''], words.join(' '));
    assert.match(errors, why);
    assert.match(errors, /^param-ledger: /);
    assert.doesNotMatch(errors, /ENOENT|EISDIR|explains it|\n {4}at /);
  }
  assert.match(run(['read', weights]).out, /^2 parameters/m, 'the header alone is read');
  for (const words of ['', '--jsonl', 'read']) {
    const shell = `"$0" "$1" ${words} < "$2" 2>&1; echo $?`;
    assert.match(execFileSync('sh', ['-c', shell, process.execPath, cli, folder], { encoding: 'utf8' }), /standard input cannot be read: it is a folder, not a file\n2\n$/); // prettier-ignore
  }
  const full = execFileSync('sh', ['-c', '"$0" "$1" "$2" 2>&1 > /dev/full; echo $?', process.execPath, cli, file], { encoding: 'utf8' });
  assert.equal(full, 'param-ledger: standard output cannot be written: no space is left\n1\n');
});

test('invalid arguments get a message of the command line, and where to read on', () => {
  for (const [words, why] of /** @type {const} */ ([
    [['--no-such-option'], /there is no option --no-such-option\n/],
    [['-x'], /there is no option -x\n/],
    [['--fromat', 'csv'], /there is no option --fromat\. Did you mean --format\?/],
    [[file, '--format', 'xml'], /--format must be one of table, json, markdown, csv, latex, names, not xml/],
    [[file, '--format', 'jsno'], /not jsno\. Did you mean json\?/],
    [[file, '--format'], /--format needs FORMAT\n/],
    [[file, '--format', '--json'], /--format needs FORMAT, not the option --json/],
    [[file, '--json=yes'], /--json takes no value/],
    [[file, '--json', '--format', 'csv'], /--json cannot be combined with --format/],
    [[file, '--explain', 'vocab_size', '--format', 'csv'], /--format cannot be combined with --explain/],
    [[file, '--jobs', '2'], /--jobs is an option of the command jsonl\n/],
    [[file, '--totals'], /--totals is an option of the command jsonl/],
    [['--jsonl', '--jobs', '0', file], /--jobs needs a number from 1 to 256, not 0/],
    ...['--format=csv', '--set=a=1', '--class=A', '--expect=1', '--explain=a'].map((option) => /** @type {const} */ ([['--jsonl', option, file], /is an option of/])), // prettier-ignore
    [['compare', file, file, '--format', 'csv'], /--format must be one of table, json, not csv/],
    [['compare', file, file, '--json', '--all'], /--all cannot be combined with --json/],
    [['compare', file], /compare needs two to four models, not 1/],
    [['memory', file, '--fits'], /--fits needs --gb/],
    [['memory', file, '--modules', 'q'], /--modules needs --lora/],
    [['memory', file, '--lora', '8', '--modules', 'nothing'], /the model has no module nothing; it has .*q_proj/],
    [['memory', file, '--context', 'long'], /--context needs a number from 1 to .*, not long/],
    [['memory', file, '--context', '-5'], /--context needs a number/],
    [['memory', file, '--gb', 'many'], /--gb needs GB such as 80, 79\.6 or 24GiB, not many/],
    [['memory', file, '--gb', '1.0000000001'], /--gb needs GB/], // this would be 1,000,000,000.1 bytes
    [['memory', file, '--gb=--devices'], /--gb needs GB such as/], // after `=`, even text that looks like an option is a value
    [['memory', file, '--stage', '4'], /--stage must be one of 0, 1, 2, 3, not 4/],
    [['types', 'no-type-has-this'], /no model type has no-type-has-this in its name/],
    [['check', file], /check needs a model and a number/],
    [['article'], /article needs one file/],
    [['search', file], /search needs a model and a number/],
    [['search', file, '1B', '--vary', 'x'], /--vary needs FIELD=A\.\.B/],
    [['search', file, '1B', '--tie', 'x'], /--tie needs/],
    [['search', file, '1B', '--limit', 'x'], /--limit needs/],
    [['search', file, '1B', '--most', '0'], /--most needs a number from 1 to 200, not 0/],
    [['read', '--field', 'x', file], /--field needs NAME=VALUE/],
    [['help', 'memry'], /help explains one of .*, not memry\. Did you mean memory\?/],
    [['completion', 'tcsh'], /completion is for one of bash, zsh, fish, not tcsh/],
    [[file, '--color', 'red'], /--color must be one of auto, always, never, not red/],
    [[file, '--expect', 'many'], /--expect needs a number/],
    [[file, '--set', 'x'], /--set needs FIELD=VALUE/],
    [['memry', file, '--gb', '4'], /memry is not a command\. Did you mean memory\?/],
    [[''], /an operand is empty/],
  ])) {
    const { code, out, errors } = run([...words]);
    assert.deepEqual([code, out], [2, ''], words.join(' '));
    assert.match(errors, why, words.join(' '));
    assert.match(errors, /^param-ledger: .+\nparam-ledger .*--help explains it\.\n$/, words.join(' '));
  }
});

test('a misspelt command is reported if it is not a model', () => {
  const { code, errors } = run(['chekc', 'Llama-3.1-8B', '8B']);
  assert.equal(code, 2);
  assert.match(errors, /chekc is not a file, a published model or a model type\..* Did you mean the command check\?/);
});

test('help lists everything, or one command, as wide as the terminal', () => {
  const all = run(['--help']);
  assert.equal(all.code, 0);
  assert.equal(run(['help']).out, all.out);
  const { out: table } = run(['help', '--json']);
  const commands = JSON.parse(table);
  assert.ok(commands.length >= 11);
  for (const { name, options, summary } of commands) {
    assert.ok(all.out.includes(`  ${name} `) || name === '', name);
    const own = name === '' ? all.out : run(['help', name]).out;
    if (name !== '' && name !== 'help') assert.equal(run([name, '--help']).out, own);
    for (const line of own.split('\n')) assert.ok(line.length <= 130, line);
    for (const option of options) assert.match(own, new RegExp(`--${option.name}\\b`), `${name} --${option.name}`);
    assert.ok(own.replaceAll(/\s+/g, ' ').includes(summary), name);
  }
  assert.match(run(['memory', '--help']).out, /memory \[OPTION\]/);
  assert.doesNotMatch(run(['memory', '--help']).out, /--vary/);
  const narrow = String(execFileSync('script', ['-qec', `stty cols 60; ${process.execPath} ${cli} help memory`, '/dev/null']));
  const [, text60] = narrow.split('param-ledger memory');
  for (const line of text60.split(/\r?\n/)) assert.ok(line.length < 60 || /^ {2}param-ledger|\S{30}/.test(line), line);
});
