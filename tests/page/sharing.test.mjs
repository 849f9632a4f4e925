// Tests that the address contains the page's state, so that a copied address shows others the same state.

import assert from 'node:assert/strict';
import { PLACES, everywhere } from './browsers.mjs';
import { back, becomes, configText, counts, eventually, field, hash, paste, picker, reads, ready, total } from './page.mjs';

/** Replaces the clipboard and returns a function that reads what was copied. @param {import('playwright-core').Page} page */
async function clipboard(page) {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (/** @type {string} */ text) => Object.assign(window, { copied: text }) },
    });
  });
  return () => page.evaluate(() => /** @type {any} */ (window).copied);
}

/** @param {import('playwright-core').Page} page @param {string} name */
async function choose(page, name) {
  await picker(page).click();
  await page.keyboard.insertText(name);
  await becomes(() => page.locator('[role=option][aria-selected=true]').count(), 1);
  await page.keyboard.press('Enter');
}

everywhere(
  'an edited model survives the round trip through a link',
  async ({ page, open, url }) => {
    await open('#m=meta-llama/Llama-3.1-70B');
    await counts(page, '70,553,706,496');
    await field(page, 'num_hidden_layers').fill('81');
    await becomes(() => hash(page), '#m=meta-llama/Llama-3.1-70B&num_hidden_layers=81');
    const [number, text] = [await total(page), await configText(page)];
    const other = await page.context().newPage();
    await other.goto(url + (await hash(page)));
    await ready(other);
    await counts(other, number);
    assert.equal(await configText(other), text);
  },
  { places: PLACES },
);

everywhere(
  'a pasted configuration survives the round trip, valid or not',
  async ({ page, open, url }) => {
    await open();
    await ready(page);
    for (const text of ['{"model_type": "mamba",\n\n   "vocab_size": 9007199254740993}', '{"model_type": "mamba",, }']) {
      const before = await hash(page);
      await paste(page, text);
      await eventually(async () => (await hash(page)) !== before && (await hash(page)).startsWith('#c='), 'the address follows');
      const other = await page.context().newPage();
      await other.goto(url + (await hash(page)));
      await ready(other);
      assert.equal(await configText(other), text);
    }
  },
  { places: PLACES },
);

everywhere('another address in the same window is followed', async ({ page, open }) => {
  await open('#t=gpt2');
  await counts(page, '124,439,808');
  await page.evaluate(() => void (location.hash = '#m=meta-llama/Llama-3.1-405B'));
  await counts(page, '405,853,388,800');
});

everywhere(
  'Back returns to the previous model with its edits, and does not leave the page',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await choose(page, 'gpt2');
    await counts(page, '124,439,808');
    await field(page, 'n_layer').fill('13');
    await counts(page, '131,527,680');
    await choose(page, 'mixtral 8x7'); // immediately after the edit, which must not be lost
    await counts(page, '46,702,792,704');
    await becomes(() => hash(page), '#m=mistralai/Mixtral-8x7B-v0.1');
    await back(page);
    await counts(page, '131,527,680');
    assert.equal(await hash(page), '#m=openai-community/gpt2&n_layer=13');
    await back(page);
    await counts(page, '8,030,261,248');
    await back(page, 1);
    await counts(page, '131,527,680');
  },
  { places: PLACES },
);

everywhere(
  'a bad link is reported and shows the first model',
  async ({ page, open }) => {
    for (const [fragment, message] of /** @type {[string, RegExp][]} */ ([
      ['#m=no/such-model', /no\/such-model/],
      ['#c=AAAA', /damaged/],
      ['#nonsense', /does not name a model/],
    ])) {
      await open('#t=gpt2');
      await counts(page, '124,439,808');
      await open(fragment);
      await counts(page, '8,030,261,248');
      await reads(() => page.locator('.banner[role=status]').innerText(), message);
    }
  },
  { places: PLACES },
);

