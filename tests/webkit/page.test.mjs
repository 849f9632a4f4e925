// Tests the page in WebKit, the third browser engine: every view, hosted and as the offline file, an edit, a comparison, and the widget in
// a post.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address, serve } from '../../web/build/serve.mjs';
import { views } from '../../web/views/all.ts';
import { KEYS, start } from './driver.mjs';

const server = (await serve(0)).unref();
const hosted = address(server);
const urls = { hosted, file: new URL('../../web/dist/param-ledger.html', import.meta.url).href };

const READY = 'return String(document.documentElement.dataset.ready !== undefined)';
const NUMBER = 'return document.querySelector(".number")?.innerText';
const TROUBLE = 'return [...document.querySelectorAll(".banner")].filter((it) => !it.hidden).map((it) => it.innerText).join()';
const [EIGHT, EDITED] = ['8,030,261,248', '9,775,157,248']; // Llama 3.1 8B, and with 40 layers, which adds 8 × 218,112,000

/** @type {Awaited<ReturnType<typeof start>>} */
let browser;
// With the C locale, the browser states the language C, which is not a valid language tag.
before(async () => (browser = await start({ LANG: 'C.UTF-8' })));
after(() => browser?.end());

/** @param {string} url */
async function opened(url) {
  await browser.open('about:blank'); // a URL that differs only in its fragment would not reload the page
  await browser.open(url);
  await browser.reads(READY, /true/);
  assert.equal(await browser.run(TROUBLE), '');
}

test('an invalid browser language means English numbers', async () => {
  await opened(urls.hosted);
  assert.equal(await browser.run('return navigator.language'), 'C');
  await browser.reads(NUMBER, new RegExp(`^${EIGHT}$`));
});

test('the first view’s files are fetched once', async () => {
  await opened(urls.hosted);
  /** @type {string[]} */
  const names = await browser.run('return performance.getEntriesByType("resource").map(({ name }) => name.split("/").pop())');
  assert.equal(names.filter((name) => /^count-.*\.wasm$/.test(name)).length, 1, names.join(' '));
  assert.equal(names.length, new Set(names).size, names.join(' '));
});

for (const [place, url] of Object.entries(urls)) {
  for (const { id, title } of views.slice(1)) {
    test(`${title} opens (${place})`, async () => {
      await opened(`${url}#${id}`);
      await browser.reads('return document.querySelector("main")?.id', new RegExp(`^${id}-answer$`));
      await browser.reads('return document.querySelector("main").innerText.length > 200', /true/);
      assert.equal(await browser.run('return document.documentElement.scrollWidth <= innerWidth'), true, 'nothing is wider than the page');
    });
  }

  test(`an edit recounts, and its link shows it (${place})`, async () => {
    await opened(url);
    const layers = '[data-field=num_hidden_layers] .field-body input';
    await browser.type(layers, `${KEYS.end}${KEYS.backspace}${KEYS.backspace}40`);
    await browser.reads(NUMBER, new RegExp(`^${EDITED}$`));
    await browser.reads('return location.hash', /num_hidden_layers=40/);
    await opened(`${url}${await browser.run('return location.hash')}`);
    await browser.reads(NUMBER, new RegExp(`^${EDITED}$`));
  });

  test(`a comparison adds up (${place})`, async () => {
    await opened(`${url}#compare;m=meta-llama/Llama-2-7b-hf;m=meta-llama/Meta-Llama-3-8B`);
    await browser.reads(
      'return [...document.querySelectorAll(".contender-total strong")].map((it) => it.innerText).join(" ")',
      new RegExp(`^6,738,415,616 ${EIGHT}$`),
    );
    await browser.reads('return document.querySelector("main").innerText', /1,291,845,632/);
  });
}

test('the widget counts in a post', async () => {
  await browser.open(`${hosted}examples/post.html`);
  await browser.reads(
    'return document.querySelector("param-ledger")?.shadowRoot?.querySelector(".number")?.innerText',
    new RegExp(`^${EIGHT}$`),
  );
});
