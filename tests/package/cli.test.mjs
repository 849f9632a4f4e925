// The command line: what is counted, how it is written, what it exits with.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, run } from './cli.mjs';
import { temporaryFolder } from '../folder.mjs';

const folder = temporaryFolder();

const small = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  intermediate_size: 128,
  vocab_size: 100,
};
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
  assert.match(run(['mixtral']).out, /\b46,702,792,704 parameters/);
  assert.match(run([file, 'mixtral']).out, /95,040 parameters[^]*46,702,792,704 parameters/);
});

test('what is no model is told, with what was perhaps meant', () => {
  assert.deepEqual(run(['no-such-thing-at-all']).code, 2);
  assert.match(run(['meta-llama/Llama-3.1-8']).errors, /Perhaps meta-llama\/Llama-3\.1-8B/);
  assert.match(run(['-'], { input: 'version https://git-lfs.github.com/spec/v1\n' }).errors, /Git LFS pointer/);
  const refused = run(['-'], { input: '{"model_type": "lama"}' });
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /lama/);
  assert.equal(refused.out, '');
});

test('what never ends is not waited for, in words', () => {
  for (const words of [['/dev/zero'], ['--jsonl', '/dev/zero'], ['read', '/dev/zero'], ['article', '/dev/zero']]) {
    const { code, out, errors } = run(words);
    assert.deepEqual([code, out], [2, '']);
    assert.match(errors, words[0] === '--jsonl' ? /\/dev\/zero has a line that does not end/ : /\/dev\/zero has more than 128 MB/);
  }
  assert.match(execFileSync('sh', ['-c', `"$0" "$1" < /dev/zero 2>&1; echo $?`, process.execPath, cli], { encoding: 'utf8' }), /standard input has more than 128 MB[^]*\n2\n$/); // prettier-ignore
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const waited = run([pipe]);
  assert.equal(waited.code, 2);
  assert.match(waited.errors, /pipe is a pipe: waiting[^]*pipe is a pipe that nobody writes into/);
  // One that somebody writes into, if late and slowly, is a file like any other.
  const slowly = `(sleep 0.3; head -c 20 "$2"; sleep 0.3; tail -c +21 "$2") > "$3" & "$0" "$1" "$3"`;
  assert.match(execFileSync('sh', ['-c', slowly, process.execPath, cli, file, pipe], { encoding: 'utf8' }), /\b95,040 parameters/);
});

test('what a printed model does not say is filled in', () => {
  const [line] = readFileSync(new URL('../data/printed_models.jsonl', import.meta.url), 'utf8').split('\n').filter((one) => one.includes('"id": "openai/gpt-oss-20b"')); // prettier-ignore
  const { text: input } = JSON.parse(line);
  assert.match(run(['read'], { input }).out, /^[\d,]+ parameters shown; the text leaves open/m);
  const fields = ['num_attention_heads=64', 'num_local_experts=32', 'intermediate_size=2880', 'tie_word_embeddings=false'];
  assert.match(run(['read', ...fields.flatMap((field) => ['--field', field])], { input }).out, /^20,914,757,184 parameters/m);
  assert.equal(run(['read', '--field', 'num_local_experts'], { input }).code, 2);
});