everywhere('a link that decompresses slowly does not override a later choice', async ({ page, open }) => {
  await open('#t=gpt2');
  await counts(page, '124,439,808');
  await paste(page, '{"model_type": "mamba"}');
  await eventually(async () => (await hash(page)).startsWith('#c='), 'packed');
  const packed = await hash(page);
  await choose(page, 'gpt2');
  await counts(page, '124,439,808');
  await page.evaluate(() => {
    const text = Blob.prototype.text;
    Blob.prototype.text = async function slowly() {
      await new Promise((resolve) => setTimeout(resolve, 600));
      Object.assign(window, { unpacked: true });
      return text.call(this);
    };
  });
  await page.evaluate((fragment) => void (location.hash = fragment), packed);
  await choose(page, 'mixtral 8x7');
  await counts(page, '46,702,792,704');
  await eventually(() => page.evaluate(() => /** @type {any} */ (window).unpacked === true), 'it has unpacked');
  await page.waitForTimeout(100);
  assert.equal(await total(page), '46,702,792,704');
  await becomes(() => hash(page), '#m=mistralai/Mixtral-8x7B-v0.1');
});

everywhere(
  'a link copied immediately includes the last edit; the one file gives the part after its address',
  async ({ page, open, place }) => {
    await open('#m=meta-llama/Llama-3.1-70B');
    await counts(page, '70,553,706,496');
    const copied = await clipboard(page);
    const button = page.getByRole('button', { name: place === 'file' ? /Copy state/ : /Copy link/ });
    await field(page, 'num_hidden_layers').fill('81');
    await button.evaluate((element) => /** @type {HTMLElement} */ (element).click());
    await reads(
      copied,
      place === 'file'
        ? /^#m=meta-llama\/Llama-3\.1-70B&num_hidden_layers=81$/
        : /^http:.*#m=meta-llama\/Llama-3\.1-70B&num_hidden_layers=81$/,
    );
    assert.doesNotMatch(await copied(), /^file:/);
  },
  { places: PLACES },
);

everywhere(
  'what is too long for a link is reported, and Back still restores it',
  async ({ page, open, place }) => {
    await open();
    await ready(page);
    const copied = await clipboard(page);
    const long = JSON.stringify({ model_type: 'llama', noise: Array.from({ length: 20_000 }, (_, i) => Math.imul(i, 2654435761) >>> 0) });
    await paste(page, long);
    await counts(page, '6,738,415,616');
    const button = page.locator('.figure button').nth(1);
    assert.match(await button.innerText(), place === 'file' ? /Copy state/ : /Copy link/);
    await button.click();
    await reads(() => button.innerText(), /too long for a link/);
    assert.equal(await copied(), undefined);
    await becomes(() => hash(page), '');
    await choose(page, 'gpt2');
    await counts(page, '124,439,808');
    await becomes(() => hash(page), '#m=openai-community/gpt2');
    await button.click();
    await reads(copied, /#m=openai-community\/gpt2$/);
    await back(page);
    await counts(page, '6,738,415,616');
  },
  { places: PLACES },
);

everywhere('a link with several models opens them all', async ({ page, open }) => {
  await open('#m=meta-llama/Llama-3.1-8B;t=gpt2&n_layer=13;c=eJyrVsrNT0nNiS-pLEhVslJQyk3MTUpUqgUAY90ICw');
  await counts(page, '8,030,261,248');
  const models = page.getByRole('group', { name: 'Models of this link' });
  await models.getByRole('radio', { name: 'gpt2, edited' }).check({ force: true });
  await counts(page, '131,527,680');
  await field(page, 'n_layer').fill('14');
  await reads(() => hash(page), /^#m=meta-llama\/Llama-3\.1-8B;t=gpt2&n_layer=14;c=/);
});

everywhere('a link keeps its valid models, and offers to load unknown ones', async ({ page, open, place }) => {
  await open('#memory;m=some-lab/unknown');
  await ready(page);
  await becomes(() => page.locator('.views [aria-current=page]').innerText(), 'Memory');
  await reads(() => page.locator('.hub').innerText(), /some-lab\/unknown/);
  await open('#compare;m=meta-llama/Llama-2-7b-hf;m=some-lab/unknown;m=meta-llama/Meta-Llama-3-8B');
  await becomes(async () => (await page.locator('.contender-total strong').allInnerTexts()).join(), '6,738,415,616,8,030,261,248');
  await reads(() => page.locator('.banner[role=status]').innerText(), /some-lab\/unknown.*The rest is shown\./);
  if (place === 'hosted') await page.getByRole('button', { name: 'Load config.json from huggingface.co' }).waitFor();
});
