// Tests two models on one page, one of them in a shadow root. Neither may find an element of the other by id, and nothing may leak from one
// to the other.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, inlined, output } from '../../web/build/bundles.mjs';
import { address, serve } from '../../web/build/serve.mjs';
import { everywhere, inaccessible } from './browsers.mjs';
import { becomes, eventually, ready, reads, written } from './page.mjs';
import { temporaryFolder } from '../folder.mjs';

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const folder = temporaryFolder();
const entry = fileURLToPath(new URL('two-models.tsx', import.meta.url));
const nodePaths = [fileURLToPath(new URL('../../web/node_modules', import.meta.url))];
const script = output(await bundle({ ...inlined, entryPoints: [entry], format: 'esm', nodePaths }), '.js').contents;
const style = readdirSync(dist).find((name) => /^style-.*\.css$/.test(name)) ?? '';
// The Content-Security-Policy of the real page also applies here.
const policy = /<meta http-equiv[^>]*>/.exec(readFileSync(join(dist, 'index.html'), 'utf8'))?.[0] ?? '';
writeFileSync(join(folder, 'script.js'), script);
writeFileSync(join(folder, 'style.css'), readFileSync(join(dist, style)));
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${policy}<title>Two models</title>` +
    '<link rel="icon" href="data:,"><link rel="stylesheet" href="style.css">' + // without an icon Chromium would request one
    '<script type="module" src="script.js"></script></head><body></body></html>',
);
const server = (await serve(0, folder)).unref();

everywhere(
  'two models work on one page, one in a shadow root',
  async ({ page }) => {
    await page.goto(address(server));
    await ready(page);
    // Playwright's locators search in open shadow roots, too.
    const [first, second] = [page.locator('#light'), page.locator('#shadow')];
    const number = (/** @type {import('playwright-core').Locator} */ view) => () => view.locator('.number').innerText();
    await becomes(number(first), '6,738,415,616');
    await becomes(number(second), '124,439,808');

    await second.locator('[data-field=n_layer] input').fill('13');
    await becomes(number(second), '131,527,680');
    await first.locator('[data-field=num_hidden_layers] input').fill('33');
    await becomes(number(first), '6,940,798,976');
    await becomes(number(second), '131,527,680');

    // Highlights, radio groups, and the links from parts to the table and from symbols to fields must work only within their own view.
    await second.locator('.legend button[data-symbol=n_embd]').hover();
    await eventually(async () => (await second.locator('.field[data-lit]').count()) === 1, 'the light of its own field');
    assert.equal(await first.locator('[data-lit]').count(), 0);
    await second.getByRole('radio', { name: 'by part' }).check({ force: true });
    assert.equal(await first.getByRole('radio', { name: 'by module' }).isChecked(), true);
    await second.getByRole('button', { name: 'Norm', exact: true }).first().click();
    const focused = (/** @type {string} */ id) =>
      page.evaluate((host) => {
        const element = document.getElementById(host);
        return (element?.shadowRoot ?? document).activeElement?.getAttribute('aria-label');
      }, id);
    await becomes(() => focused('shadow'), 'Norm');
    await second.locator('.legend button[data-symbol=n_embd]').click();
    await eventually(
      () =>
        second
          .locator('[data-field=n_embd] input')
          .evaluate((input) => input === /** @type {ShadowRoot} */ (input.getRootNode()).activeElement),
      'the field has the focus',
    );
    await reads(() => written(second.locator('.tensors')), /Attention/);

    const ids = await page.evaluate(() => {
      const all = [document, /** @type {ShadowRoot} */ (document.getElementById('shadow')?.shadowRoot)];
      return all.flatMap((root) => [...root.querySelectorAll('[id]')].map(({ id }) => id));
    });
    assert.equal(new Set(ids).size, ids.length, 'no id stands twice');
    const known = new Set([
      'landmark-no-duplicate-main',
      'landmark-main-is-top-level',
      'landmark-unique',
      'page-has-heading-one',
      'region',
    ]);
    assert.deepEqual(
      (await inaccessible(page)).filter((fault) => !known.has(fault.split(':')[0])),
      [],
    );
  },
  { places: ['hosted'], viewport: { width: 1300, height: 900 } },
);
