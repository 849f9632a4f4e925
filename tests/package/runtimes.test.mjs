// Tests the installed package in Deno and Bun: as a module, in a worker, and from the command line. The worker keeps listening for
// messages, because Bun ends a worker that only awaits something.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { file, folder } from './installed.mjs';

const { resolve } = createRequire(import.meta.url);

/** How each runtime runs a module and the command line. In Deno, only the command line may read files, the environment and the system. */
const runtimes = {
  deno: {
    program: () => resolve('@deno/linux-x64-glibc/deno'),
    module: ['run', '--no-prompt', '--cached-only'],
    cli: ['run', '--no-prompt', '--cached-only', '--allow-read', '--allow-env', '--allow-sys'],
  },
  bun: { program: () => resolve('@oven/bun-linux-x64/bin/bun'), module: ['run'], cli: ['run'] },
};

writeFileSync(
  join(folder, 'count.mjs'),
  `import { load, version } from 'param-ledger';
import { ParamLedgerElement } from 'param-ledger/element';
import 'param-ledger/define';
const ledger = await load();
console.log(version, ledger.count({ model_type: 'llama' }).totals.parameters, ledger.count('{').error.code, typeof ParamLedgerElement);`,
);
writeFileSync(
  join(folder, 'in-worker.mjs'),
  `import { load } from 'param-ledger';
onmessage = async ({ data }) => postMessage((await load()).totals(data).totals.parameters);`,
);
writeFileSync(
  join(folder, 'starts-worker.mjs'),
  `const worker = new Worker(new URL('./in-worker.mjs', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => (console.log(data), worker.terminate());
worker.postMessage({ model_type: 'llama' });`,
);

for (const [name, { program, module, cli }] of Object.entries(runtimes)) {
  // The npm packages with the runtimes' binaries are installed only for Linux on x64.
  const skip = process.platform !== 'linux' || process.arch !== 'x64';
  const home = join(folder, name);
  mkdirSync(home);
  /** @param {readonly string[]} words @param {string} [input] */
  const run = (words, input = '') => {
    const { status, stdout, stderr, error } = spawnSync(program(), [...words], {
      cwd: folder,
      input,
      timeout: 120_000,
      env: { PATH: process.env.PATH, HOME: home, DENO_DIR: home, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    });
    if (error) throw error;
    return { code: status, out: String(stdout), errors: String(stderr) };
  };

  test(`${name} counts without permissions`, { skip }, () => {
    const { out, errors } = run([...module, 'count.mjs']);
    assert.match(out, /^\d+\.\d+\.\d+ 6738415616 malformed_json function\n$/, errors);
  });

  test(`${name} counts in a worker`, { skip }, () => {
    const { out, errors } = run([...cli, 'starts-worker.mjs']);
    assert.equal(out, '6738415616\n', errors);
  });

  test(`${name} runs the command line`, { skip }, () => {
    const command = (/** @type {string[]} */ words, input = '') => run([...cli, file('cli.js'), ...words], input);
    assert.match(command(['meta-llama/Llama-3.1-8B', '--expect', '8030261248']).out, /8,030,261,248 parameters/);
    assert.equal(command(['gpt2', '--expect', '1']).code, 1);
    assert.equal(command(['--no-such-option']).code, 2);
    assert.match(command(['-', '-f', 'names'], '{"model_type": "gpt2"}').out, /^transformer\.h\.11\.mlp\.c_proj\.weight$/m);
    const lines = ['{"id": 1, "config": {"model_type": "gpt2"}}', 'no JSON', '{"model_type": "llama"}'];
    const { code, out, errors } = command(['--jsonl', '--totals', '--jobs', '2'], lines.join('\n'));
    assert.deepEqual(
      out.trim().split('\n').map((line) => JSON.parse(line)).map(({ id, totals, error }) => [id, totals?.parameters ?? error.code]), // prettier-ignore
      [
        [1, '124439808'],
        [undefined, 'malformed_json'],
        [undefined, '6738415616'],
      ],
    );
    assert.match(errors, /2 counted, 1 refused/);
    assert.equal(code, 1);
  });
}
