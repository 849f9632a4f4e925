// The address is the state: what is copied gives the same page to somebody else.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { configText, eventually, field, paste, ready, total } from './page.mjs';

/** @param {import('playwright-core').Page} page */
const hash = (page) => page.evaluate(() => location.hash);

everywhere('an edited model makes the round trip', async ({ page, open, url }) => {
  await open('#m=meta-llama/Llama-3.1-70B');
  await ready(page);
  assert.equal(await total(page), '70,553,706,496');
  await field(page, 'num_hidden_layers').fill('81');
  await eventually(async () => (await hash(page)) === '#m=meta-llama/Llama-3.1-70B&num_hidden_layers=81', 'the address follows');
  const [number, text] = [await total(page), await configText(page)];
  const other = await page.context().newPage();
  await other.goto(url + (await hash(page)));
  await ready(other);
  assert.equal(await total(other), number);
  assert.equal(await configText(other), text);
});

everywhere('a pasted configuration makes the round trip, valid or not', async ({ page, open, url }) => {
  await open();
  await ready(page);
  for (const text of ['{"model_type": "mamba",\n\n   "vocab_size": 9007199254740993}', '{"model_type": "mamba",, }']) {
    await paste(page, text);
    const before = await hash(page);
    await eventually(async () => (await hash(page)) !== before && (await hash(page)).startsWith('#c='), 'the address follows');
    const other = await page.context().newPage();
    await other.goto(url + (await hash(page)));
    await ready(other);
    assert.equal(await configText(other), text);
  }
});

everywhere('another address in the same window is followed', async ({ page, open }) => {
  await open('#t=gpt2');
  await ready(page);
  assert.equal(await total(page), '124,439,808');
  await page.evaluate(() => void (location.hash = '#m=meta-llama/Llama-3.1-405B'));
  await page.waitForFunction(() => document.querySelector('.number')?.textContent === '405,853,388,800');
});

everywhere('a bad link says so and shows the first model', async ({ page, open }) => {
  for (const [fragment, message] of /** @type {[string, RegExp][]} */ ([
    ['#m=no/such-model', /no\/such-model/],
    ['#c=AAAA', /damaged/],
    ['#nonsense', /says nothing/],
  ])) {
    await open('#t=gpt2');
    await ready(page);
    await open(fragment);
    await page.waitForFunction(() => document.querySelector('.number')?.textContent === '8,030,261,248');
    assert.match(await page.locator('#banner').innerText(), message);
  }
});

everywhere('what is too long for a link offers none', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, JSON.stringify({ model_type: 'llama', noise: Array.from({ length: 20_000 }, (_, i) => Math.imul(i, 2654435761) >>> 0) }));
  await eventually(() => page.getByRole('button', { name: /Copy link/ }).isDisabled(), 'the button is off');
  assert.equal(await hash(page), '');
}, { places: ['hosted'] });
