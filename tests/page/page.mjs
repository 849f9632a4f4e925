// Helpers for tests of the page: they find its elements and wait for its state.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

/** @typedef {import('playwright-core').Page} Page */

/** Waits until the core has answered and the page shows the state in its address. @param {Page} page */
export const ready = (page) => page.waitForSelector('html[data-ready]');

/** The parameter count that the page shows. @param {Page} page */
export const total = (page) => page.locator('.number').innerText();

/** Waits until the page shows this count. @param {Page} page @param {string} number */
export const counts = (page, number) => becomes(() => total(page), number);

/** @param {Page} page @param {string} name */
export const field = (page, name) => page.locator(`[data-field="${name}"] .field-body :is(input, select)`);

/** @param {Page} page @param {string} name */
export const errorAt = (page, name) => page.locator(`[data-field="${name}"] .error`);

/** The tensor table. @param {Page} page */
export const table = (page) => page.locator('.tensor-table .table-box');

/** A row of the tensor table by its label. @param {Page} page @param {string} label */
export const line = (page, label) =>
  page.locator('.tensors tbody tr', { has: page.locator('code', { hasText: new RegExp(`^${label.replace(/[.[\]]/g, '\\$&')}$`) }) });

/** The line with the formula for the whole model. @param {Page} page */
export const formula = (page) => page.locator('div.formula');

/**
 * Goes one step back or forward in the browser's history. In Firefox, Playwright's own methods would wait for a load event, which does not
 * occur if only the fragment changes.
 * @param {Page} page @param {1 | -1} [by]
 */
export const back = (page, by = -1) => page.evaluate((step) => history.go(step), by);

/** The filter field of the tensor table. @param {Page} page */
export const filter = (page) => page.getByRole('searchbox', { name: /Filter/ });

/** The names in the tensor table. @param {Page} page */
export const lines = (page) => page.locator('.tensors tbody code').allTextContents();

/** The text of table rows, including rows that are not visible. @param {import('playwright-core').Locator} of */
export const written = async (of) => (await of.textContent()) ?? '';

/** @param {Page} page */
export const picker = (page) => page.getByRole('combobox', { name: 'Model' });

/** Opens the text tab for a moment and returns the text of config.json. @param {Page} page */
export const configText = (page) =>
  page.evaluate(async () => {
    const tab = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.querySelector(`[data-tab=${name}]`));
    const drawn = () => new Promise((resolve) => setTimeout(resolve, 20));
    const fields = tab('fields').getAttribute('aria-selected') === 'true';
    tab('text').click();
    do await drawn();
    while (!document.querySelector('.config-text')); // loaded when first needed
    const { value } = /** @type {HTMLTextAreaElement} */ (document.querySelector('.config-text'));
    if (fields) tab('fields').click();
    await drawn();
    return value;
  });

/** The time limit for a condition, in milliseconds. It is much longer than usually needed, because machines may be busy. */
const PATIENCE = 20_000;

/**
 * Waits until a condition holds, because the page updates its content and address shortly after an edit.
 * @param {() => Promise<boolean>} holds @param {string} what
 */
export async function eventually(holds, what) {
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  assert.fail(`not in time: ${what}`);
}

/** Waits until a value becomes the wanted one. @template T @param {() => Promise<T>} read @param {T} wanted */
export async function becomes(read, wanted) {
  let last;
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    last = await read();
    if (last === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  assert.equal(last, wanted);
}

/** Waits until a text matches. @param {() => Promise<string | null>} read @param {RegExp} wanted */
export async function reads(read, wanted) {
  let last = '';
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    last = (await read()) ?? '';
    if (wanted.test(last)) return;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  assert.match(last, wanted);
}

/** The part of the address that contains the page's state. @param {Page} page */
export const hash = (page) => page.evaluate(() => location.hash);

/** Drops a file on the page. @param {Page} page @param {string} name @param {string} text */
export const drop = (page, name, text) =>
  page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName, { type: 'application/json' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

/** Pastes text into an element of the page. @param {Page} page @param {string} text @param {string} [into] */
export const paste = (page, text, into = 'body') =>
  page.evaluate(
    ([content, selector]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', content);
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'clipboardData', { value: clipboardData }); // Firefox does not accept it in the constructor
      document.querySelector(selector)?.dispatchEvent(event);
    },
    [text, into],
  );

/**
 * Clicks a button and returns the file that it saves. Playwright does not see Firefox's downloads, so there the contents are taken from the
 * page.
 * @param {Page} page
 * @param {import('playwright-core').Locator} button
 */
export async function saved(page, button) {
  if (page.context().browser()?.browserType().name() === 'chromium') {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }
  const handed = page.evaluate(
    () =>
      new Promise((resolve) => {
        const { createObjectURL } = URL;
        const { click } = HTMLAnchorElement.prototype;
        /** @type {Map<string, Blob>} */
        const made = new Map();
        URL.createObjectURL = (/** @type {Blob} */ blob) => {
          const url = createObjectURL.call(URL, blob);
          made.set(url, blob);
          return url;
        };
        HTMLAnchorElement.prototype.click = async function () {
          Object.assign(URL, { createObjectURL });
          HTMLAnchorElement.prototype.click = click;
          resolve({ name: this.download, bytes: [...new Uint8Array((await made.get(this.href)?.arrayBuffer()) ?? [])] });
        };
      }),
  );
  await button.click();
  const { name, bytes } = /** @type {{ name: string, bytes: number[] }} */ (await handed);
  return { name, bytes: Buffer.from(bytes) };
}
