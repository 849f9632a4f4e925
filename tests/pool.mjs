// Runs test files in two processes, each with the browsers that its files have opened: to start one takes as long as several tests.
//
//   node tests/pool.mjs FILE...
//
// Reports what failed at first and passed when it was run again, which is a race or a busy machine, with all that was wrong. Where a process
// failed, prints all that it reported and exits with 1.

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

/** What failed at first. @type {{ title: string, error: string }[]} */
const races = [];

/** Hands out files, the next as soon as one is done; whether all went well. @param {string[]} files */
async function employ(files) {
  const typescript = new URL('typescript.mjs', import.meta.url).href;
  const execArgv = [`--import=${typescript}`, '--test-reporter=spec'];
  const worker = fork(fileURLToPath(import.meta.url), { execArgv, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let report = '';
  worker.stdout?.setEncoding('utf8').on('data', (text) => (report += text));
  worker.on('message', (/** @type {'done' | { title: string, error: string }} */ message) => {
    if (message === 'done') worker.send(files.shift() ?? '');
    else races.push(message);
  });
  const [code] = await once(worker, 'close');
  if (code !== 0) console.error(report);
  return code === 0;
}

if (process.send) {
  await work().catch((error) => {
    console.error(error); // a file that cannot be loaded; browsers that run would keep the process
    process.exit(1);
  });
} else {
  // From the largest, which takes about the longest.
  const files = process.argv.slice(2).sort((a, b) => statSync(b).size - statSync(a).size);
  const passed = await Promise.all([employ(files), employ(files)]);
  for (const { title, error } of races) console.error(`failed at first: ${title}\n    ${error.replaceAll('\n', '\n    ')}`);
  if (races.length > 0) console.error(`${races.length} tests were run again`);
  process.exitCode = passed.every(Boolean) ? 0 : 1;
}