test('bytes as programs write them: a mark at the start and Windows’ line ends are read, what is not UTF-8 is refused', () => {
  const windows = JSON.stringify(small, null, 2).replaceAll('\n', '\r\n');
  assert.match(run(['-'], { input: `\ufeff${windows}\r\n` }).out, /\b95,040 parameters/);
  for (const bytes of [Buffer.from(text.replace('llama', 'll\xe4ma'), 'latin1'), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
    const { code, out, errors } = run(['-'], { input: bytes });
    assert.deepEqual([code, out], [1, '']);
    assert.match(errors, /UTF-8/);
  }
  for (const [input, why] of /** @type {const} */ ([
    ['', /nothing in it/],
    [text.slice(0, -1), /not JSON: the text ends where/],
    ['x'.repeat(3_000_000), /neither a config\.json/],
  ])) {
    const { code, errors } = run(['-'], { input });
    assert.equal(code, 1, String(why));
    assert.match(errors, why);
  }
  for (const path of [join(folder, 'none.json'), join(folder, 'repository', 'none')]) assert.equal(run([path]).code, 2);
  assert.match(run(['.'], { cwd: folder }).errors, /config\.json cannot be read: ENOENT/);
});

test('fields are changed, sections too, and the class', () => {
  const parameters = (/** @type {string[]} */ ...words) => JSON.parse(run([...words, '--format', 'json']).out).totals.parameters;
  assert.equal(parameters(file, '--set', 'num_hidden_layers=1'), '53952');
  assert.equal(parameters(file, '--set', 'num_hidden_layers=1', '--set', 'vocab_size=200'), '66752');
  assert.equal(parameters('llama', '--set', 'num_hidden_layers='), '6738415616');
  assert.equal(parameters(file, '--class', 'LlamaModel'), '88640');
  assert.notEqual(parameters('google/gemma-3-4b-it', '--set', 'text_config.num_hidden_layers=2'), parameters('google/gemma-3-4b-it'));
  assert.equal(run([file, '--set', 'x']).code, 2);
  // What changes nothing is told beside the answer.
  const slip = run([file, '--set', 'num_hidden_layer=1']);
  assert.equal(slip.code, 0);
  assert.match(slip.out, /95,040 parameters/);
  assert.match(slip.errors, /num_hidden_layer: Does not change[^]*Perhaps num_hidden_layers\?/);
  assert.equal(run([file, '--set', 'num_hidden_layers=1']).errors, '');
});

test('--expect is an exit code', () => {
  for (const [expected, code] of /** @type {const} */ ([
    ['95040', 0],
    ['95,040', 0],
    ['stored=95_040', 0],
    ['95041', 1],
    ['stored=1', 1],
    ['nothing=1', 2],
    ['many', 2],
  ])) {
    const { code: exit, out } = run([file, '--expect', expected]);
    assert.equal(exit, code, expected);
    if (expected === 'many') assert.equal(out, '', 'nothing is counted for a question that is none');
  }
  assert.match(run([file, '--expect', '95041']).errors, /95,040 parameters, not the 95,041/);
});

test('JSON is the answer, and says of what version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../web/package.json', import.meta.url), 'utf8'));
  const answer = JSON.parse(run([file, '-f', 'json']).out);
  assert.equal(answer.totals.parameters, '95040');
  assert.equal(answer.version, version);
  assert.equal(run(['--version']).out, `${version}\n`);
});

test('what is piped is plain; a terminal gives widths and colours, and NO_COLOR takes these away', () => {
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
});

test('the documentation is the help, which names every option; a wrong one is told', () => {
  const { out, code } = run(['--help']);
  assert.equal(code, 0);
  for (const option of ['format', 'set', 'class', 'expect', 'explain', 'types', 'jsonl', 'totals', 'jobs', 'help', 'version']) {
    assert.match(out, new RegExp(`--${option}\\b`));
  }
  for (const line of out.split('\n')) assert.ok(line.length <= 110, line);
  for (const words of [
    ['--no-such-option'],
    ['-x'],
    [file, '--format', 'xml'],
    [file, '--format'],
    [file, '--jobs', '2'],
    [file, '--totals'],
    ['--jsonl', '--jobs', '0', file],
    ...['--format=csv', '--set=a=1', '--class=A', '--expect=1', '--explain=a'].map((option) => ['--jsonl', option, file]),
    ['compare', file, file, '--format', 'csv'],
    ['--types', 'no-type-has-this'],
    [''],
  ]) {
    const { code: exit, out: nothing, errors } = run(words);
    assert.deepEqual([exit, nothing], [2, ''], words.join(' '));
    assert.match(errors, /^param-ledger: .+\nparam-ledger --help/, words.join(' '));
  }
  assert.match(run(['--fromat', 'csv']).errors, /'--fromat'\. Perhaps --format\?/);
  // One command's help is its own.
  const own = run(['compare', '--help']).out;
  assert.match(own, /compare \[OPTION\]/);
  assert.doesNotMatch(own, /--jsonl/);
});

