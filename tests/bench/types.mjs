// Prints the time from a key press until it is painted, compared with a plain input in the same run, for every model of the catalogue and
// the default of every model type. Needs web/dist and Chromium. Takes about twenty minutes.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { address, serve } from '../../web/build/serve.mjs';
import { launchChromium } from '../page/launch.mjs';
import { temporaryFolder } from '../folder.mjs';
import { digits, firstDecile, keys } from './keys.mjs';

const PRESSES = 6;
const PAUSE = 120; // in milliseconds, which is as fast as people type
const FIELD = '.field:not([data-wrong]) .number-input';

const { models, types } = JSON.parse(readFileSync(new URL('../../web/dist/package/models.json', import.meta.url), 'utf8'));
const folder = temporaryFolder();
writeFileSync(join(folder, 'index.html'), '<!doctype html><meta charset="utf-8"><title>A key</title><input value="4096">');

const [page, bare] = [await serve(0), await serve(0, folder)];
const browser = await launchChromium();
const open = async (/** @type {string} */ url) => {
  const tab = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  await tab.goto(url);
  return tab;
};

const lone = await open(address(bare));
const loneKeys = firstDecile(await keys(lone, await digits(lone, 'input')));

/**
 * @param {string} what
 * @param {readonly string[]} links
 * @param {number} most the excess over a plain input, in milliseconds, above which a model is counted as slow
 */
async function measure(what, links, most) {
  const tab = await open(address(page));
  await tab.waitForSelector('html[data-ready]');
  /** @type {[link: string, took: number][]} */
  const all = [];
  for (const link of links) {
    await tab.evaluate((hash) => void (location.hash = hash), link);
    await tab.waitForFunction((hash) => location.hash === hash && document.querySelector('.number'), link);
    await tab.waitForTimeout(300);
    if ((await tab.locator(FIELD).count()) === 0) continue; // nothing to type
    const press = await digits(tab, FIELD);
    const took = await keys(tab, press, PAUSE, PRESSES);
    const least = (/** @type {number} */ parity) => Math.min(...took.filter((_, i) => i % 2 === parity));
    all.push([link, Math.max(least(0), least(1)) - loneKeys]); // the slower of deleting and typing a digit
  }
  all.sort(([, a], [, b]) => b - a);
  const above = all.filter(([, took]) => took > most);
  const slowest = all.slice(0, 5).map(([link, took]) => `${link} ${took.toFixed(1)}`);
  console.log(
    `key to paint   ${what}: ${all.length}, median ${all[all.length >> 1][1].toFixed(1)} ms more than the ${loneKeys.toFixed(1)} ms of a plain input; ${above.length} above ${most}; slowest: ${slowest.join(', ')}`,
  );
  await tab.close();
}

await measure(
  'models of the catalogue',
  models.map((/** @type {{ id: string }} */ { id }) => `#m=${id}`),
  16,
);
await measure(
  'defaults of model types',
  types.map((/** @type {{ model_type: string }} */ { model_type }) => `#t=${model_type}`),
  40,
);

await browser.close();
page.close();
bare.close();
