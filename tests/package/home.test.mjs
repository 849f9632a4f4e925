// Where the build is told where the hosted page will stand, with a final slash or without, what leads there leads to that folder.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { everywhere } from '../page/browsers.mjs';
import { reads } from '../page/page.mjs';
import { temporaryFolder } from '../folder.mjs';

const home = 'https://ledger.example/tools/ledger/';
const folder = temporaryFolder();
const [with_, without] = [home, home.replace(/\/$/, '')].map((PARAM_LEDGER_HOME, i) => {
  const out = join(folder, String(i));
  const build = fileURLToPath(new URL('../../web/build/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build, out], { env: { ...process.env, PARAM_LEDGER_HOME } });
  return out;
});

test('the slash makes no difference', () => {
  const files = (/** @type {string} */ place) => readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(place.length)).sort(); // prettier-ignore
  assert.deepEqual(files(without), files(with_));
  for (const name of files(with_)) assert.ok(readFileSync(join(with_, name)).equals(readFileSync(join(without, name))), name);
  assert.equal(JSON.parse(readFileSync(join(without, 'package/package.json'), 'utf8')).homepage, home);
});

everywhere(
  'the links of the one file lead there',
  async ({ page }) => {
    const file = pathToFileURL(join(without, 'param-ledger.html')).href;
    await page.goto(`${file}#view=total;m=openai-community/gpt2`);
    await reads(async () => (await page.locator('.compact [part=link] a').getAttribute('href')) ?? '', /^https:\/\/ledger\.example\/tools\/ledger\/#m=openai-community\/gpt2$/); // prettier-ignore
    await page.goto('about:blank');
    await page.goto(`${file}#embed;m=openai-community/gpt2`);
    await reads(() => page.locator('.snippet').innerText(), /src="https:\/\/ledger\.example\/tools\/ledger\/package\/widget\.js"/);
  },
  { places: ['file'], names: ['chromium'], asks: /param-ledger\.html/ },
);
