// Tests the exports, the explanations of terms, the list of supported types, keyboard shortcuts, the list of visited models, the formats of
// shown and copied numbers, and link previews.

import assert from 'node:assert/strict';
import { PLACES, everywhere, inaccessible } from './browsers.mjs';
import { becomes, counts, eventually, field, hash, picker, reads, ready, saved, total } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const preview = (/** @type {Page} */ page) => page.locator('.preview').innerText();

everywhere('every export has a preview and a description', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByText('Export', { exact: true }).click();
  await reads(() => preview(page), /^Llama 3\.1 8B: 8,030,261,248 parameters/);
  for (const [label, begins] of /** @type {[string, RegExp][]} */ ([
    ['Markdown', /^\*\*Llama 3\.1 8B\*\*: 8,030,261,248/],
    ['CSV', /^\ufeff?name,kind,part,shape,copies/],
    ['CSV of all', /model\.layers\.0\.input_layernorm\.weight,parameter,norm,4096/],
    ['JSON', /^\{\n {2}"ok": true/],
    ['LaTeX', /\\begin\{align\*\}/],
    ['Python', /def parameters\(/],
  ])) {
    await page.getByLabel(label, { exact: true }).check({ force: true });
    await reads(() => preview(page), begins);
  }
  await field(page, 'num_hidden_layers').fill('16');
  await reads(() => preview(page), /num_hidden_layers=16/);
  await field(page, 'num_hidden_layers').fill('x');
  await becomes(
    () =>
      page
        .getByRole('button', { name: /^Copy: Copy as Python|^Copy: The current configuration/ })
        .last()
        .isDisabled(),
    true,
  );
});

everywhere(
  'a file has exact digits',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await page.getByText('Export', { exact: true }).click();
    await page.getByLabel('CSV', { exact: true }).check({ force: true });
    const { name, bytes } = await saved(page, page.getByRole('button', { name: /^Save: Save as CSV/ }));
    assert.equal(name, 'Llama-3.1-8B.csv');
    const text = bytes.toString();
    assert.ok(text.startsWith('\ufeffname,') && text.includes(',525336576,'));
    await page.getByLabel('CSV of all', { exact: true }).check({ force: true });
    const all = await saved(page, page.getByRole('button', { name: /^Save: Save as CSV of all/ }));
    assert.equal(all.name, 'Llama-3.1-8B-tensors.csv', 'two files have two names');
  },
  { places: PLACES, acceptDownloads: true },
);

everywhere('a term of the formula is explained with this model’s numbers', async ({ page, open }) => {
  await open();
  await ready(page);
  const terms = page.locator('.formula-term');
  const reason = () => page.locator('.reason').innerText();
  assert.equal(await terms.count(), 6);
  await terms.nth(3).focus();
  await reads(reason, /5,637,144,576, 70\.20% of the model: Feed-forward\..*gate and up projections both map/);
  await terms.nth(2).hover();
  await reads(reason, /With 32 key-value heads instead of 8, one for each query head, the model would have 805,306,368 more parameters/);
  assert.equal(await terms.nth(2).getAttribute('data-part'), 'attention');
});

