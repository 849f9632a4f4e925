// Tests the hosted page while its host is unreachable or has a newer build: the first visit must store all files, files of different builds
// must never be mixed, and a view that failed to load must be tried again.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, serve } from '../../web/build/serve.mjs';
import { views } from '../../web/views/all.ts';
import { temporaryFolder } from '../folder.mjs';
import { everywhere } from './browsers.mjs';
import { counts, field, reads, ready } from './page.mjs';

const note = (/** @type {import('@playwright/test').Page} */ page) => page.locator('.offline').innerText();

everywhere(
  'after a first visit every view opens offline',
  async ({ page }) => {
    const server = await serve(0);
    const url = address(server);
    await page.goto(url);
    await ready(page);
    await reads(() => note(page), /every view opens offline/);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    for (const { id } of views) {
      await page.goto('about:blank');
      await page.goto(`${url}#${id}`);
      await ready(page);
      await page.locator(`#${id || 'model'}-answer`).waitFor();
      assert.equal(await page.locator('.banner:not([hidden])').count(), 0, id);
    }
    await page.goto('about:blank');
    await page.goto(`${url}#m=google-t5/t5-small`); // a model type that the small program does not have
    await counts(page, '60,506,624');
    await field(page, 'num_layers').fill('7');
    await counts(page, '63,653,376'); // one more encoder layer: 4 · 512² + 2 · 512 · 2,048 weights and 2 · 512 for norms
  },
  { places: ['hosted'], serviceWorkers: 'allow', faults: /ERR_CONNECTION_REFUSED|Failed to load|NetworkError/ },
);

/** Changes the copy of the page in a folder into another build, which has a mark in its HTML. @param {string} folder */
function markBuild(folder) {
  const path = join(folder, 'index.html');
  const before = readFileSync(path, 'utf8');
  const after = before.replace('<html lang="en">', '<html lang="en" data-build="newer">');
  assert.notEqual(after, before);
  const sha = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');
  const script = join(folder, 'service-worker.js');
  const worker = readFileSync(script, 'utf8').replace(sha(before), sha(after));
  writeFileSync(path, after);
  const [, build = ''] = /"([0-9a-f]{16})"/.exec(worker) ?? [];
  assert.notEqual(build, '');
  writeFileSync(script, worker.replace(build, 'newer-than-before'));
}

everywhere(
  'a newer build is used when the reader agrees, and never in part before',
  async ({ page, context }) => {
    const folder = temporaryFolder();
    cpSync(fileURLToPath(new URL('../../web/dist/', import.meta.url)), folder, { recursive: true });
    const server = (await serve(0, folder)).unref();
    const url = address(server);
    const build = () => page.evaluate(() => document.documentElement.dataset.build ?? 'first');
    await page.goto(`${url}#t=gpt2`);
    await ready(page);
    await reads(() => note(page), /every view opens offline/);
    markBuild(folder);
    await page.reload();
    await reads(() => note(page), /A newer version of this page is ready/);
    assert.equal(await build(), 'first', 'what is kept is shown as long as it is used');
    const other = await context.newPage();
    await other.goto(url);
    await ready(other);
    await page.getByRole('button', { name: 'now', exact: true }).click();
    await reads(() => note(page), /Close the other tabs with this page first/);
    await other.close();
    await page.getByRole('button', { name: 'now', exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset.build === 'newer');
    await ready(page);
    await counts(page, '124,439,808');
    await reads(() => note(page), /every view opens offline/);
    server.closeAllConnections();
    server.close();
    await page.reload();
    await ready(page);
    assert.equal(await build(), 'newer');
  },
  { places: ['hosted'], serviceWorkers: 'allow', faults: /ERR_CONNECTION_REFUSED|Failed to load|NetworkError/ },
);

everywhere(
  'a view that failed to load is tried again, even if the browser remembers the failure',
  async ({ page, open }) => {
    await open('#t=gpt2');
    await counts(page, '124,439,808');
    await page.route(/memory-view-.*\.js/, (route) => route.abort());
    await page.getByRole('link', { name: 'Memory' }).click();
    await page.getByText(/Memory could not be loaded: ./).waitFor();
    await page.unroute(/memory-view-.*\.js/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.memory-verdict').waitFor();
    assert.match(await page.locator('main h2').innerText(), /gpt2/);
  },
  { places: ['hosted'], faults: /ERR_FAILED|NS_ERROR|Failed to load|Loading failed|Cross-Origin|error loading dynamically/ },
);
