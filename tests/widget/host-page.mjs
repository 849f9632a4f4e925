// Helpers for tests of the widget: they write pages with the widget into a folder next to the package, and examine them.

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, serve } from '../../web/build/serve.mjs';
import { temporaryFolder } from '../folder.mjs';

/** @typedef {import('playwright-core').Page} Page */

export const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url));
export const folder = temporaryFolder();
symlinkSync(join(dist, 'package'), join(folder, 'package'), 'dir');

/** The URL of the folder on the test's server. */
export const place = address((await serve(0, folder)).unref());

/** Writes a page into the folder. @param {string} name @param {string} body @param {string} [head] */
export const page = (name, body, head = '<script type="module" src="package/widget.js"></script>') =>
  writeFileSync(
    join(folder, name),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">${head}</head><body><main><h1>Host</h1>${body}</main></body></html>`,
  );

/** Records the files that a page requests, by the last part of their URLs. @param {Page} browserPage */
export function requestsOf(browserPage) {
  /** @type {string[]} */
  const names = [];
  browserPage.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url());
    if (/^https?:/.test(protocol)) names.push(pathname.replace(/.*\//, ''));
  });
  return names;
}

/** Returns a function that reads the number in a widget. @param {Page} host */
export const number =
  (host, nth = 0) =>
  () =>
    host.locator('param-ledger .number').nth(nth).innerText();

/** Adds up the layout shifts of a page in `document.moved`, if the browser reports them. @param {Page} host */
export const watchMoves = (host) =>
  host.addInitScript(() => {
    Object.assign(document, { moved: 0 });
    if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) /** @type {any} */ (document).moved += /** @type {any} */ (entry).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** The height in pixels that the package's README reserves for the default view. */
export const documented = Number(/min-height: (\d+)px/.exec(readFileSync(join(dist, 'package/README.md'), 'utf8'))?.[1]);
