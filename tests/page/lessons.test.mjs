// Tests lessons, in which the user counts a model by hand: answers, the keyboard, small screens, and a lesson generated for a model.

import assert from 'node:assert/strict';
import { everywhere, inaccessible } from './browsers.mjs';
import { becomes, hash, reads, ready } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const answer = (/** @type {Page} */ page) => page.locator('.lesson-question .claim-input');
const verdict = (/** @type {Page} */ page) => page.locator('.lesson-verdict').innerText();

everywhere('a screen of a lesson is answered wrongly, then correctly, and left by its link', async ({ page, open }) => {
  await open('#lessons?llama-3.1-8b%2F3;t=llama');
  await ready(page);
  await answer(page).fill('4096*128');
  await answer(page).press('Enter');
  await reads(() => verdict(page), /This is the matrix of one head\. There are 32 heads\./);
  await answer(page).fill('16.8M');
  await answer(page).press('Enter');
  await reads(() => verdict(page), /Right\.[^]*16,777,216/);
  await reads(() => page.locator('.lesson-ledger').innerText(), /Queries of a layer\s+16\.8M\s+16,777,216/);
  await page.getByRole('button', { name: 'Next' }).click();
  await reads(() => page.locator('#lessons-screen').innerText(), /Keys and values are shared/);
  await reads(() => hash(page), /llama-3\.1-8b%2F4/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'lessons-screen');
});

/** Presses Tab until the element with this name has the focus. @param {Page} page @param {RegExp} name */
async function tabTo(page, name) {
  const focused = () =>
    page.evaluate(() => {
      const element = /** @type {HTMLElement} */ (document.activeElement);
      if (element === document.body) return ''; // its text would contain the scripts of the offline file
      return `${element.className} ${element.getAttribute('aria-label') ?? element.textContent}`;
    });
  for (let i = 0; i < 60 && !name.test(await focused()); i++) await page.keyboard.press('Tab');
  assert.match(await focused(), name);
}

everywhere('a screen needs no pointer: answer, hint, what is right, next', async ({ page, open }) => {
  await open('#lessons?llama-3.1-8b%2F2;t=llama');
  await ready(page);
  await answer(page).waitFor();
  await tabTo(page, /claim-input/);
  await page.keyboard.type('128256');
  await page.keyboard.press('Enter');
  await reads(() => verdict(page), /^Not yet\.\s+That is the number of rows\. Each row has d = 4,096 dimensions\.$/);
  await tabTo(page, /quiet Hint$/);
  await page.keyboard.press('Enter');
  await reads(() => page.locator('.lesson-hint').innerText(), /V × d/);
  await tabTo(page, /quiet Show me$/);
  await page.keyboard.press('Space');
  await reads(() => verdict(page), /128,256 × 4,096 = 525,336,576/);
  await tabTo(page, /primary Next$/);
  await page.keyboard.press('Enter');
  await becomes(() => page.evaluate(() => document.activeElement?.textContent), 'Queries');
  await page.keyboard.press('Tab');
  assert.deepEqual(await inaccessible(page), []);
});

everywhere('what was answered is kept, and ends as an article', async ({ page, open }) => {
  await open('#lessons?mixtral-8x7b%2F2;t=llama');
  await ready(page);
  await answer(page).fill('131M');
  await answer(page).press('Enter');
  await reads(() => verdict(page), /^Right\./);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await reads(() => hash(page), /mixtral-8x7b%2F3/);
  await page.getByRole('button', { name: 'All lessons' }).click();
  await page.getByRole('button', { name: 'Go on: screen 3 of 11' }).click();
  await reads(() => page.locator('.lesson-ledger').innerText(), /Embedding\s+131M\s+131,072,000/);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await becomes(() => answer(page).inputValue(), '131M');
  // A link to the end of the lesson, after the last screen.
  await open('#lessons?mixtral-8x7b%2F12;t=llama');
  await reads(() => page.locator('.lesson-main').innerText(), /You answered 1 of 11 questions right\./);
  await reads(() => page.locator('.lesson-ledger').innerText(), /Embedding\s+131M\s+131,072,000[^]*All parameters\s+46,702,792,704/);
});

everywhere(
  'no screen is wider than a small phone',
  async ({ page, open }) => {
    await open('#lessons?deepseek-v3;t=llama');
    await ready(page);
    for (let i = 1; i <= 12; i++) {
      await reads(() => page.locator('.lesson-head').innerText(), new RegExp(`· ${i} of 12`));
      await page.getByRole('button', { name: 'Show me' }).click();
      await page.locator('.lesson-reveal').waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 320, `screen ${i}: ${wide} pixels`);
      if (i < 12) await page.getByRole('button', { name: 'Next', exact: true }).click();
    }
  },
  { viewport: { width: 320, height: 700 } },
);

everywhere('any model at hand has a lesson made for it', async ({ page, open }) => {
  await open('#lessons?model%2F2;m=google/gemma-2-2b');
  await ready(page);
  await answer(page).fill('256,000');
  await answer(page).press('Enter');
  await reads(() => verdict(page), /^Not yet\.\s+That is the number of rows\. Each has 2,304 entries\./);
  await answer(page).fill('256000*2304');
  await answer(page).press('Enter');
  await reads(() => verdict(page), /^Right\./);
});
