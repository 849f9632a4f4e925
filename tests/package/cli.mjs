// Runs the built command line and returns its output.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export { small } from '../small.mjs';

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
