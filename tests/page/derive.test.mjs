// Tests the Derive view and the exports of a derivation.

import assert from 'node:assert/strict';
import { PLACES, everywhere, inaccessible } from './browsers.mjs';
import { becomes, eventually, field, hash, reads, ready, saved } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const step = (/** @type {Page} */ page, /** @type {string} */ name) =>
  page.locator(`.derived-step:has(> details > summary .derived-says:text-is("${name}"))`);
const value = (/** @type {Page} */ page, /** @type {string} */ name) => step(page, name).locator('.derived-value').innerText();

everywhere(
  'axe finds nothing on a phone, where tables scroll',
  async ({ page, open }) => {
    await open('#derive;m=meta-llama/Llama-3.1-8B');
    await ready(page);
    await becomes(() => value(page, 'All parameters'), '8,030,261,248');
    await step(page, 'Grouped-query attention, in a layer').locator('summary').click();
    await step(page, 'Grouped-query attention, in a layer').locator('table').waitFor();
    assert.deepEqual(await inaccessible(page), []);
  },
  { names: ['chromium'], viewport: { width: 390, height: 844 } },
);

everywhere(
  'each step opens to its tensors, an edit rewrites it, and the judge finds it right',
  async ({ page, open, place }) => {
    await open('#derive;m=deepseek-ai/DeepSeek-V3');
    await ready(page);
    await becomes(() => value(page, 'All parameters'), '671,026,404,352');
    await becomes(() => value(page, 'Multi-head latent attention (MLA), in a layer'), '187,105,280');
    await step(page, 'Multi-head latent attention (MLA), in a layer').locator('summary').click();
    assert.match(
      await step(page, 'Multi-head latent attention (MLA), in a layer').locator('table').innerText(),
      /kv_b_proj[\s\S]*Expands the latent to the keys and values of all heads\.\s+16,777,216/,
    );
    await reads(() => page.locator('.derived-judged').innerText(), /^Checked: all \d+ steps and the total are correct\.$/);
    if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
    // Pointing at a step highlights its tensors in the picture above.
    const summary = step(page, 'Multi-head latent attention (MLA), in a layer').locator('summary');
    const lit = () => page.locator('.icicle [data-lit]').count();
    await summary.hover();
    await eventually(async () => (await lit()) > 0, 'attention is lit');
    await page.mouse.move(0, 0);
    await eventually(async () => (await lit()) === 0, 'nothing is lit');
    await summary.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await eventually(async () => (await lit()) > 0, 'the focus lights attention, too');
    await field(page, 'n_shared_experts').fill('2');
    await becomes(() => value(page, 'All parameters'), '673,580,735,488');
    await field(page, 'n_shared_experts').fill('');
  },
  { places: PLACES },
);

everywhere(
  'a derivation is exported, and turned into an article',
  async ({ page, open, place }) => {
    await open('#derive;t=llama');
    await ready(page);
    await becomes(() => value(page, 'All parameters'), '6,738,415,616');
    await page.getByLabel('HTML', { exact: true }).check({ force: true });
    const file = await saved(page, page.getByRole('button', { name: /^Save: / }));
    assert.equal(file.name, 'llama-derivation.html');
    const html = file.bytes.toString();
    assert.match(html, /<strong>6,738,415,616<\/strong>/);
    assert.doesNotMatch(html, /<script|<link|src=|href=/); // the address in it is plain text, not a link
    await page.getByRole('button', { name: 'Edit as an article' }).click();
    await page.waitForSelector('.worked');
    await eventually(
      async () => (await page.locator('.steps tbody tr[data-verdict=right]').count()) === (await page.locator('.steps tbody tr').count()),
      'all right',
    );
    assert.match(await hash(page), /^#articles\?/);
    if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
  },
  { acceptDownloads: true },
);

everywhere('a refused configuration says why, and the last derivation stays', async ({ page, open }) => {
  await open('#derive;t=llama');
  await ready(page);
  await field(page, 'num_attention_heads').fill('0');
  await reads(() => page.locator('.derive .refusal').innerText(), /num_attention_heads/);
  await becomes(() => value(page, 'All parameters'), '6,738,415,616');
});

everywhere('by keyboard alone a step is opened, a field changed, and the derivation turned into an article', async ({ page, open }) => {
  await open('#derive;t=llama');
  await ready(page);
  await becomes(() => value(page, 'All parameters'), '6,738,415,616');
  const inFocus = (/** @type {string} */ selector) => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
  const text = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (/** @type {() => Promise<boolean>} */ there, /** @type {string} */ what) => {
    for (let i = 0; !(await there()); i++) {
      assert.ok(i < 60, what);
      await page.keyboard.press('Tab');
    }
  };
  await page.getByRole('link', { name: 'More' }).focus();
  await tabTo(() => inFocus('[data-field=num_hidden_layers] input'), 'a field');
  await page.keyboard.press('ArrowUp');
  await becomes(() => value(page, 'All parameters'), '6,940,798,976'); // one more layer: 202,383,360
  await page.locator('main').focus();
  await tabTo(async () => /^Multi-head attention, in a layer/.test(await text()), 'a step');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space'); // closes it again
  await page.keyboard.press('Enter');
  await reads(() => step(page, 'Multi-head attention, in a layer').locator('table').innerText(), /q_proj[\s\S]*16,777,216/);
  await page.locator('main').focus();
  await tabTo(async () => /^Edit as an article$/.test(await text()), 'the article');
  await page.keyboard.press('Enter');
  await reads(() => hash(page), /^#articles\?/);
});

everywhere('on one device: the memory view’s plan, step by step, also in exports', async ({ page, open, place }) => {
  await open('#derive;m=deepseek-ai/DeepSeek-V3');
  await ready(page);
  await page.locator('.derived-device summary').first().click();
  await becomes(() => value(page, 'Device 0, total'), '93,959,052,288');
  assert.equal(await value(page, 'An even share of the model'), '83,878,300,544');
  assert.equal(await value(page, 'More than an even share'), '10,080,751,744');
  const file = await saved(page, page.getByRole('button', { name: /^Save: / }));
  assert.match(file.bytes.toString(), /^## On one device$/m);
  await page.getByRole('button', { name: 'Expert: more' }).click();
  await step(page, 'Feed-forward on this device').locator('summary').click();
  await page.getByText('model.layers.[3-60].mlp.experts.[0-31].gate_proj.weight').first().waitFor();
  await page.getByLabel('Expert', { exact: true }).fill('12');
  await page.getByText('The nearest multiples: 8 and 16.').waitFor();
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
});

everywhere(
  'a derivation is never wider than its window, however long a product is',
  async ({ page, open }) => {
    for (const model of ['deepseek-ai/DeepSeek-V3.2', 'facebook/regnet-y-016']) {
      await open('#memory');
      await open(`#derive;m=${model}`);
      await ready(page);
      await page.locator('.derived-formula').first().waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), model);
    }
  },
  { viewport: { width: 390, height: 844 } },
);
