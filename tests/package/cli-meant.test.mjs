// Tests arguments as people type them: other names and abbreviations of commands, swapped operands, mistyped fields, and options of other
// programs. Also tests control characters, unusual lines of configurations, and a host that does not answer.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, run, small } from './cli.mjs';
import { temporaryFolder } from '../folder.mjs';

const folder = temporaryFolder();
const file = join(folder, 'config.json');
writeFileSync(file, JSON.stringify(small));

test('commands have aliases and abbreviations; a file of that name takes precedence', () => {
  const version = run(['--version']).out;
  assert.equal(run(['version']).out, version);
  assert.equal(run(['count', file]).out, run([file]).out);
  assert.equal(run(['list', 'llama']).out, run(['models', 'llama']).out);
  assert.equal(run(['mem', file]).out, run(['memory', file]).out);
  assert.equal(run(['deriv', file]).out, run(['derive', file]).out);
  assert.equal(run(['help', 'mem']).out, run(['help', 'memory']).out);
  assert.match(run(['comp', file, file]).errors, /comp is not a file/, 'compare or completion');
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'mem'), JSON.stringify(small));
  assert.match(run(['mem'], { cwd: elsewhere }).out, /^95,040 parameters/m);
});

test('help may precede a command', () => {
  const { out } = run(['help', 'compare']);
  assert.equal(run(['-h', 'compare']).out, out);
  assert.equal(run(['--help', 'compare']).out, out);
  assert.equal(run(['compare', '-h']).out, out);
});

test('explain gives the meaning of a field, and for a model the origin of its value', () => {
  assert.match(run(['explain', 'num_key_value_heads']).out, /^num_key_value_heads\n\S.+\n$/);
  assert.equal(run(['explain', 'vocab_size', file]).out, run([file, '--explain', 'vocab_size']).out);
  assert.deepEqual(JSON.parse(run(['explain', 'vocab_size', file, '--json']).out).value, small.vocab_size);
  const slip = run(['explain', 'num_layers', file]);
  assert.deepEqual([slip.code, slip.out], [2, '']);
  assert.match(slip.errors, /no field num_layers\. Did you mean num_hidden_layers\?/);
  assert.match(run(['explain', 'num_hiden_layers']).errors, /Did you mean num_hidden_layers/);
  assert.equal(run(['explain']).code, 2);
  const refused = run(['explain', 'vocab_size', '-'], { input: '{"model_type": "llama", "hidden_size": "x"}' });
  assert.deepEqual([refused.code, refused.out, refused.errors], [1, '', 'param-ledger: hidden_size must be an integer, not "x" (a string).\n']); // prettier-ignore
  // A value head's dimension is derived from a key head's, which is derived from the number of key heads.
  const derived = run(['explain', 'linear_num_key_heads', '-'], { input: '{"model_type": "olmo_hybrid"}' });
  assert.match(derived.out, /linear_attn\.o_norm\.weight$/m);
});

test('a mistyped field of --set is refused by name in every command', () => {
  for (const words of [[], ['memory'], ['derive'], ['compare', file]]) {
    for (const [name, meant] of [
      ['num_layers', 'num_hidden_layers'],
      ['n_layers', 'num_hidden_layers'],
      ['hiden_size', 'hidden_size'],
      ['num_heads', 'num_attention_heads or num_key_value_heads'],
    ]) {
      const { code, out, errors } = run([...words, file, '--set', `${name}=4`]);
      assert.deepEqual([code, out, errors], [2, '', `param-ledger: --set ${name}: llama has no such field.\nDid you mean ${meant}?\n`]);
    }
  }
  const other = run([file, '--set', 'rms_norm_eps=1e-5']);
  assert.equal(other.code, 0, 'a field that changes no tensor');
  assert.match(other.errors, /rms_norm_eps: No tensor’s shape depends on this field/);
  const own = run(['-', '--set', 'num_layers=5'], { input: JSON.stringify({ ...small, num_layers: 4 }) });
  assert.equal(own.code, 0, 'a field that the file has');
});

test('colours and formats have short names, and lists have a limit', () => {
  assert.equal(run([file, '--no-color', '-f', 'md']).out, run([file, '-f', 'markdown']).out);
  assert.equal(run(['--no-color', 'derive', file, '-f', 'md']).out, run(['derive', file, '-f', 'markdown']).out);
  assert.equal(run(['models', '--limit', '3', '--json']).code, 0);
  const all = JSON.parse(run(['models', '--sort', '-parameters', '--json']).out);
  assert.deepEqual(JSON.parse(run(['models', '--sort', '-parameters', '--limit', '3', '--json']).out), all.slice(0, 3));
  assert.match(run(['models', '--limit', '0']).errors, /--limit needs a number from 1/);
  assert.match(run([file, '--no-color', '--color', 'always']).errors, /--no-color cannot be combined with --color/);
});

