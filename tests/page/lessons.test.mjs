// Count it by hand: a lesson, exercises in a link, a truncated link.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { hash, reads, ready } from './page.mjs';

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
