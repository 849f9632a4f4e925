// Tests the height that the widget reserves. On screen, nothing on the page may move when the answer appears. In print, none is reserved.

import assert from 'node:assert/strict';
import { everywhere } from '../page/browsers.mjs';
import { becomes, eventually } from '../page/page.mjs';
import { documented, number, page, place, watchMoves } from './host-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

for (const width of [1000, 600, 460, 320]) {
  everywhere(
    `at ${width} px nothing moves after the script has loaded`,
    async ({ page: host, name }) => {
      const views = ['total', 'parts', 'compare', 'formula', 'derivation', 'devices', 'table', 'total parts', 'compare formula'];
      const models = (/** @type {string} */ view) =>
        `meta-llama/Llama-3.1-8B${view.includes('compare') ? ' meta-llama/Llama-2-7b-hf' : ''}`;
      page(
        `room-${width}.html`,
        views.map((view) => `<param-ledger model="${models(view)}" view="${view}">8B</param-ledger><p>${view}</p>`).join(''),
        '<meta name="viewport" content="width=device-width"><style>body { margin: 0 }</style><script type="module" src="package/widget.js"></script>',
      );
      let release = () => {};
      const released = new Promise((resolve) => (release = () => resolve(undefined)));
      await host.route('**/package/count.wasm', async (route) => (await released, route.continue()));
      const heights = () =>
        host.evaluate(() => [...document.querySelectorAll('param-ledger')].map((widget) => widget.getBoundingClientRect().height));
      await host.goto(`${place}room-${width}.html`, { waitUntil: 'commit' });
      await eventually(
        () =>
          host.evaluate((count) => {
            const all = [...document.querySelectorAll('param-ledger')];
            return all.length === count && all.every(({ shadowRoot }) => shadowRoot);
          }, views.length),
        'the script',
      );
      const before = await heights();
      release();
      const widgets = host.locator('param-ledger');
      await eventually(async () => {
        for (let i = 0; i < views.length; i++) await widgets.nth(i).scrollIntoViewIfNeeded();
        return (await host.locator('param-ledger .compact').count()) === views.length;
      }, 'the answers');
      const after = await heights();
      for (const [i, view] of views.entries())
        assert.ok(Math.abs(after[i] - before[i]) < 1, `${view}: ${before[i]} px before, ${after[i]} px after it has counted, in ${name}`);
      const [all, seen] = await host.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(all <= seen, `${all} px wide`);
    },
    { places: ['hosted'], viewport: { width, height: 800 } },
  );
}

everywhere(
  'five on a page move nothing while loading, also if one cannot count',
  async ({ page: host, name }) => {
    const models = [
      'meta-llama/Llama-3.2-1B',
      'meta-llama/Llama-3.1-8B',
      'meta-llama/Llama-2-7b-hf',
      'nobody/nothing',
      'meta-llama/Llama-3.1-405B',
    ];
    const style = `<style>param-ledger { display: flow-root; min-height: ${documented}px }</style>`;
    page(
      'five.html',
      style + models.map((model) => `<param-ledger model="${model}"><p>Many.</p></param-ledger><p>After ${model}.</p>`).join(''),
    );
    await watchMoves(host);
    await host.goto(`${place}five.html`);
    await eventually(async () => (await host.locator('param-ledger .number').count()) === 4, 'four numbers');
    await becomes(() => host.locator('param-ledger .why').count(), 1);
    assert.equal(await host.evaluate(() => /** @type {any} */ (document).moved), 0);
    if (name === 'chromium') assert.ok(await host.evaluate(() => PerformanceObserver.supportedEntryTypes.includes('layout-shift')));
  },
  { places: ['hosted'], viewport: { width: 1000, height: 4000 } },
);

/**
 * Applies the print styles. Playwright cannot emulate printing in Firefox, so there the style sheets' print rules are applied directly.
 * @param {Page} host
 */
async function printed(host) {
  await host.emulateMedia({ media: 'print' });
  if (await host.evaluate(() => matchMedia('print').matches)) return;
  await host.evaluate(() => {
    const meant = (/** @type {CSSRuleList} */ rules) => {
      for (const rule of rules) {
        if (rule instanceof CSSMediaRule && /^(not )?print$/.test(rule.media.mediaText)) {
          rule.media.mediaText = rule.media.mediaText.replace('print', 'all');
        }
        if ('cssRules' in rule) meant(/** @type {CSSGroupingRule} */ (rule).cssRules);
      }
    };
    for (const { shadowRoot } of document.querySelectorAll('param-ledger'))
      shadowRoot?.adoptedStyleSheets.forEach((sheet) => meant(sheet.cssRules));
  });
}

everywhere(
  'printed, it has no reserved space, no buttons and the whole table',
  async ({ page: host }) => {
    page(
      'print.html',
      '<param-ledger model="meta-llama/Llama-3.1-8B" view="total parts table" editable="num_hidden_layers:1-80" page="https://example.org/" theme="dark">8B</param-ledger>',
    );
    await host.goto(`${place}print.html`);
    await becomes(number(host), '8,030,261,248');
    const widget = host.locator('param-ledger');
    const box = widget.locator('.table-box');
    const height = () => widget.evaluate((element) => element.getBoundingClientRect().height);
    await box.locator('button').first().click(); // opens the layers, so that the table does not fit in its box
    assert.ok(await widget.locator('.few-fields').isVisible());
    await printed(host);
    for (const name of ['.few-fields', '.tools', '.home']) assert.equal(await widget.locator(name).first().isVisible(), false, name);
    const { seen, whole, colour, free } = await box.evaluate((element) => ({
      seen: element.clientHeight,
      whole: element.scrollHeight,
      colour: getComputedStyle(/** @type {Element} */ (element.closest('.compact')?.querySelector('.number'))).color,
      free: getComputedStyle(/** @type {Element} */ (element.closest('.room'))).minHeight,
    }));
    assert.ok(whole <= seen + 1, `${seen} of ${whole} px of the table`);
    assert.equal(colour, 'rgb(23, 32, 29)', 'dark on white');
    assert.equal(free, '0px');
    assert.ok((await height()) > 0);
  },
  { places: ['hosted'] },
);