test('check and search also take the number first', () => {
  assert.equal(run(['check', '95,040', file]).out, run(['check', file, '95,040']).out);
  assert.equal(run(['check', '95.0', 'K', file]).out, run(['check', file, '95.0 K']).out);
  const { code, out, errors } = run(['search', '405B', 'llama']);
  assert.equal(code, 0, errors);
  assert.match(errors, /without --vary, these fields vary: --vary num_hidden_layers=\d+\.\.\d+\/1 --vary hidden_size=\d+\.\.\d+\/128/);
  assert.equal(out, run(['search', 'llama', '405B']).out);
  const [, nearest] = /^ *(40[45],\d{3},\d{3},\d{3}) /m.exec(out) ?? [];
  assert.ok(nearest, out);
  assert.match(run(['search', file, '1B', '--limit', 'a/b=1..2']).errors, /--tie and --limit need --vary/);
});

test('k is 1,024 in sizes, and refused where it would mean 1,000', () => {
  assert.match(run([file, '--set', 'max_position_embeddings=4k', '--explain', 'max_position_embeddings']).out, /^value +4096$/m);
  const { code, errors } = run([file, '--expect', '95K']);
  assert.equal(code, 2);
  assert.match(errors, /--expect needs a number such as 8030261248, 8,030,261,248 or 8\.03B, not 95K/);
});

test('at a terminal without input the usage is shown', () => {
  const shown = String(execFileSync('script', ['-qec', `${process.execPath} ${cli}; echo code $?`, '/dev/null']));
  assert.match(shown, /^param-ledger MODEL +counts[^]*compare, derive, memory[^]*code 2\r\n$/);
  assert.ok(shown.split('\n').length < 10);
});

test('control characters are escaped on every output', () => {
  const evil = '\u001b]0;title\u0007\u009b2J\u202e';
  const config = JSON.stringify({ ...small, [evil]: 1, architectures: [`Llama${evil}`] });
  const outputs = [
    run(['-'], { input: config }),
    run(['-', '--json'], { input: config }),
    run(['-'], { input: JSON.stringify({ model_type: evil }) }),
    run([evil]),
    run(['read'], { input: `${evil}a.weight: [4, 4]\nb.weight: [2]\n` }),
    run(['read', '--json'], { input: `a${evil}.weight: [4, 4]\nb.weight: [2]\n` }),
  ];
  // eslint-disable-next-line no-control-regex
  for (const { out, errors } of outputs) assert.doesNotMatch(out + errors, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
  assert.match(outputs[2].errors, /\\u001b\]0;title\\u0007\\u009b2J\\u202e/);
});

test('lines: anything but one JSON object is refused, and an id is returned as written', () => {
  const config = JSON.stringify(small);
  const lines = [
    `{"id":1,"config":${config}}{"id":2}`,
    `{"id":1,"config":${config}} trailing`,
    `{"id":foo,"config":${config}}`,
    `{"id":01,"config":${config}}`,
    `{"id":1,"config":${config},}`,
    `{"id":12345678901234567890,"config":${config}}`,
    `{"id":{"a":[1,"x"]},"config":${JSON.stringify(config)}}`,
    `{"id":7,"config":${config.replace(/}$/, ',"rope_theta":Infinity}')}}`,
  ];
  const { code, out } = run(['jsonl', '--totals'], { input: lines.join('\n') });
  assert.equal(code, 1);
  const answers = out.trim().split('\n');
  assert.deepEqual(answers.map((line) => JSON.parse(line).ok), [false, false, false, false, false, true, true, true]); // prettier-ignore
  assert.match(answers[5], /^\{"id":12345678901234567890,"ok":true/);
  assert.match(answers[6], /^\{"id":\{"a":\[1,"x"\]\},"ok":true/);
});

test('verify stops if nothing arrives', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const program = spawn(process.execPath, [cli, 'verify', 'lab/model', '--timeout', '1'], {
    env: { ...process.env, HF_ENDPOINT: `http://127.0.0.1:${port}` },
  });
  let errors = '';
  program.stderr.on('data', (piece) => (errors += piece));
  assert.deepEqual(await once(program, 'close'), [1, null]);
  assert.equal(errors, 'param-ledger: the Hub sent nothing for 1 s.\nTry again later, or wait longer: --timeout 10\n');
  server.closeAllConnections();
  server.close();
});