test('a field is explained, the model types are listed', () => {
  const { out } = run([file, '--explain', 'intermediate_size']);
  assert.match(out, /value +128/);
  assert.match(out, /given in the configuration/);
  assert.match(out, /up_proj/);
  assert.doesNotMatch(out, /q_proj/);
  assert.match(run([file, '--explain', 'intermediate_sizee']).errors, /Perhaps intermediate_size\?/);
  const types = run(['--types']).out.trim().split('\n');
  assert.ok(types.length > 180, String(types.length));
  assert.ok(types.some((line) => /^mixtral .*MixtralForCausalLM/.test(line)));
  assert.deepEqual(run(['--types', 'gpt_neo']).out.trim().split('\n').map((line) => line.split(' ')[0]), ['type', 'gpt_neo', 'gpt_neox', 'gpt_neox_japanese']); // prettier-ignore
});

test('lines: ids are kept, refusals are marked and counted, the rest goes on, in order', () => {
  const lines = [
    text,
    `{"id": 17, "config": ${text}, "more": 1}`,
    '{"id": "b", "config": {"model_type": "lama"}}',
    '',
    'no JSON',
    `{"config": ${JSON.stringify({ ...small, num_hidden_layers: 1 })}}`,
    `{"model_type": "llama", "padding": "${'x'.repeat(2_000_000)}"}`,
    `{"config": {"inside": 1}, ${text.slice(1)}`,
    `{"id": {"a": "\\u00e9"}, "config": ${text.replace('64', ' 64 ')}}`,
  ];
  for (const end of ['\n', '\r\n', '\n\n']) {
    const { out, errors, code } = run(['--jsonl', '--totals'], { input: lines.join(end) });
    const answers = out.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
    assert.equal(code, 1);
    assert.match(errors, /5 counted, 3 refused in/);
    assert.deepEqual(
      answers.map(({ id, ok, totals, error }) => [id, ok, totals?.parameters ?? error.code]),
      [
        [undefined, true, '95040'],
        [17, true, '95040'],
        ['b', false, 'unknown_architecture'],
        [undefined, false, 'malformed_json'],
        [undefined, true, '53952'],
        [undefined, false, 'too_large'],
        [undefined, true, '95040'],
        [{ a: 'é' }, true, '95040'],
      ],
    );
    if (end !== '\n\n') assert.deepEqual(answers.filter(({ ok }) => !ok).map(({ line }) => line), [3, 5, 7]); // prettier-ignore
  }
  assert.deepEqual(JSON.parse(run(['--jsonl'], { input: text }).out), JSON.parse(run([file, '--format', 'json']).out));
  assert.equal(run(['--jsonl', join(folder, 'none.jsonl')]).code, 2);
});

test('lines of tables and of slips: an id stays with its line whatever stands in the place of the configuration', () => {
  const lines = [
    `{"id": 1, "config": ${JSON.stringify(text)}}`, // the text of one
    '{"id": 2, "config": null}',
    '{"id": 3, "config": "x"}',
    '{"id": 4, "config": "\\x"}',
    '{"id": 5, "config": []}',
    '{"id": 6, "config": {}}',
    '[]',
    '"config"',
    `{"id": 9, "config": ${text}`,
    `\t ${text} `,
  ];
  const { out, code } = run(['--jsonl', '--totals'], { input: `\ufeff${lines.join('\n')}` });
  assert.equal(code, 1);
  const answers = out.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  assert.deepEqual(
    answers.map(({ id, line, totals, error }) => [id ?? null, line ?? null, totals?.parameters ?? error.code]),
    [
      [1, null, '95040'],
      [2, 2, 'wrong_type'],
      [3, 3, 'malformed_json'],
      [4, 4, 'malformed_json'],
      [5, 5, 'wrong_type'],
      [6, 6, 'missing_field'],
      [null, 7, 'wrong_type'],
      [null, 8, 'wrong_type'],
      [null, 9, 'malformed_json'],
      [null, null, '95040'],
    ],
  );
  const nothing = run(['--jsonl'], { input: '' });
  assert.deepEqual([nothing.code, nothing.out], [0, '']);
  assert.match(nothing.errors, /0 counted, 0 refused/);
});

test('many lines: several threads answer as one does', () => {
  const many = join(folder, 'many.jsonl');
  writeFileSync(
    many,
    Array.from({ length: 9_000 }, (_, i) => JSON.stringify({ id: i, config: { ...small, num_hidden_layers: i % 90 } })).join('\n'),
  );
  const one = run(['--jsonl', '--totals', many]);
  const three = run(['--jsonl', '--totals', '--jobs', '3', many]);
  assert.equal(one.code, 0);
  assert.match(one.errors, /9,000 counted, 0 refused/);
  assert.ok(one.out === three.out, 'the same answers in the same order');
  assert.equal(JSON.parse(one.out.split('\n')[91]).totals.parameters, '53952');
});

