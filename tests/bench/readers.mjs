// Prints each parser's slowest time for a megabyte of the inputs in hostile.mjs. Also lists inputs that take more than 100 ms, and
// inputs that take more than 20 ms and three times as long as half a megabyte of them. Arguments select parsers or inputs.

import { whole } from '../../web/dist/package/param-ledger.js';
import { readers } from './hostile.mjs';

const wanted = process.argv.slice(2);
const MEGABYTE = 1_000_000;
const ENOUGH = 100;

const ledger = await whole();

/**
 * Measures milliseconds of processor time. Up to three runs are made and the minimum counts, because other programs may be running.
 * @param {string | Uint8Array} input @param {object} [config]
 */
function taken(input, config) {
  let least = Infinity;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    if (config === undefined && typeof input === 'string' && input.startsWith('{"model_type"')) ledger.count(input);
    ledger.read(input, { config });
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
    if (least > 10 * ENOUGH) break;
  }
  return least;
}

for (const [reader, { config, of }] of Object.entries(readers)) {
  let slowest = 0;
  let which = '';
  const slow = [];
  for (const [name, make] of Object.entries(of)) {
    if (wanted.length > 0 && !wanted.includes(reader) && !wanted.includes(name)) continue;
    const half = taken(make(MEGABYTE / 2), config);
    const one = taken(make(MEGABYTE), config);
    if (one > slowest) [slowest, which] = [one, name];
    if (one > ENOUGH || (one > 20 && one > 3 * half))
      slow.push(`  ${name}: ${half.toFixed(0)} ms for half a MB, ${one.toFixed(0)} for one`);
  }
  if (which === '') continue;
  console.log(`${reader}: at most ${slowest.toFixed(0)} ms/MB (${which})`);
  for (const line of slow) console.log(line);
}
