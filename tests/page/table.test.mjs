// From any number down to a tensor and back up to the total.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { line, ready, table, total } from './page.mjs';

everywhere('a repeated row opens to its tensors, of which only those in sight are drawn', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await ready(page);
  assert.equal(await total(page), '671,026,404,352');
  await page.getByRole('button', { name: 'gate_proj.weight: its 14,848 tensors' }).click();
  assert.ok(Number(await page.locator('.tensors').getAttribute('aria-rowcount')) > 14_848);
  await table(page).evaluate((box) => void (box.scrollTop = box.scrollHeight / 2));
  await page.waitForFunction(() => document.querySelector('.tensors tbody')?.textContent?.includes('experts.1'));
  assert.ok((await page.locator('.tensors tbody tr').count()) < 120);
  await table(page).evaluate((box) => void (box.scrollTop = box.scrollHeight));
  await line(page, 'lm_head.weight').waitFor();
  assert.match(await page.locator('.tensors tfoot').innerText(), /671,026,404,352[\s\S]*14,848/);
});

everywhere('by part, by name, and all closed', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('radio', { name: 'by part' }).check();
  assert.match(await line(page, 'Feed-forward').innerText(), /5,637,144,576/);
  await page.getByRole('button', { name: 'Close all' }).click();
  assert.equal(await page.locator('.tensors tbody tr[data-group]').count(), 5);
  await page.getByRole('searchbox', { name: /Filter/ }).fill('mlp up');
  await page.getByRole('button', { name: 'Open all' }).click();
  assert.match(await page.locator('.tensors tbody').innerText(), /up_proj/);
  assert.match(await page.locator('.tensors tfoot').innerText(), /Shown here\s+1,879,048,192/);
  await page.getByRole('searchbox', { name: /Filter/ }).fill('');
  await page.getByRole('radio', { name: 'names' }).check();
  await page.getByRole('button', { name: 'Open all' }).click();
  assert.match(await line(page, 'model.embed_tokens.weight').innerText(), /vocab_size/);
});

everywhere('a part of the account leads to its tensors', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('button', { name: 'Norm', exact: true }).click();
  assert.equal(await page.getByRole('radio', { name: 'by part' }).isChecked(), true);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Norm');
});

everywhere('a symbol marks its field and the rows that use it', async ({ page, open }) => {
  await open();
  await ready(page);
  const legend = page.locator('.legend button[data-symbol=intermediate_size]');
  await legend.focus();
  assert.notEqual(await page.locator('.field[data-symbol=intermediate_size]').getAttribute('data-lit'), null);
  assert.notEqual(await line(page, 'up_proj.weight').getAttribute('data-lit'), null);
  assert.equal(await line(page, 'q_proj.weight').getAttribute('data-lit'), null);
  assert.equal(await page.locator('.formula [data-lit]').count(), 1);
  await legend.click();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-intermediate_size');
});

everywhere('the definitions of the totals are told on focus', async ({ page, open }) => {
  await open();
  await ready(page);
  const tip = page.locator('#tip-active');
  assert.equal(await tip.isVisible(), false);
  await page.getByRole('button', { name: 'Active per token' }).focus();
  await page.keyboard.press('Shift'); // so that the focus counts as the keyboard's
  await page.getByRole('button', { name: 'Active per token' }).hover();
  assert.equal(await tip.isVisible(), true);
  await page.keyboard.press('Escape');
  assert.equal(await tip.isVisible(), false);
});
