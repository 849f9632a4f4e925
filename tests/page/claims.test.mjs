// Tests the Check, Articles and Target size views: checking a number, judging an article, and searching for configurations.

import assert from 'node:assert/strict';
import { PLACES, everywhere, inaccessible } from './browsers.mjs';
import { becomes, counts, eventually, hash, reads, ready } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const claim = (/** @type {Page} */ page) => page.locator('.claim-input');
const verdict = (/** @type {Page} */ page) => page.locator('.verdict-sentence').innerText();
const shade = (/** @type {Page} */ page) => page.locator('.verdict').getAttribute('data-verdict');
const bars = (/** @type {Page} */ page) => page.locator('.bridge tbody tr').allInnerTexts();
const step = (/** @type {Page} */ page, /** @type {string} */ says) => page.locator('.steps tbody tr', { hasText: says });

/** @param {Page} page @param {string} title */
async function article(page, title) {
  await page.getByRole('button', { name: title, exact: true }).click();
  await page.locator('.article-title', { hasText: title }).waitFor();
}

everywhere('a number is checked while it is typed, and can be shared by link', async ({ page, open, url, place }) => {
  await open('#check;t=llama');
  await ready(page);
  await claim(page).fill('6,738,411,520');
  await becomes(() => verdict(page), '6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096');
  assert.match(await page.locator('.rows-in-out tbody').innerText(), /model\.norm\.weight\s+4,096\s+out/);
  // The verdict has the style of an article's step that is right under a convention.
  await becomes(() => shade(page), 'convention');
  await claim(page).fill('13.5 GB in fp16');
  await reads(() => verdict(page), /^13\.5 GB in fp16 agrees with 13,476,831,232 bytes/);
  await becomes(() => shade(page), 'agrees');
  await claim(page).fill('7,123,456,789');
  await reads(() => verdict(page), /^No convention explains 7,123,456,789/);
  await claim(page).fill('bananas');
  await reads(() => page.locator('.verdict').innerText(), /contains no number/);
  await claim(page).fill('6.74B');
  await becomes(() => hash(page), '#check?6.74B;t=llama');
  await reads(() => verdict(page), /^6\.74B agrees with 6,738,415,616/);
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
  const other = await page.context().newPage();
  await other.goto(url + (await hash(page)));
  await ready(other);
  await becomes(() => claim(other).inputValue(), '6.74B');
  await reads(() => verdict(other), /^6\.74B agrees/);
});

everywhere('another configuration that explains a number opens', async ({ page, open }) => {
  await open('#check?78371889152;m=meta-llama/Llama-2-70b-hf');
  await ready(page);
  await reads(() => verdict(page), /as if with 64 key-value heads 9,395,240,960/);
  await page.getByRole('button', { name: 'Open this configuration' }).click();
  await counts(page, '78,371,889,152');
});

everywhere('the five seeds, worked', async ({ page, open, place }) => {
  await open('#articles;t=llama');
  await ready(page);
  await article(page, 'A hypothetical Llama 3 of 405B');
  await reads(() => page.locator('.steps .sum-line').innerText(), /403,350,487,040[^]*Right\./);
  await article(page, 'The parameters of Llama 2 70B');
  await reads(() => step(page, 'The first linear layer of SwiGLU').innerText(), /Wrong\.[^]*469,762,048[^]*As if 28,672 were 28,736/);
  await reads(() => step(page, 'Query, key and value').innerText(), /Under a convention\.[^]*64 key-value heads/);
  assert.match((await bars(page)).join('\n'), /78,235,566,080[^]*−83,886,080[^]*−41,943,040[^]*78,109,736,960[^]*68,976,648,192/);
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
  await article(page, 'Llama 3 8B, matrix by matrix');
  await reads(() => page.locator('.steps .sum-line').innerText(), /8030257152[^]*Left out\.[^]*8,030,261,248/);
  await article(page, 'LLaMA 7B from llama/model.py');
  await reads(() => step(page, 'The matrices of all blocks').innerText(), /6 476 005 376\s+Right\./);
  await article(page, 'LLaMA 7B without its head');
  await reads(() => step(page, 'in the summary').innerText(), /Wrong unit\.[^]*8\.19M is 8\.19K, 8,192/);
  assert.match((await bars(page)).join('\n'), /6,607,339,520[^]*6,607,343,616/);
});

everywhere('each shipped article links its source, or says that its address is not known', async ({ page, open }) => {
  await open('#articles;t=llama');
  await ready(page);
  const titles = await page.getByRole('list', { name: 'Articles' }).getByRole('button').allInnerTexts();
  /** @type {string[]} */
  const unknown = [];
  for (const title of titles.filter((one) => !one.startsWith('Write'))) {
    await article(page, title);
    const source = page.locator('.article-title + p');
    if (/\(address not known\)/.test(await source.innerText())) unknown.push(title);
    else assert.match((await source.locator('a').getAttribute('href')) ?? '', /^https:/, title);
  }
  assert.deepEqual(unknown.sort(), ['A hypothetical Llama 3 of 405B', 'The parameters of Llama 2 70B']);
});

