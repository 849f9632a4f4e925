// Tests model types that the smallest WebAssembly program lacks. Users must not notice that there are several programs.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { becomes, counts, hash, picker, ready, written } from './page.mjs';

/** The names of the WebAssembly programs that the page has fetched. @param {import('playwright-core').Page} page */
const programs = (page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /([a-z]+)-\w+\.wasm$/.exec(name)?.[1])
      .filter(Boolean)
      .join(),
  );

everywhere('a link loads the smallest program that counts its model', async ({ page, open, place }) => {
  await open('#t=qwen3');
  await ready(page);
  if (place === 'hosted') assert.equal(await programs(page), 'count');
  await open('#m=facebook/sam-vit-base');
  await ready(page);
  await counts(page, '93,735,728');
  if (place === 'hosted') assert.equal(await programs(page), 'count,published');
  await open('#t=funnel');
  await ready(page);
  await counts(page, '130,973,184');
  if (place === 'hosted') assert.equal(await programs(page), 'count,published,core');
});

everywhere('another type is chosen from the list, and typed into the text', async ({ page, open }) => {
  await open();
  await ready(page);
  await picker(page).fill('segformer');
  await page.getByRole('option', { name: /^segformer/ }).click();
  await becomes(() => hash(page), '#t=segformer');
  await page.getByRole('tab', { name: 'config.json' }).click();
  await page.locator('.config-text').fill('{"model_type": "swin", "architectures": ["SwinModel"]}');
  await counts(page, '27,519,354');
  assert.match(await written(page.locator('.tensors tbody')), /patch_embeddings/);
});

everywhere('a frame shows another type', async ({ page, open }) => {
  await open('#view=total;t=swin');
  await ready(page);
  await becomes(async () => (await page.locator('.number').innerText()).trim(), '27,519,354');
});
