// Answers questions that new users have, each within a number of steps. A step is a click, a choice, a paste, an entry or a hover.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { becomes, counts, eventually, field, paste, picker, reads, ready } from './page.mjs';

/** @typedef {import('@playwright/test').Locator} Locator */

/** Counts the steps of a user and fails if they exceed the budget. @param {number} budget */
function within(budget) {
  let taken = 0;
  const step = () => assert.ok(++taken <= budget, `more than ${budget} steps`);
  return {
    click: (/** @type {Locator} */ at) => (step(), at.click()),
    hover: (/** @type {Locator} */ at) => (step(), at.hover()),
    select: (/** @type {Locator} */ at, /** @type {string | { label: string }} */ value) => (step(), at.selectOption(value)),
    enter: async (/** @type {Locator} */ at, /** @type {string} */ text) => {
      step();
      await at.fill(text);
      await at.press('Enter');
    },
    paste: (/** @type {import('@playwright/test').Page} */ page, /** @type {string} */ text) => (step(), paste(page, text)),
  };
}

everywhere('why k_proj is smaller than q_proj: one hover', async ({ page, open }) => {
  await open('#m=meta-llama/Llama-3.1-8B');
  await ready(page);
  await within(1).hover(page.locator('.drawing text', { hasText: /^k_proj$/ }).last());
  await reads(() => page.locator('.caption').last().innerText(), /has fewer outputs, because 32 query heads share 8 key heads/);
});

everywhere('total, active and files of DeepSeek-V3 are in the header', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await counts(page, '671,026,404,352');
  for (const part of ['671B total', '37.6B active (5.60%)', '685B in the files'])
    await eventually(async () => (await page.locator('main').innerText()).includes(part), part);
});

everywhere('what no grouped queries would cost: one click', async ({ page, open }) => {
  await open('#m=meta-llama/Llama-3.1-8B');
  await ready(page);
  await within(1).click(page.getByRole('button', { name: 'No grouped queries', exact: true }));
  await counts(page, '8,835,567,616');
});

everywhere('Llama 2 7B next to Llama 3 8B: one question', async ({ page, open }) => {
  await open();
  await ready(page);
  await within(3).click(page.getByRole('link', { name: 'Why is Llama 3 bigger than Llama 2?' }));
  for (const total of ['6,738,415,616', '8,030,261,248'])
    await eventually(async () => (await page.locator('main').innerText()).includes(total), total);
});

everywhere(
  'a picture of Mixtral in the clipboard: a name and a click',
  async ({ page, open, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open();
    await ready(page);
    const user = within(2);
    await user.enter(picker(page), 'mixtral 8x7b');
    await counts(page, '46,702,792,704');
    await user.click(page.getByRole('button', { name: 'Copy picture' }));
    await becomes(() => page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types).join()), 'image/png');
  },
  { names: ['chromium'] },
);

everywhere('numbers that are pasted anywhere are judged', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await ready(page);
  await within(1).paste(page, '671B total, 37B active');
  await reads(() => page.locator('.verdict-sentence').first().innerText(), /671B total agrees with 671,026,404,352 = all parameters/);
  await reads(() => page.locator('.verdict-sentence').last().innerText(), /37B active agrees with/);
});

everywhere('a printed network is read, and still there after a reload', async ({ page, open }) => {
  await open();
  await ready(page);
  await within(1).paste(
    page,
    'Sequential(\n  (0): Linear(in_features=784, out_features=128, bias=True)\n  (1): ReLU()\n  (2): Linear(in_features=128, out_features=10, bias=True)\n)',
  );
  const said = () => page.locator('main').innerText();
  await reads(said, /101,770/); // 784 · 128 + 128 + 128 · 10 + 10
  await page.reload();
  await reads(said, /101,770/);
});

everywhere('Qwen3 32B in 4 bits on two cards of 24 GB: four choices', async ({ page, open }) => {
  await open('#m=Qwen/Qwen3-32B');
  await ready(page);
  const user = within(4);
  await user.click(page.getByRole('link', { name: 'Memory' }));
  await user.select(page.getByLabel('Weights', { exact: true }), { label: 'GGUF Q4_K_M' });
  await user.select(page.getByLabel('Device', { exact: true }), { label: 'GeForce RTX 4090, 24 GB' });
  await user.enter(page.getByLabel('How many'), '2');
  await reads(() => page.locator('main').innerText(), /It fits: [\d.]+ GB of 43\.2 GB\.\s+2 × GeForce RTX 4090/);
});

everywhere('a mixture of 30B with 3B active: a template and five numbers', async ({ page, open }) => {
  await open('#design');
  await ready(page);
  const user = within(6);
  await user.click(page.getByRole('button', { name: 'Mixture of experts' }));
  await counts(page, '6,919,325,696');
  for (const [name, value] of /** @type {const} */ ([
    ['num_hidden_layers', '48'],
    ['num_experts', '128'],
    ['num_experts_per_tok', '8'],
    ['moe_intermediate_size', '768'],
  ]))
    await user.enter(field(page, name), value);
  await reads(() => page.locator('main').innerText(), /29\.2B total\s+2\.\d+B active/);
});

everywhere('405B is found from the page as it opens', async ({ page, open }) => {
  await open();
  await ready(page);
  await within(2).enter(picker(page), '405B');
  await counts(page, '405,853,388,800');
});

everywhere('Qwen models below 10B active are compared: a condition and a click', async ({ page, open }) => {
  await open('#models');
  await ready(page);
  const user = within(3);
  await user.enter(page.getByLabel('Conditions on models'), 'qwen active<10B');
  await user.click(page.getByRole('button', { name: 'Compare the first 4' }));
  await reads(() => page.locator('main').innerText(), /Compare\s[\s\S]*Qwen/);
  await eventually(async () => (await page.locator('main .number, main .digits').count()) > 3, 'four totals');
});
