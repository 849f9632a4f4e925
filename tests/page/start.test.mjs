// Tests what the page shows if it cannot start, if the browser states an invalid language, and in a hidden tab.

import { everywhere } from './browsers.mjs';
import { counts, reads, ready } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const banner = (/** @type {Page} */ page) => page.locator('.banner[role=status]').innerText();
const meant = /Failed to load|not start|ERR_FAILED|Loading failed|thrown: /;

/** @type {[title: string, what: string, answer: { status?: number, contentType?: string, body: string }, said: RegExp][]} */
const troubles = [
  ['its script does not come', '**/page-*.js', { status: 404, body: '' }, /^The counting program did not start: .*http.*\/page-\w+\.js$/],
  [
    'its script throws as it starts',
    '**/page-*.js',
    { contentType: 'text/javascript', body: 'throw new Error("as never before")' },
    /^The counting program did not start: .*as never before$/,
  ],
  ['the program does not come', '**/count-*.wasm', { status: 503, body: '' }, /^The counting program did not start: http.*: HTTP 503$/],
  [
    'the program is none',
    '**/count-*.wasm',
    { contentType: 'application/wasm', body: 'none' },
    /^The counting program did not start: .*(magic|failed to match|WebAssembly)/,
  ],
];

for (const [title, what, answer, said] of troubles)
  everywhere(
    `the page reports that ${title}`,
    async ({ page, open }) => {
      await page.route(what, (route) => route.fulfill(answer));
      await open('#m=openai-community/gpt2');
      await reads(() => banner(page), said);
    },
    { places: ['hosted'], faults: meant },
  );

everywhere('an invalid language means English', async ({ page, open }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' }));
  await open();
  await ready(page);
  await counts(page, '8,030,261,248');
});

// In a hidden tab there are no animation frames, so the scripts must not wait for one.
everywhere(
  'a hidden tab starts, too',
  async ({ page, open }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Document.prototype, 'hidden', { get: () => true });
      window.requestAnimationFrame = () => 0;
    });
    const script = page.waitForRequest(/page-\w+\.js$/);
    await open();
    await script;
  },
  { places: ['hosted'] },
);
