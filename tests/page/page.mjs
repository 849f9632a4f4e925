// What the tests of the page do and look at, in the page's words.

import assert from 'node:assert/strict';

/** @typedef {import('playwright-core').Page} Page */

/** The core has answered and the page shows it. @param {Page} page */
export const ready = (page) => page.waitForSelector('body[data-ready]');

/** The number as shown. @param {Page} page */
export const total = (page) => page.locator('.number').innerText();

/** @param {Page} page @param {string} name */
export const field = (page, name) => page.locator(`[id="field-${name}"]`);

/** @param {Page} page @param {string} name */
export const errorAt = (page, name) => page.locator(`[id="field-${name}-error"]`);

/** The tensor table. @param {Page} page */
export const table = (page) => page.locator('tensor-table .table-box');

/** A line of the tensor table by its label. @param {Page} page @param {string} label */
export const line = (page, label) => page.locator('.tensors tbody tr', { has: page.locator('code', { hasText: new RegExp(`^${label.replace(/[.[\]]/g, '\\$&')}$`) }) });

/** The config.json as the page has it. @param {Page} page */
export const configText = (page) => page.locator('#config-text').inputValue();

/** Waits for what comes a moment after an edit, as the address does. @param {() => Promise<boolean>} holds @param {string} what */
export async function eventually(holds, what) {
  for (let i = 0; i < 100; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`not after five seconds: ${what}`);
}

/** Hands the page a file as if it were dropped. @param {Page} page @param {string} name @param {string} text */
export const drop = (page, name, text) =>
  page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName, { type: 'application/json' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

/** Hands the page a text as if it were pasted. @param {Page} page @param {string} text @param {string} [into] */
export const paste = (page, text, into = 'body') =>
  page.evaluate(([content, selector]) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', content);
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'clipboardData', { value: clipboardData }); // which Firefox does not take from the constructor
    document.querySelector(selector)?.dispatchEvent(event);
  }, [text, into]);
