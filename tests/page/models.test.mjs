// Tests the Models view: filters, sort order, columns, opening, comparing and exporting models, and the setting in the address.

import assert from 'node:assert/strict';
import { everywhere, inaccessible } from './browsers.mjs';
import { becomes, counts, eventually, hash, reads, ready } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const lines = (/** @type {Page} */ page) => page.locator('.models-table tbody tr');
/** The texts of the cells in the first rows, visible or not, without the first column. @param {Page} page @param {number} count */
const first = (page, count) =>
  lines(page).evaluateAll(
    (all, n) => all.slice(0, n).map((row) => [...row.children].slice(1).map((cell) => cell.textContent?.trim())),
    count,
  );
const where = (/** @type {Page} */ page) => page.getByRole('searchbox', { name: 'Conditions on models' });
/** The names of the models in the order of the rows. */
const names = async (/** @type {Page} */ page) => (await first(page, 1000)).map(([name]) => name).join('; ');
const many = (/** @type {Page} */ page) => lines(page).count();

everywhere('models by conditions, order and columns, all in the address', async ({ page, open }) => {
  await open('#models');
  await ready(page);
  // The visible rows are drawn at once, the other rows when the browser is idle.
  await eventually(async () => (await many(page)) >= 399, 'all rows');
  await where(page).fill('llama-3.1 active < 100B not instruct');
  await becomes(() => names(page), 'Llama 3.1 70B; Llama 3.1 8B');
  await page.getByRole('button', { name: 'Sort by Layers' }).click(); // sorts from the largest to the smallest
  await page.getByRole('button', { name: 'Sort by Layers' }).click();
  await becomes(() => names(page), 'Llama 3.1 8B; Llama 3.1 70B');
  await page.locator('.models-columns summary').click();
  await page.getByRole('checkbox', { name: 'Cache per token' }).check();
  await page.getByRole('checkbox', { name: 'Type', exact: true }).uncheck();
  const shown = 'Llama 3.1 8B; 8.03 billion; 8.03 billion; 32; 4,096; 128,256; 131,072; 2024-07-23; 131 thousand';
  await becomes(async () => (await first(page, 1))[0]?.join('; '), shown);
  await reads(() => hash(page), /^#models\?~/);
  const address = await hash(page);
  await open('#memory');
  await open(address);
  await ready(page);
  await becomes(() => names(page), 'Llama 3.1 8B; Llama 3.1 70B');
  assert.equal(await where(page).inputValue(), 'llama-3.1 active < 100B not instruct');
  assert.deepEqual(await inaccessible(page), []);
});

everywhere('a column has aliases, a prefix is completed, and a date says who announced it', async ({ page, open }) => {
  await open('#models');
  await ready(page);
  await where(page).fill('qwen3 act');
  await page.locator('.models-completions').getByRole('button', { name: 'active' }).click();
  assert.equal(await where(page).inputValue(), 'qwen3 active < ');
  await where(page).fill('params > 300B released < 2025');
  await becomes(() => names(page), 'DeepSeek-V3; Llama 3.1 405B');
  const date = lines(page).nth(1).getByRole('link');
  assert.deepEqual([await date.innerText(), await date.getAttribute('href')], ['2024-07-23', 'https://github.com/meta-llama/llama-models']);
});

everywhere('a typo is reported with its position, and the part before it applies', async ({ page, open }) => {
  await open('#models');
  await ready(page);
  await where(page).fill('llama-3.1 not instruct');
  await becomes(() => many(page), 3);
  // The condition is typed letter by letter. Until the comparison sign, the misspelt column is a word that no model's name contains. With
  // the sign, the comparison is an error and is ignored.
  await where(page).fill('');
  await where(page).pressSequentially('llama-3.1 not instruct aktive');
  await becomes(() => many(page), 0);
  await where(page).pressSequentially(' < 3');
  await reads(() => page.locator('.models-where [role=status]').innerText(), /there is no column aktive\. Did you mean active\?/);
  assert.equal(await page.locator('.models-where mark').innerText(), 'aktive');
  await becomes(() => many(page), 3);
  assert.equal(await where(page).inputValue(), 'llama-3.1 not instruct aktive < 3', 'nothing typed is lost');
  // A link with the misspelt condition must show the three models of the valid part as well.
  await reads(() => hash(page), /aktive%20%3C%203/);
  const address = await hash(page);
  await open('#memory');
  await open(address);
  await ready(page);
  await becomes(() => many(page), 3);
});

everywhere('the user’s own model is in the table; one is opened, two are compared, the picture names and opens', async ({ page, open }) => {
  await open('#models;m=meta-llama/Llama-3.1-8B&num_hidden_layers=40');
  await ready(page);
  await lines(page).first().waitFor();
  await where(page).fill('id = meta-llama/Llama-3.1-8B or "8B, edited"');
  await becomes(() => many(page), 2);
  const own = page.locator('.models-table tr[data-own]');
  assert.match((await own.textContent()) ?? '', /Llama 3\.1 8B, edited.*yours[^]*9\.78 billion/); // 1,744,896,000 more
  await page.locator('.models-paste summary').click();
  await page.locator('.models-paste textarea').fill('{"id": "mine", "config": {"model_type": "gpt2"}}\nnothing\n');
  await reads(() => page.locator('.models-paste [role=status]').innerText(), /1 added, 1 refused/);
  await where(page).fill('type = gpt2 mine');
  await becomes(() => names(page), 'mine yours');
  await where(page).fill('id = meta-llama/Llama-3.1-8B or "8B, edited"');
  await becomes(() => many(page), 2);
  await page.getByRole('checkbox', { name: 'Compare Llama 3.1 8B', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Compare Llama 3.1 8B, edited' }).check();
  await page.getByRole('button', { name: 'Compare 2' }).click();
  await becomes(async () => (await page.locator('.contender-total strong').allInnerTexts()).join(), '8,030,261,248,9,775,157,248');
  await open('#models');
  await ready(page);
  await where(page).fill('id = mistralai/Mixtral-8x7B-v0.1');
  await becomes(() => many(page), 1);
  const dot = page.locator('.models-picture circle');
  await becomes(() => dot.count(), 1); // drawn after the table
  await becomes(() => page.locator('.models-name').allTextContents().then(String), 'Mixtral 8x7B v0.1');
  await becomes(() => page.locator('.models-legend li').allTextContents().then(String), 'mistralai');
  await dot.hover();
  await reads(() => page.locator('.models-named').innerText(), /Mixtral 8x7B v0\.1 46,702,792,704, active 12,879,925,248/);
  await page.getByRole('combobox', { name: 'Picture' }).selectOption('shares');
  await page.locator('.models-picture svg').hover();
  await reads(() => page.locator('.models-named').innerText(), /Feed-forward 96\.5\d%/);
  await page.getByRole('button', { name: 'Mixtral 8x7B v0.1' }).click();
  await counts(page, '46,702,792,704');
});

everywhere('models visited in this browser are marked; a model type with its defaults is a row of its own', async ({ page, open }) => {
  await open('#m=openai-community/gpt2-xl');
  await counts(page, '1,557,611,200');
  await page.evaluate(() => void (location.hash = '#t=llama'));
  await counts(page, '6,738,415,616');
  await page.evaluate(() => void (location.hash = '#models;m=meta-llama/Llama-3.1-8B&num_hidden_layers=40'));
  await where(page).fill('id = openai-community/gpt2-xl or id = openai-community/gpt2 or name = llama or "8B, edited"');
  await eventually(async () => (await many(page)) === 4, 'four rows');
  const marks = new Map((await first(page, 4)).map(([name = '', , count = '']) => [name, count]));
  assert.deepEqual(new Map([...marks].sort()), new Map([
    ['GPT-2 124M', '124 million'],
    ['GPT-2 XL visited', '1.56 billion'],
    ['Llama 3.1 8B, edited yours', '9.78 billion'],
    ['llama visited', '6.74 billion'],
  ])); // prettier-ignore
  await page.getByRole('button', { name: 'llama', exact: true }).click();
  await counts(page, '6,738,415,616');
});

everywhere('by keyboard alone models are filtered, sorted, selected, compared and opened', async ({ page, open }) => {
  await open('#models');
  await ready(page);
  await lines(page).first().waitFor();
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  /** The accessible name of the focused element. */
  const focused = () =>
    page.evaluate(() => {
      const { ariaLabel, textContent } = /** @type {HTMLElement} */ (document.activeElement);
      return ariaLabel || (textContent ?? '').trim();
    });
  const tabTo = async (/** @type {RegExp} */ name, /** @type {number} */ most) => {
    for (let i = 0; !name.test(await focused()); i++) {
      assert.ok(i < most, `${name}: not within ${most} from the last, but ${await focused()}`);
      await press('Tab');
    }
  };
  await page.locator('main').focus();
  await tabTo(/^Conditions on models$/, 5);
  await page.keyboard.type('llama-3.1 active < 100B not instruct');
  await becomes(() => names(page), 'Llama 3.1 70B; Llama 3.1 8B');
  await tabTo(/^Sort by Layers$/, 20);
  await press('Enter');
  await press('Enter');
  await becomes(() => names(page), 'Llama 3.1 8B; Llama 3.1 70B');
  assert.equal(await focused(), 'Sort by Layers', 'the focus stays where it sorts');
  await tabTo(/^Compare Llama 3\.1 8B$/, 8);
  await press('Space');
  await tabTo(/^Compare Llama 3\.1 70B$/, 3);
  await press('Space');
  await becomes(() => page.getByRole('checkbox', { checked: true }).count(), 2);
  await tabTo(/^Llama 3\.1 70B$/, 1);
  await press('Enter');
  await counts(page, '70,553,706,496');
});