test('memory stays the same however many lines there are', async () => {
  const peak = async (/** @type {number} */ lines) => {
    const program = spawn(process.execPath, ['--max-old-space-size=48', cli, '--jsonl', '--totals'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const chunk = `${text}\n`.repeat(1_000);
    for (let i = 0; i < lines / 1_000; i++)
      if (!program.stdin.write(chunk)) await new Promise((resolve) => program.stdin.once('drain', resolve));
    program.stdin.end();
    const status = () => /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1];
    const high = Number(status());
    assert.equal(await new Promise((resolve) => program.once('close', resolve)), 0);
    return high;
  };
  const [few, many] = [await peak(2_000), await peak(60_000)];
  assert.ok(many < few * 1.6, `${few} KB, then ${many} KB`);
});

test('a reader that has seen enough is no failure', () => {
  writeFileSync(join(folder, 'more.jsonl'), `${text}\n`.repeat(20_000));
  for (const words of [
    'deepseek-ai/DeepSeek-V3 --format json',
    'deepseek-ai/DeepSeek-V3 --format names',
    `--jsonl --jobs 2 ${folder}/more.jsonl`,
  ]) {
    const shell = `${process.execPath} ${cli} ${words} | head -c 10; echo "\${PIPESTATUS[0]}"`;
    assert.equal(String(execFileSync('bash', ['-c', shell], { stdio: 'pipe' })).slice(10), '0\n', words);
  }
});

test('models beside one another: the causes add up, and a refused one says so', () => {
  const { code, out } = run(['compare', 'meta-llama/Llama-2-7b-hf', 'meta-llama/Meta-Llama-3-8B']);
  assert.equal(code, 0);
  assert.match(out, /vocab_size: 32000 → 128256 +\+788,529,152/);
  assert.match(out, /num_key_value_heads: 32 → 8 +−805,306,368/);
  assert.match(out, /intermediate_size: 11008 → 14336 +\+1,308,622,848 +8,030,261,248/);
  assert.doesNotMatch(out, /q_proj/);
  assert.match(run(['compare', file, file, '--set', 'num_key_value_heads=2', '--all']).out, /k_proj[^\n]*64 × 64 [^\n]*32 × 64/);
  const [base, changed] = JSON.parse(run(['--compare', file, file, '--set', 'vocab_size=200', '--json']).out).totals[0].values;
  assert.equal(BigInt(changed) - BigInt(base), 12800n); // 2 tables of 100 × 64
  const refused = run(['compare', file, '-'], { input: '{"model_type": "llama", "hidden_size": "x"}' });
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /hidden_size/);
  assert.equal(run(['compare', file]).code, 2);
});

test('a command may be written as an option', () => {
  const words = [file, '--context', '10', '--json'];
  assert.equal(run(['--memory', ...words]).out, run(['memory', ...words]).out);
});

test('a search is stopped by Ctrl-C, and ends with what it has', async () => {
  const fields = ['num_hidden_layers', 'hidden_size', 'intermediate_size', 'vocab_size', 'num_attention_heads', 'head_dim'];
  const vary = fields.flatMap((field) => ['--vary', `${field}=1..999999`]);
  /** @param {number} patience Milliseconds before Ctrl-C. */
  const stopped = async (patience) => {
    const searching = spawn(process.execPath, [cli, 'search', 'llama', '123456789123456789', '--json', '--uneven', ...vary]);
    let out = '';
    searching.stdout.on('data', (piece) => (out += piece));
    setTimeout(() => searching.kill('SIGINT'), patience);
    const [code] = await once(searching, 'close');
    // Before the search listened it was ended as any program is.
    return code === null ? stopped(2 * patience) : { code, answer: JSON.parse(out) };
  };
  const { code, answer } = await stopped(1000);
  assert.equal(code, 0);
  assert.deepEqual([answer.done, answer.exact, answer.points], [false, false, '999994000014999980000014999994000001']); // 999,999^6
  assert.equal(answer.found.length, 20);
});
