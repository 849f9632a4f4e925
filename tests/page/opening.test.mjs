// The first second: a real model, completely shown, and nothing that jumps.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { line, ready, total } from './page.mjs';

everywhere('opens on Llama 3.1 8B, completely shown', async ({ page, open }) => {
  await open();
  await ready(page);
  assert.equal(await total(page), '8,030,261,248');
  assert.equal(await page.locator('#model-name').innerText(), 'Llama 3.1 8B');
  assert.match(await page.locator('.words').innerText(), /8\.03 billion parameters/);
  assert.match(await page.locator('.check').innerText(), /equals the published count/);
  assert.match(await page.title(), /^8,030,261,248 parameters/);
  assert.deepEqual(await page.locator('.account tbody th').allInnerTexts(), ['Embedding', 'Attention', 'Feed-forward', 'Norm', 'Output head']);
  assert.match((await page.locator('.icicle').getAttribute('aria-label')) ?? '', /Feed-forward 70\.20%/);
  assert.match((await page.locator('.formula').getAttribute('aria-label')) ?? '', /= 8,030,261,248$/);
  assert.ok((await page.locator('.formula math').count()) > 3);
  const cells = await line(page, 'q_proj.weight').locator('td').allInnerTexts();
  assert.deepEqual([cells[0], cells[2], cells[3], cells[4], cells[5].trim()], ['4,096 × 4,096', '32 × 128 × 4,096 × 32', '32', '536,870,912', '6.69%']);
});

everywhere('the form has the fields that the family reads, with their source', async ({ page, open }) => {
  await open();
  await ready(page);
  const names = await page.locator('.field .field-name code').allInnerTexts();
  assert.ok(names.includes('hidden_size') && names.includes('head_dim') && !names.includes('max_position_embeddings'));
  assert.equal(await page.locator('[id="field-head_dim"]').getAttribute('placeholder'), '128');
  assert.equal(await page.locator('[data-symbol="head_dim"].field .source').innerText(), 'derived');
  assert.match(await page.locator('.ignored summary').innerText(), /ignored/);
  await page.locator('.ignored summary').click();
  assert.match(await page.locator('.ignored').innerText(), /max_position_embeddings Does not change any tensor/);
});

everywhere(
  'nothing jumps when the core arrives',
  async ({ page, open }) => {
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => Object.assign(window, { shift: /** @type {any} */ (window).shift + /** @type {any} */ (entry).value }))).observe({ type: 'layout-shift', buffered: true });
    });
    await open();
    await ready(page);
    await page.waitForTimeout(300);
    const shift = await page.evaluate(() => /** @type {any} */ (window).shift);
    assert.ok(shift < 0.05, `layout shift ${shift}`);
  },
  { names: ['chromium'], viewport: { width: 1400, height: 1000 } },
);

everywhere('a model is chosen by searching', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('combobox', { name: 'Model' }).click();
  await page.keyboard.type('mixtral 8x7');
  await page.keyboard.press('Enter');
  assert.equal(await total(page), '46,702,792,704');
  assert.match(await page.locator('other-totals').innerText(), /12,879,925,248/);
  await page.getByRole('combobox', { name: 'Model' }).click();
  await page.keyboard.type('gpt2');
  await page.getByRole('option', { name: 'gpt2', exact: true }).click();
  assert.equal(await total(page), '124,439,808');
});

everywhere('the published models are in the list', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('combobox', { name: 'Model' }).click();
  const count = await page.locator('[role=option]').count();
  assert.ok(count > 60, `${count} models`);
}, { names: ['chromium'], places: ['hosted'] });
