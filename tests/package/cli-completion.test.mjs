// Tests shell completion: the offered words, and that each shell accepts its completion script.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, run } from './cli.mjs';
import { temporaryFolder } from '../folder.mjs';

const folder = temporaryFolder();
mkdirSync(join(folder, 'bin'));
const program = join(folder, 'bin', 'param-ledger');
writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`);
chmodSync(program, 0o755);
const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };

const offered = (/** @type {string[]} */ ...words) =>
  run(['completion', 'words', '--', ...words]).out.split('\n').filter(Boolean).map((line) => line.split('\t')[0]); // prettier-ignore

test('commands, options that are still useful, their values, models and types', () => {
  assert.deepEqual(offered('mem'), ['memory']);
  assert.deepEqual(offered('compare', '--al'), ['--all']);
  assert.deepEqual(offered('compare', '--json', '--al'), [], 'not beside --json');
  assert.deepEqual(offered('--format', 'l'), ['latex']);
  assert.deepEqual(offered('-f', 'j'), ['json']);
  assert.deepEqual(offered('--format=c'), ['--format=csv']);
  assert.deepEqual(offered('--format', '=', 'c'), ['csv'], 'as bash parts them');
  assert.deepEqual(offered('memory', '--optimizer', 'sg'), ['sgd', 'sgd_momentum']);
  assert.deepEqual(offered('--memory', '--stage', ''), ['0', '1', '2', '3']);
  assert.deepEqual(offered('memory', '--color', ''), ['auto', 'always', 'never']);
  assert.deepEqual(offered('help', 'a'), ['article']);
  assert.deepEqual(offered('completion', ''), ['bash', 'zsh', 'fish']);
  assert.deepEqual(offered('Meta-Llama/llama-3.1-40'), ['meta-llama/Llama-3.1-405B']);
  assert.deepEqual(offered('read', '--config', 'mixtra'), ['mixtral']);
  assert.deepEqual(offered('types', 'gpt_neox_'), ['gpt_neox_japanese']);
  assert.deepEqual(offered('jsonl', 'meta'), [], 'files are for the shell');
  assert.ok(offered('').length > 180);
  assert.ok(!offered('memory', '--gb', '24', '--').includes('--gb'), 'once is enough');
  assert.ok(offered('--set', 'a=1', '--s').includes('--set'));
});

test('bash completes', () => {
  const script = `source <(param-ledger completion bash)
    complete -p param-ledger > /dev/null || exit 3
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _param_ledger; echo "\${COMPREPLY[*]}"; }
    try param-ledger mem; try param-ledger --format = js; try param-ledger meta-llama/Llama-3.1-40; try param-ledger memory --optim`;
  assert.equal(
    execFileSync('bash', ['-c', script], { env, cwd: folder, encoding: 'utf8' }),
    'memory\njson\nmeta-llama/Llama-3.1-405B\n--optimizer\n',
  );
});

for (const shell of ['zsh', 'fish']) {
  const there = spawnSync(shell, ['-c', 'true']).status === 0;
  test(`${shell} completes`, { skip: there ? false : `there is no ${shell}` }, () => {
    const script = join(folder, shell);
    writeFileSync(script, run(['completion', shell]).out);
    execFileSync(shell, ['-n', script]);
    if (shell === 'fish')
      assert.match(
        execFileSync('fish', ['-c', `source ${script}; complete -C 'param-ledger mem'`], { env, cwd: folder, encoding: 'utf8' }),
        /^memory\tWhat each takes/,
      );
  });
}