everywhere(
  'a reader writes an article and shares it by link',
  async ({ page, open, url, place }) => {
    await open('#articles;t=llama');
    await ready(page);
    await page.getByRole('button', { name: 'Write one' }).click();
    await page.getByLabel('Prints, step 1').fill('131,072,000');
    await reads(() => page.locator('.steps tbody tr').first().innerText(), /Right\./);
    await page.getByLabel('Prints, step 1').fill('131,072,001');
    await reads(() => page.locator('.steps tbody tr').first().innerText(), /Wrong\.[^]*One digit differs/);
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByLabel('Computes, step 2').fill('tokens * nonsense');
    await reads(() => page.locator('.steps tbody tr').nth(1).innerText(), /not a field, a symbol or an earlier step/);
    await page.getByLabel('Computes, step 2').fill('tokens * 2');
    if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
    await eventually(async () => /^#articles\?~[\w-]+;t=llama$/.test(await hash(page)), 'the address holds it');
    // The page updates its address shortly after typing. Waits until the address no longer changes.
    const address = await page.evaluate(async () => {
      for (let last = ''; last !== location.hash;) {
        last = location.hash;
        await new Promise((resolve) => setTimeout(resolve, 600));
      }
      return location.hash;
    });
    const other = await page.context().newPage();
    await other.goto(url + address);
    await ready(other);
    // The recipient sees the article and can edit it after one click.
    await reads(() => other.locator('.steps').innerText(), /tokens \* 2/);
    assert.equal(await other.getByLabel('Computes, step 2').count(), 0);
    await other.getByRole('button', { name: 'Edit', exact: false }).last().click();
    await becomes(() => other.getByLabel('Computes, step 2').inputValue(), 'tokens * 2');
  },
  { places: PLACES },
);

everywhere('the first seed by size: its configuration is the first result', async ({ page, open, place }) => {
  const wish = {
    target: '405B',
    parts: {
      num_hidden_layers: { mode: 'vary', from: '60', to: '100', step: '10' },
      hidden_size: { mode: 'vary', from: '8192', to: '24576', step: '2048' },
      num_attention_heads: { mode: 'tied', of: 'hidden_size', times: '1/160', multiple: '' },
    },
  };
  const config = 't=generic&position_embedding=%22learned%22&vocab_size=32000';
  await open(`#target?${encodeURIComponent(JSON.stringify(wish))};${config}`);
  await ready(page);
  await becomes(() => page.locator('.found tbody tr').first().locator('th').innerText(), '403,350,487,040');
  await reads(() => page.locator('.progress').innerText(), /configurations\. \d+ of them had to be evaluated/);
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
  await page.getByTitle('Opens configuration 1', { exact: true }).click();
  await counts(page, '403,350,487,040');
});

everywhere(
  'a long search shows progress and can be cancelled',
  async ({ page, open }) => {
    const vary = (/** @type {number} */ from, /** @type {number} */ to, step = 1) => ({
      mode: 'vary',
      from: String(from),
      to: String(to),
      step: String(step),
    });
    const wish = {
      target: '70B',
      parts: {
        num_hidden_layers: vary(8, 400),
        hidden_size: vary(64, 65_536, 8),
        num_attention_heads: vary(1, 128),
        num_key_value_heads: vary(1, 128),
        intermediate_size: vary(64, 262_144, 8),
      },
    };
    await open(`#target?${encodeURIComponent(JSON.stringify(wish))};t=llama`);
    await ready(page);
    // The search starts without a click, because a link shows its content at once.
    await reads(() => page.locator('.progress').innerText(), /%: [\d,]+ evaluations/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await reads(() => page.locator('.progress').innerText(), /Cancelled/);
    await page.getByRole('button', { name: 'Search' }).waitFor();
  },
  { places: PLACES },
);

everywhere('for any address, the view is shown or explains why not', async ({ page, open }) => {
  const views = [
    ['target?{"target":"7B","parts":{},"limits":{"head":{"least":64}}}', 'main.target .claim-input'],
    ['target?{"target":"7B","parts":{"hidden_size":null,"vocab_size":5},"limits":[null]}', 'main.target .claim-input'],
    ['target?[1]', 'main.target .claim-input'],
    ['memory?context:1e9,device:toString,:,unit', '.memory-verdict'],
    ['check?%00~null', 'main.claim .claim-input'],
    ['articles?constructor', '.article-title'],
    ['articles?{"steps":[null]}', '.refusal'],
    ['articles?{"title":{},"steps":"none"}', '.refusal'],
  ];
  await open('#t=llama');
  await ready(page);
  for (const [view, shown] of views) {
    await page.evaluate((fragment) => void (location.hash = fragment), `${view};t=llama`);
    await page.locator(shown).first().waitFor();
    await page.evaluate(() => void (location.hash = 't=llama'));
    await counts(page, '6,738,415,616');
  }
});
