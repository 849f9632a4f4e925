// Tests the command line with many configurations, one per line. No started line may be lost if an input breaks off, a thread dies or
// the user presses Ctrl-C.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, run, small } from './cli.mjs';
import { temporaryFolder } from '../folder.mjs';

const folder = temporaryFolder();
const text = JSON.stringify(small);
const file = join(folder, 'small.json');
writeFileSync(file, text);

test('lines: ids are kept, refusals are marked and counted, the rest continues, in order', () => {
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
  for (const end of ['\n', '\r\n', '\n\n', '\n\t\t\n']) {
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
    if (/^\r?\n$/.test(end)) assert.deepEqual(answers.filter(({ ok }) => !ok).map(({ line }) => line), [3, 5, 7]); // prettier-ignore
  }
  assert.deepEqual(JSON.parse(run(['--jsonl'], { input: text }).out), JSON.parse(run([file, '--format', 'json']).out));
  assert.equal(run(['--jsonl', join(folder, 'none.jsonl')]).code, 2);
});

test('lines of tables and of claims: an id stays with its line whatever replaces the configuration', () => {
  const lines = [
    `{"id": 1, "config": ${JSON.stringify(text)}}`, // the configuration as text
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
      [null, 4, 'malformed_json'], // not JSON, so the id is unknown
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

test('many lines: several threads give the same output as one', () => {
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

test('memory does not grow with the number of lines', async () => {
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

/** @param {number} lines @param {object} [config] */
const numbered = (lines, config = small) => Array.from({ length: lines }, (_, id) => JSON.stringify({ id, config })).join('\n');

test('all files are opened before anything is counted; if one breaks off, started lines are finished', () => {
  const good = join(folder, 'good.jsonl');
  writeFileSync(good, numbered(3_000));
  for (const [bad, why] of /** @type {const} */ ([
    [join(folder, 'none.jsonl'), /none\.jsonl cannot be read: it does not exist/],
    [folder, /cannot be read: it is a folder/],
  ])) {
    const { code, out, errors } = run(['--jsonl', '--totals', good, bad]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(errors, why);
  }
  const { code, out, errors } = run(['--jsonl', '--totals', '--jobs', '2', good, '/dev/zero', good]);
  assert.equal(code, 2);
  const ids = out.trim().split('\n').map((line) => JSON.parse(line).id); // prettier-ignore
  assert.deepEqual(
    ids,
    Array.from({ length: 3_000 }, (_, id) => id),
  );
  assert.match(errors, /3,000 counted, 0 refused[^]*\/dev\/zero has a line that is too long/);
});

test('Ctrl-C finishes started lines and reports progress', async () => {
  const program = spawn(process.execPath, [cli, 'jsonl', '--totals', '--jobs', '2'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, errors] = ['', ''];
  program.stdout.on('data', (piece) => (out += piece));
  program.stderr.on('data', (piece) => (errors += piece));
  program.stdin.on('error', () => {}); // the program ends before it has read all input
  program.stdin.write(`${numbered(5_000)}\n`); // the pipe stays open
  await once(program.stdout, 'data'); // the program has started to read
  program.kill('SIGINT');
  const [code] = await once(program, 'close');
  assert.equal(code, 130);
  const ids = out.trim().split('\n').map((line) => JSON.parse(line).id); // prettier-ignore
  assert.deepEqual(
    ids,
    Array.from({ length: ids.length }, (_, id) => id),
  );
  assert.match(errors, new RegExp(`stopped before line ${(ids.length + 1).toLocaleString('en')} of standard input`));
});

test('a thread that dies loses nothing; one that dies repeatedly is reported', () => {
  const many = join(folder, 'threads.jsonl');
  writeFileSync(many, numbered(9_000));
  const killer = join(folder, 'killer.mjs');
  /**
   * Writes a module that ends worker threads before they return an answer.
   * @param {'one at its third' | 'each at its third' | 'each at its first'} which
   */
  const deadly = (which) =>
    writeFileSync(
      killer,
      `import { isMainThread, parentPort } from 'node:worker_threads';
       import { mkdirSync } from 'node:fs';
       let batches = 0;
       const dies = () => {
         if (++batches < ${which === 'each at its first' ? 1 : 3}) return false;
         try { ${which === 'one at its third' ? `mkdirSync(${JSON.stringify(join(folder, 'dead'))});` : ''} return true; } catch { return false; }
       };
       if (!isMainThread) {
         const post = parentPort.postMessage.bind(parentPort);
         parentPort.postMessage = (...given) => dies() ? process.exit(1) : post(...given);
       }`,
    );
  const env = { NODE_OPTIONS: `--import ${killer}` };
  const alive = run(['--jsonl', '--totals', '--jobs', '2', many]);
  deadly('one at its third');
  const died = run(['--jsonl', '--totals', '--jobs', '2', many], { env });
  assert.ok(readFileSync(killer) && execFileSync('ls', [folder], { encoding: 'utf8' }).includes('dead'), 'a thread has died');
  assert.equal(died.code, 0, died.errors);
  assert.ok(alive.out === died.out, 'the same answers in the same order');
  // Worker threads may die repeatedly, as long as each answers some lines before it dies.
  const more = join(folder, 'more-threads.jsonl');
  writeFileSync(more, numbered(30_000));
  deadly('each at its third');
  const often = run(['--jsonl', '--totals', '--jobs', '2', more], { env });
  assert.equal(often.code, 0, often.errors);
  assert.match(often.errors, /30,000 counted, 0 refused/);
  deadly('each at its first');
  const all = run(['--jsonl', '--totals', '--jobs', '2', many], { env });
  assert.equal(all.code, 1);
  assert.match(all.errors, /the thread that counts the lines from 1 on keeps failing/);
});

test('a reader that closes the pipe ends the program, even with endless input', () => {
  const shell = `yes '${text}' | ${process.execPath} ${cli} --jsonl --jobs 2 | head -c 10; echo "\${PIPESTATUS[1]}"`;
  assert.equal(String(execFileSync('bash', ['-c', shell], { stdio: 'pipe' })).slice(10), '0\n');
});

test('a caller that waits for each answer gets it', async () => {
  const program = spawn(process.execPath, [cli, 'jsonl', '--totals'], { stdio: ['pipe', 'pipe', 'ignore'] });
  let out = '';
  program.stdout.on('data', (piece) => (out += piece));
  for (let id = 0; id < 3; id++) {
    program.stdin.write(`${JSON.stringify({ id, config: small })}\n`);
    while (out.split('\n').length < id + 2) await once(program.stdout, 'data');
    assert.equal(JSON.parse(out.split('\n')[id]).id, id);
  }
  program.stdin.end();
  assert.deepEqual(await once(program, 'close'), [0, null]);
});

test('warnings are counted, and are in the answers', () => {
  const lines = [text, '{"model_type":"llama","n_embd":64,"num_hidden_layers":2}'].join('\n');
  const { code, out, errors } = run(['--jsonl'], { input: lines });
  assert.equal(code, 0);
  assert.match(errors, /2 counted, 1 with a warning, 0 refused/);
  const [fine, odd] = out.trim().split('\n').map((line) => JSON.parse(line).notes.filter(({ level }) => level === 'warning')); // prettier-ignore
  assert.deepEqual([fine, odd.map(({ field }) => field)], [[], ['n_embd']]); // prettier-ignore
});
