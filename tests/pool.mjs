// Runs test files in two processes, each with the browsers that its files have opened: to start one takes as long as several tests.
//
//   node tests/pool.mjs FILE...
//
// Says which tests were run again, and all that a process reported where it failed; exits with 1 then.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Runs what the other process hands out, until that is nothing. */
async function work() {
  const { close } = await import('./page/browsers.mjs');
  for (;;) {
    process.send?.('done');
    const [file] = await once(process, 'message');
    if (!file) break;
    await import(pathToFileURL(file).href);
    await test('the last of this file', () => {}); // a process runs its tests one after the other
  }
  await close();
  process.disconnect();
}

/** Hands out files, the next as soon as one is done; whether all went well. @param {string[]} files */
async function employ(files) {
  const worker = fork(fileURLToPath(import.meta.url), { execArgv: ['--test-reporter=spec'], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let report = '';
  worker.stdout?.setEncoding('utf8').on('data', (text) => (report += text));
  worker.on('message', () => worker.send(files.shift() ?? ''));
  const [code] = await once(worker, 'close');
  if (code !== 0) console.error(report);
  return code === 0;
}

if (process.send) await work();
else {
  // From the largest, which takes about the longest.
  const files = process.argv.slice(2).sort((a, b) => statSync(b).size - statSync(a).size);
  const passed = await Promise.all([employ(files), employ(files)]);
  process.exitCode = passed.every(Boolean) ? 0 : 1;
}
