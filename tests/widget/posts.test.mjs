// Tests the example posts with live numbers: on a phone, in dark mode, and without scripts. `everywhere` reports any violation of their
// strict Content-Security-Policy.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { everywhere, inaccessible } from '../page/browsers.mjs';
import { becomes, reads } from '../page/page.mjs';
import { dist, number } from './host-page.mjs';

const folder = join(dist, 'examples/posts');
const posts = readdirSync(folder).filter((name) => name.endsWith('.html'));

/**
 * The first number of each post and, if a field is edited, the number after the edit, calculated by hand.
 * @type {Record<string, { change?: [field: string, value: string], numbers: (string | undefined)[], says: RegExp }>}
 */
const EXPECTED = {
  // A layer has 12 · 20,480² = 5,033,164,800 parameters.
  'hypothetical-405b.html': {
    change: ['num_hidden_layers', '81'],
    numbers: ['403,350,487,040', '408,383,651,840'],
    says: /nearly cancel/,
  },
  'llama-2-70b.html': {
    change: ['num_key_value_heads', '64'],
    numbers: ['68,976,648,192', '78,371,889,152'],
    says: /470,810,624\s+469,762,048/,
  },
  // The embedding and the head grow from 32,000 to 128,256 rows of 4,096 dimensions.
  'llama-2-to-3.html': {
    change: ['vocab_size', '128256'],
    numbers: ['6,738,415,616', '7,526,944,768'],
    says: /Llama 3 8B has 8,030,261,248/,
  },
  'llama-model-py.html': {
    change: ['num_attention_heads', '64'],
    numbers: ['6,738,415,616', '6,738,415,616'],
    says: /wq, wk, wv and wo 4,096 × 4,096 each/,
  },
  'llama-1-with-and-without-head.html': { numbers: ['6,607,343,616'], says: /LlamaForCausalLM has 6,738,415,616 parameters/ },
};

for (const name of posts) {
  const { change, numbers, says } = EXPECTED[name];
  for (const dark of [false, true])
    everywhere(
      `${name} ${dark ? 'dark, on a phone' : 'wide'}`,
      async ({ page, url, name: browser }) => {
        await page.goto(`${url}examples/posts/${name}`);
        // A widget loads only when it is almost in the viewport.
        if (change) await page.locator('param-ledger[editable]').first().scrollIntoViewIfNeeded();
        await becomes(number(page), numbers[0]);
        const last = page.locator('param-ledger').last();
        await last.scrollIntoViewIfNeeded();
        await reads(() => last.locator('.widget').innerText(), /\d,\d{3}/);
        if (change) {
          const box = page.locator(`param-ledger [data-field=${change[0]}] .number-input`).first();
          await box.fill(change[1]);
          await box.press('Enter');
          await becomes(number(page), numbers[1]);
        }
        const { width, wide } = await page.evaluate(() => ({ width: innerWidth, wide: document.documentElement.scrollWidth }));
        assert.ok(wide <= width, `${wide} of ${width} pixels`);
        if (browser === 'chromium' || !dark) assert.deepEqual(await inaccessible(page), []);
      },
      { places: ['hosted'], dark, viewport: dark ? { width: 390, height: 800 } : { width: 1000, height: 800 } },
    );

  everywhere(
    `${name} without scripts`,
    async ({ page, url }) => {
      await page.goto(`${url}examples/posts/${name}`);
      const text = await page.locator('main').innerText();
      assert.match(text, says);
      assert.doesNotMatch(text, /[{}]|needs scripts/);
    },
    { places: ['hosted'], javaScriptEnabled: false, names: ['chromium'] },
  );

  everywhere(
    `${name} is one screen of code, and nobody else's`,
    async () => {
      const source = readFileSync(join(folder, name), 'utf8');
      assert.ok(source.split('\n').length <= 70);
      assert.doesNotMatch(source, /https?:\/\//);
      await Promise.resolve();
    },
    { names: ['chromium'] },
  );
}

everywhere(
  'the page links to every post',
  async ({ page, open, url }) => {
    await open('#lessons');
    const links = page.locator('a[href*="examples/posts/"]');
    await becomes(() => links.count(), posts.length);
    const names = await links.evaluateAll((all) => all.map((link) => /** @type {HTMLAnchorElement} */ (link).href));
    assert.deepEqual(names.sort(), posts.map((name) => `${url}examples/posts/${name}`).sort());
    await links.first().click();
    await reads(() => page.locator('h1').innerText(), /How many layers make 405 billion/);
  },
  { places: ['hosted'] },
);
