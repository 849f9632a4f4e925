// Builds the page with the hosted page's address, given without its trailing slash. The offline file's links must lead to that folder.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryFolder } from '../folder.mjs';
import { folderOrFile } from '../../web/build/bundles.mjs';
import { everywhere } from './browsers.mjs';
import { reads } from './page.mjs';

const home = 'https://ledger.example/tools/ledger/';

/** Builds the page and the package into a new folder. @param {string} PARAM_LEDGER_HOME */
function builtFor(PARAM_LEDGER_HOME) {
  const out = temporaryFolder();
  const build = fileURLToPath(new URL('../../web/build/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build, out], { env: { ...process.env, PARAM_LEDGER_HOME } });
  return out;
}

everywhere(
  'the hosted page’s address may end in a slash, and the one file’s links lead there',
  async ({ page }) => {
    assert.equal(folderOrFile(home), home);
    assert.equal(folderOrFile(`${home}index.html`), `${home}index.html`);
    const built = builtFor(home.replace(/\/$/, ''));
    assert.equal(JSON.parse(readFileSync(join(built, 'package/package.json'), 'utf8')).homepage, home);

    const file = pathToFileURL(join(built, 'param-ledger.html')).href;
    await page.goto(`${file}#view=total;m=openai-community/gpt2`);
    await reads(async () => (await page.locator('.compact [part=link] a').getAttribute('href')) ?? '', /^https:\/\/ledger\.example\/tools\/ledger\/#m=openai-community\/gpt2$/); // prettier-ignore
    await page.goto('about:blank');
    await page.goto(`${file}#embed;m=openai-community/gpt2`);
    await reads(() => page.locator('.snippet').innerText(), /src="https:\/\/ledger\.example\/tools\/ledger\/package\/widget\.js"/);
  },
  { places: ['file'], names: ['chromium'], asks: /param-ledger\.html/ },
);
