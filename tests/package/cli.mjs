// Runs the command line as a shell would.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const cli = fileURLToPath(new URL('../../web/dist/package/cli.js', import.meta.url));

/**
 * @param {string[]} words
 * @param {{ input?: string | Buffer, cwd?: string, env?: Record<string, string> }} [options]
 */
export function run(words, { input = '', cwd, env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
    input,
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  });
  return { code: status, out: String(stdout), errors: String(stderr) };
}

/** A model whose count is easily found by hand: 95,040 parameters. */
export const small = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  intermediate_size: 128,
  vocab_size: 100,
};
