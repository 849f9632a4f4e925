// For every reader: by keyboard, by ear, in the dark, on a phone, on paper.

import assert from 'node:assert/strict';
import { everywhere, inaccessible } from './browsers.mjs';
import { eventually, field, line, ready, total } from './page.mjs';

for (const dark of [false, true]) {
  everywhere(`axe finds nothing (${dark ? 'dark' : 'light'})`, async ({ page, open }) => {
    await open();
    await ready(page);
    await field(page, 'num_hidden_layers').fill('30');
    await page.locator('value-sources summary').click();
    assert.deepEqual(await inaccessible(page), [], 'edited');
    await field(page, 'hidden_size').fill('wide');
    assert.deepEqual(await inaccessible(page), [], 'with an error');
    await page.getByRole('tab', { name: 'config.json' }).click();
    await page.getByRole('combobox', { name: 'Model' }).click();
    assert.deepEqual(await inaccessible(page), [], 'text and list');
  }, { dark, places: ['hosted'] });
}

everywhere('axe finds nothing on a phone, nor does the page scroll sideways', async ({ page, open }) => {
  for (const fragment of ['', '#m=deepseek-ai/DeepSeek-V3', '#t=nemotron_h', '#t=zamba2']) {
    await open(fragment);
    await ready(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), fragment);
  }
  assert.deepEqual(await inaccessible(page), []);
  const [answer, form] = await page.evaluate(() => ['#answer', '#panel'].map((id) => document.querySelector(id)?.getBoundingClientRect().top ?? 0));
  assert.ok(answer < form, 'the number comes first, the form below');
}, { viewport: { width: 390, height: 844 }, places: ['hosted'] });

everywhere('on a medium screen the form is a drawer', async ({ page, open }) => {
  await open();
  await ready(page);
  assert.equal(await field(page, 'hidden_size').isVisible(), false);
  const handle = page.getByRole('button', { name: /^Fields hidden_size 4,096/ });
  await handle.click();
  assert.equal(await handle.getAttribute('aria-expanded'), 'true');
  await field(page, 'hidden_size').fill('8192');
  assert.match(await page.locator('.summary-fields').innerText(), /hidden_size 8,192/);
}, { viewport: { width: 900, height: 900 } });

everywhere('everything can be done by keyboard', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'answer');
  assert.doesNotMatch(await page.evaluate(() => location.hash), /answer/);

  await page.getByRole('combobox', { name: 'Model' }).focus();
  await page.keyboard.type('llama 3.1 70b');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  assert.equal(await total(page), '70,553,706,496');

  await page.getByRole('tab', { name: 'Fields' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#config-text').isVisible(), true);
  await page.keyboard.press('ArrowLeft');

  await line(page, 'model').locator('button').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'layers.[0-79]');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded')), 'false');
  assert.equal(await line(page, 'self_attn').count(), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(await line(page, 'self_attn').count(), 1);
});

everywhere('what has the focus keeps it while the answer changes', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'hidden_size').click();
  await page.keyboard.press('Home');
  await page.keyboard.type('1');
  const { id, at } = await page.evaluate(() => ({ id: document.activeElement?.id, at: /** @type {HTMLInputElement} */ (document.activeElement).selectionStart }));
  assert.deepEqual({ id, at }, { id: 'field-hidden_size', at: 1 });
});

everywhere('the colours follow the switch, and the choice is kept', async ({ page, open }) => {
  await open();
  await ready(page);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('radio', { name: 'dark' }).check();
  await eventually(async () => (await ground()) !== light, 'dark');
  await page.reload();
  await ready(page);
  assert.equal(await page.getByRole('radio', { name: 'dark' }).isChecked(), true);
  assert.notEqual(await ground(), light);
});

everywhere('paper gets the number, the totals, the formula and the whole table, and no form', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await ready(page);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => void dispatchEvent(new Event('beforeprint')));
  for (const selector of ['.number', '.account', '.formula', '.tensors']) assert.equal(await page.locator(selector).isVisible(), true, selector);
  for (const selector of ['config-panel', 'model-picker', 'theme-switch', '.tools']) assert.equal(await page.locator(selector).first().isVisible(), false, selector);
  assert.equal(await page.locator('.tensors tbody tr', { hasText: 'lm_head' }).count(), 1);
  assert.ok((await page.pdf()).length > 10_000);
}, { names: ['chromium'], dark: true });

everywhere('forced colours keep the parts apart', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.emulateMedia({ forcedColors: 'active' });
  const colours = await page.locator('.slab-name').evaluateAll((slabs) => slabs.map((slab) => getComputedStyle(slab).backgroundColor));
  assert.equal(new Set(colours).size, colours.length);
}, { names: ['chromium'], places: ['hosted'] });
