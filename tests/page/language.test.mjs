// Tests that numbers on the page are formatted for the user's language, with German as the example.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { everywhere } from './browsers.mjs';
import { eventually, ready } from './page.mjs';

/** Elements whose text is typed, copied or part of a file, and therefore does not depend on the user's language. */
const OTHERS = 'input, textarea, select, code, pre, .snippet, .preview, [contenteditable]';

/** Articles quote numbers as they were printed, so those stay in English format. */
const articles = new URL('../../web/data/articles/', import.meta.url);
const quoted = readdirSync(articles)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const { steps, total } = JSON.parse(readFileSync(new URL(name, articles), 'utf8'));
    return [...steps, total].flatMap(({ prints = '' }) => prints.match(/\d{1,3}(,\d{3})+/g) ?? []);
  });

everywhere(
  'a German reader sees points between thousands and decimal commas, in every view',
  async ({ page, open }) => {
    for (const [view, shown] of [
      ['', /8\.030\.261\.248/],
      ['#memory?context:131072,weights:bfloat16;m=meta-llama/Llama-3.1-8B', /16,1 GB[^]*17,2 GB/],
      ['#check?6,738,411,520;m=meta-llama/Llama-2-7b-hf', /6\.738\.411\.520 = all parameters 6\.738\.415\.616/],
      ['#compare;m=meta-llama/Llama-2-7b-hf;m=meta-llama/Meta-Llama-3-8B', /1\.291\.845\.632/],
      ['#derive;m=meta-llama/Llama-2-7b-hf', /6\.738\.415\.616/],
      ['#articles', /70\.553\.706\.496|68\.976\.648\.192/],
      ['#models', /\d\.\d{3}\.\d{3}/],
      ['#supported', /\d\.\d{3}/],
    ]) {
      await page.goto('about:blank');
      await open(String(view));
      await ready(page);
      const text = () =>
        page.evaluate((others) => {
          const left = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(others)]).map((element) => ({
            element,
            before: element.style.display,
          }));
          for (const { element } of left) element.style.display = 'none';
          const said = document.body.innerText;
          for (const { element, before } of left) element.style.display = before;
          return said;
        }, OTHERS);
      await eventually(async () => /** @type {RegExp} */ (shown).test(await text()), `${view} shows its number`);
      const said = quoted.reduce((left, number) => left.replaceAll(number, '…'), await text());
      // Matches numbers in English format, such as 1,234 and 12.3 %.
      const english = said.match(/.*(?:\d,\d{3}(?!\d)(?! *[%GM])|\d\.\d+ *(?:%|[KMGT]i?B\b|thousand|million|billion|trillion)).*/g) ?? [];
      assert.deepEqual(english, [], String(view));
    }
  },
  { names: ['chromium'], locale: 'de-DE' },
);