everywhere('what is supported: types, classes, how each is verified, and the published models', async ({ page, open }) => {
  await open('#supported');
  await ready(page);
  await page.getByRole('heading', { name: 'What is supported' }).waitFor();
  await reads(() => page.locator('.method').innerText(), /\d+ model types with [\d,]+ classes.*[3-9]\d\d published models/s);
  await page.getByRole('searchbox').fill('mixtral');
  await reads(() => page.locator('.supported [role=status]').innerText(), /^\d+ model types? found/);
  const mixtral = page.locator('.families > li', { has: page.locator('summary code', { hasText: /^mixtral$/ }) });
  await mixtral.locator('summary').click();
  await reads(() => mixtral.innerText(), /MixtralForCausalLM\s+\d+/);
  assert.match(await mixtral.innerText(), /46,702,792,704/);
  assert.deepEqual(await inaccessible(page), []);
  await mixtral
    .getByRole('button', { name: /Mixtral 8x7B/ })
    .first()
    .click();
  await counts(page, '46,702,792,704');
  await reads(() => hash(page), /^#m=mistralai\/Mixtral-8x7B/);
});

everywhere('keys: undo goes through edits and models, ? lists the keys, single letters can be switched off', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'num_hidden_layers').fill('16');
  await counts(page, '4,540,469,248');
  await page.locator('main').focus();
  await page.keyboard.press('Control+z');
  await counts(page, '8,030,261,248');
  await page.keyboard.press('Control+Shift+z');
  await counts(page, '4,540,469,248');
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'combobox');
  await page.keyboard.press('Escape');
  await page.locator('main').focus();
  await page.keyboard.press('?');
  await eventually(() => page.getByText('Filter the tensors').isVisible(), 'the keys');
  await page.getByLabel('Single letters are shortcuts').uncheck();
  await page.locator('main').focus();
  await page.keyboard.press('f');
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
});

everywhere(
  'inside another page’s frame undo works, and single letters are no shortcuts',
  async ({ page, url }) => {
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 })); // not every build of Chromium asks for it
    await page.goto(url.replace(/[^/]*$/, 'docs/docs.css')); // any other page of this host
    await page.setContent(`<iframe title="framed" width="1200" height="800" src="${url}"></iframe>`);
    const frame = page.frameLocator('iframe');
    await frame.locator('html[data-ready]').waitFor();
    await frame.locator('[data-field="num_hidden_layers"] input').fill('16');
    await becomes(() => frame.locator('.number').innerText(), '4,540,469,248');
    await frame.locator('main').press('Control+z');
    await becomes(() => frame.locator('.number').innerText(), '8,030,261,248');
    await frame.locator('main').press('/');
    assert.equal(await frame.locator('[role=combobox]').evaluate((input) => input === document.activeElement), false);
  },
  { places: ['hosted'], names: ['chromium'] },
);

everywhere('visited models come first in the list, until they are forgotten', async ({ page, open }) => {
  await open();
  await ready(page);
  const first = async () => {
    await picker(page).click();
    await page.getByRole('option').first().waitFor();
    const text = await page.locator('.option-group').first().innerText();
    await page.keyboard.press('Escape');
    return text;
  };
  assert.notEqual(await first(), 'visited');
  await picker(page).fill('gpt2-xl');
  await page
    .getByRole('option', { name: /^GPT-2 XL/i })
    .first()
    .waitFor();
  await picker(page).press('Enter');
  await eventually(async () => (await total(page)) !== '8,030,261,248', 'another model');
  await page.reload();
  await ready(page);
  assert.equal(await first(), 'visited');
  await page.getByRole('button', { name: 'Forget the models visited' }).click();
  assert.notEqual(await first(), 'visited');
});

everywhere(
  'numbers are grouped in the reader’s locale, but not when copied',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await becomes(() => total(page), '8.030.261.248');
    await page.getByText('Export', { exact: true }).click();
    await reads(() => preview(page), /^Llama 3\.1 8B: 8,030,261,248 parameters/);
    await page.getByRole('button', { name: 'Copy: Copy the exact number' }).waitFor();
  },
  { names: ['chromium'], locale: 'de-DE' },
);

everywhere(
  'link previews contain the number',
  async ({ page, open }) => {
    await open();
    await ready(page);
    assert.match((await page.locator('meta[property="og:title"]').getAttribute('content')) ?? '', /8,030,261,248 parameters/);
    const image = await page.request.get(new URL('preview.png', page.url()).href);
    assert.equal((await image.body()).subarray(1, 4).toString(), 'PNG');
    assert.ok((await image.body()).length < 100_000);
  },
  { places: ['hosted'], names: ['chromium'] },
);
