// The memory view, as a newcomer uses it.

import assert from 'node:assert/strict';
import { everywhere, inaccessible } from './browsers.mjs';
import { becomes, eventually, ready } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const verdict = (/** @type {Page} */ page) => page.locator('.memory-verdict').innerText();

everywhere('does DeepSeek-V3 in fp8 with 32 k of context fit on eight cards, and why', async ({ page, open, place }) => {
  await open('#memory;m=deepseek-ai/DeepSeek-V3');
  await ready(page);
  await eventually(async () => (await verdict(page)).startsWith('It fits: 675.5 GB of 1,128.0 GB.'), 'eight H200');
  await page.getByLabel('Device').selectOption({ label: 'NVIDIA H100, 80 GB' });
  await eventually(async () => (await verdict(page)).startsWith('It does not fit: 675.5 GB are needed, 640.0 GB are there.'), 'eight H100');
  assert.match(await verdict(page), /The weights alone take 673\.2 GB\./);
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
});

everywhere('sliders, choices and the unit change every figure at once; each figure opens to its rows', async ({ page, open, place }) => {
  await open('#memory;t=llama');
  await ready(page);
  const cache = page.locator('.memory-figure', { hasText: 'Cache' }).first();
  const amount = () => cache.locator('summary .digits').innerText();
  await becomes(amount, '17.2 GB');
  const context = page.getByLabel('Context, in tokens', { exact: true });
  await context.focus();
  await page.keyboard.press('ArrowLeft');
  await becomes(amount, '8.59 GB');
  await page.getByLabel('Sequences at once, exactly').fill('3');
  await page.keyboard.press('Enter');
  await becomes(amount, '25.8 GB');
  await page.getByLabel('Cache', { exact: true }).selectOption('float8');
  await becomes(amount, '12.9 GB');
  await page.getByRole('radio', { name: 'GiB' }).check();
  await becomes(amount, '12.0 GiB');
  assert.doesNotMatch(await verdict(page), / GB/);
  await cache.locator('summary').click();
  assert.match(await cache.innerText(), /model\.layers\.\[0-31\]\.self_attn\.keys/);
  await page.locator('.memory-figure', { hasText: 'Training' }).locator('summary').click();
  assert.match(await page.locator('.memory-figure', { hasText: 'Training' }).innerText(), /6,738,415,616 parameters are trained/);
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
});

everywhere('what is not known says why', async ({ page, open }) => {
  await open('#memory;t=dbrx');
  await ready(page);
  await eventually(async () => (await verdict(page)).includes('The cache of dbrx is not known here'), 'the reason stands there');
});
