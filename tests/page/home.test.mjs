// If the build knows the hosted page's address, with or without a final slash, links lead to that folder.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryFolder } from '../folder.mjs';
import { everywhere } from './browsers.mjs';
import { reads } from './page.mjs';

const home = 'https://ledger.example/tools/ledger/';

/** Builds everything into a new folder. @param {string} PARAM_LEDGER_HOME */
function builtFor(PARAM_LEDGER_HOME) {
  const out = temporaryFolder();
  const build = fileURLToPath(new URL('../../web/build/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build, out], { env: { ...process.env, PARAM_LEDGER_HOME } });
  return out;
}

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length))
    .sort();

everywhere(
  'the hosted page’s address may end in a slash, and the one file’s links lead there',
  async ({ page }) => {
    const [ends, doesNot] = [home, home.replace(/\/$/, '')].map(builtFor);
    assert.deepEqual(filesIn(doesNot), filesIn(ends));
    for (const name of filesIn(ends)) assert.ok(readFileSync(join(ends, name)).equals(readFileSync(join(doesNot, name))), name);
    assert.equal(JSON.parse(readFileSync(join(doesNot, 'package/package.json'), 'utf8')).homepage, home);

    const file = pathToFileURL(join(doesNot, 'param-ledger.html')).href;
    await page.goto(`${file}#view=total;m=openai-community/gpt2`);
    await reads(async () => (await page.locator('.compact [part=link] a').getAttribute('href')) ?? '', /^https:\/\/ledger\.example\/tools\/ledger\/#m=openai-community\/gpt2$/); // prettier-ignore
    await page.goto('about:blank');
    await page.goto(`${file}#embed;m=openai-community/gpt2`);
    await reads(() => page.locator('.snippet').innerText(), /src="https:\/\/ledger\.example\/tools\/ledger\/package\/widget\.js"/);
  },
  { places: ['file'], names: ['chromium'], asks: /param-ledger\.html/ },
);
