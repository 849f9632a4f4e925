// Tests the Compare view: the differences between models, and the causes that add up to the difference.

import assert from 'node:assert/strict';
import { PLACES, everywhere, inaccessible } from './browsers.mjs';
import { becomes, counts, drop, eventually, field, hash, reads, ready } from './page.mjs';

const LLAMAS = '#compare;m=meta-llama/Llama-2-7b-hf;m=meta-llama/Meta-Llama-3-8B';
const FOUR = '#compare;m=meta-llama/Llama-2-7b-hf;m=meta-llama/Meta-Llama-3-8B&num_hidden_layers=33;t=gpt2;t=mixtral';

/** @typedef {import('playwright-core').Page} Page */

/** The cells of a table of the view, row by row. @param {Page} page @param {string} table */
const rows = async (page, table) =>
  page
    .locator(`${table} :is(tbody, tfoot) tr`)
    .evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => /** @type {HTMLElement} */ (cell).innerText.replace(/\s+/g, ' ').trim())),
    );
const totals = (/** @type {Page} */ page) => page.locator('.contender-total strong').allInnerTexts();
const view = (/** @type {Page} */ page) => page.locator('main.compare .matrices').waitFor();

everywhere('from Llama 2 7B to Llama 3 8B: three causes, matrix by matrix', async ({ page, open, place }) => {
  await open(LLAMAS);
  await ready(page);
  await view(page);
  assert.deepEqual(await totals(page), ['6,738,415,616', '8,030,261,248']);
  const story = await page.locator('.story').innerText();
  assert.match(story, /Llama 3 8B has 1,291,845,632 more parameters than Llama 2 7B/);
  assert.match(story, /Vocabulary: 788,529,152 more; Grouped queries: 805,306,368 fewer; Feed-forward: 1,308,622,848 more\./);
  const steps = await rows(page, '.bridge');
  assert.deepEqual(
    steps.map(([, change]) => change),
    ['', '+788,529,152', '−805,306,368', '+1,308,622,848', ''],
  );
  const matrices = await rows(page, '.matrices');
  const key = matrices.find(([name]) => name.includes('k_proj'));
  assert.match(key?.[1] ?? '', /4,096 × 4,096/);
  assert.match(key?.[2] ?? '', /1,024 × 4,096/);
  assert.equal(key?.[3], '−402,653,184', 'a column of its own');
  await page.getByRole('button', { name: 'Swap' }).click();
  await becomes(async () => String(await totals(page)), '8,030,261,248,6,738,415,616');
  await page.getByRole('button', { name: 'Undo' }).click();
  await becomes(async () => String(await totals(page)), '6,738,415,616,8,030,261,248');
  assert.equal(matrices.length, 8); // the rows that differ: embedding, head, key, value, three matrices of the feed-forward block, the sum
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
});

everywhere(
  'a comparison of four survives a reload',
  async ({ page, open }) => {
    await open(FOUR);
    await ready(page);
    await view(page);
    const before = await totals(page);
    assert.equal(before.length, 4);
    const address = await hash(page);
    await page.reload();
    await ready(page);
    await view(page);
    assert.deepEqual(await totals(page), before);
    assert.equal(await hash(page), address);
    assert.equal(await page.locator('.bridge').count(), 3);
  },
  { places: PLACES },
);

everywhere('models are added and removed, and that can be undone', async ({ page, open }) => {
  await open(LLAMAS);
  await ready(page);
  await view(page);
  await drop(
    page,
    'small.json',
    '{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100}',
  );
  await becomes(async () => (await totals(page)).join(), '6,738,415,616,8,030,261,248,95,040');
  await page.getByRole('button', { name: 'Remove Llama 2 7B from the comparison' }).click();
  await becomes(async () => (await totals(page)).join(), '8,030,261,248,95,040');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await becomes(async () => (await totals(page)).length, 3);
  await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter');
  await becomes(async () => (await totals(page)).join(), '6,738,415,616,8,030,261,248');
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await becomes(async () => (await totals(page)).length, 3);
  // Replaces the second model by another one, using only the keyboard.
  await page.getByRole('combobox', { name: 'Another model instead of Llama 3 8B' }).focus();
  await page.keyboard.type('mixtral 8x7');
  await becomes(() => page.locator('[role=option][aria-selected=true]').count(), 1);
  await page.keyboard.press('Enter');
  await becomes(async () => (await totals(page))[1], '46,702,792,704');
  await eventually(async () => (await hash(page)).includes('m=mistralai/Mixtral-8x7B-v0.1'), 'the address follows');
});

everywhere('a refused configuration is reported and leaves no number behind', async ({ page, open }) => {
  await open('#compare;m=meta-llama/Llama-2-7b-hf;m=meta-llama/Meta-Llama-3-8B&hidden_size=-1;t=gpt2');
  await ready(page);
  await view(page);
  assert.deepEqual(await totals(page), ['6,738,415,616', '124,439,808']);
  await reads(() => page.locator('.contender .refusal').innerText(), /hidden_size/);
  assert.equal(await page.locator('.matrices thead th').count(), 4); // names, two models, their difference
  await open('#compare;t=gpt2;t=gpt2&n_head=7');
  await ready(page);
  await page.locator('.contender .refusal').waitFor();
  assert.equal(await page.locator('.matrices').count(), 0);
});

everywhere('a pinned model stays next to the edited one', async ({ page, open }) => {
  await open('#t=gpt2');
  await counts(page, '124,439,808');
  await page.getByRole('button', { name: /^Pin/ }).click();
  await field(page, 'n_layer').fill('13');
  await counts(page, '131,527,680');
  await becomes(() => hash(page), '#t=gpt2;t=gpt2&n_layer=13');
  await page.locator('.model-tabs').getByRole('button', { name: 'Compare' }).click();
  await view(page);
  assert.deepEqual(await totals(page), ['124,439,808', '131,527,680']);
  await reads(() => page.locator('.bridge').innerText(), /Depth[\s\S]*\+7,087,872/);
});
