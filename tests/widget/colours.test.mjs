// Tests the widget's colours: those of the surrounding page, of the system, and of users who force their own colours.

import assert from 'node:assert/strict';
import { everywhere, inaccessible } from '../page/browsers.mjs';
import { becomes, reads } from '../page/page.mjs';
import { number, page, place, requestsOf } from './host-page.mjs';

everywhere(
  'its colours follow the surrounding page and the system whenever they change, also while it is hidden or moved',
  async ({ page: host, name }) => {
    page(
      'scheme.html',
      '<style>.night { color-scheme: dark } .both { color-scheme: light dark }</style><param-ledger model="gpt2"></param-ledger>',
    );
    await host.goto(`${place}scheme.html`);
    const [light, dark] = ['rgb(23, 32, 29)', 'rgb(228, 235, 231)'];
    const ink = () => host.locator('param-ledger .number').evaluate((element) => getComputedStyle(element).color);
    const wear = (/** @type {string} */ look) => host.evaluate((given) => void (document.documentElement.className = given), look);
    await becomes(ink, light);
    await wear('night');
    await becomes(ink, dark);
    await wear('');
    await becomes(ink, light);
    await host.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('body { color-scheme: dark }');
      document.adoptedStyleSheets = [sheet];
    });
    await becomes(ink, dark);
    await host.locator('param-ledger').evaluate((widget) => {
      widget.hidden = true;
      document.adoptedStyleSheets = [];
    });
    await host.locator('param-ledger').evaluate((widget) => void (widget.hidden = false));
    await becomes(ink, light);
    // A widget that was moved or hidden has no transition from its earlier colours, but it must adopt the new colours as well.
    await host.locator('param-ledger').evaluate((widget) => {
      const { parentNode } = widget;
      widget.remove();
      document.documentElement.className = 'night';
      parentNode?.append(widget);
    });
    await becomes(ink, dark);
    await host.locator('param-ledger').evaluate((widget) => {
      widget.hidden = true;
      getComputedStyle(widget).color; // computes the styles in the hidden state
      document.documentElement.className = '';
      widget.hidden = false;
    });
    await becomes(ink, light);
    await host.locator('param-ledger').evaluate(async (widget) => {
      const { parentNode } = widget;
      widget.remove();
      await new Promise((resolve) => setTimeout(resolve, 50));
      document.documentElement.className = 'night';
      parentNode?.append(widget);
    });
    await becomes(ink, dark);
    await wear('both');
    await becomes(ink, light);
    if (name === 'chromium') {
      // Playwright cannot switch Firefox's colour scheme.
      await host.emulateMedia({ colorScheme: 'dark' });
      await becomes(ink, dark);
      await host.emulateMedia({ colorScheme: 'light' });
      await becomes(ink, light);
    }
  },
  { places: ['hosted'] },
);

everywhere(
  'forced colours keep its parts apart',
  async ({ page: host }) => {
    page('forced.html', '<param-ledger model="meta-llama/Llama-3.1-8B" view="total parts">8B</param-ledger>');
    await host.goto(`${place}forced.html`);
    await becomes(number(host), '8,030,261,248');
    assert.ok(await host.evaluate(() => matchMedia('(forced-colors: active)').matches));
    const colours = await host
      .locator('param-ledger .parts-bar > div')
      .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).backgroundColor));
    assert.equal(colours.length, 5);
    assert.equal(new Set(colours).size, colours.length);
    const own = await host.locator('param-ledger .number').evaluate((element) => {
      const canvas = document.body.appendChild(document.createElement('p'));
      canvas.style.color = 'CanvasText';
      return [getComputedStyle(element).color, getComputedStyle(canvas).color];
    });
    assert.equal(own[0], own[1], 'text in the colour of the reader');
  },
  { places: ['hosted'], forced: true },
);

for (const dark of [false, true]) {
  everywhere(
    `a notebook ${dark ? 'in the dark ' : ''}on a phone: full width, in the page’s declared colours`,
    async ({ page: host, url }) => {
      const requests = requestsOf(host);
      await host.goto(`${url}examples/notebook.html`);
      await becomes(number(host), '8,835,567,616');
      await becomes(number(host, 1), '8,030,261,248');
      await reads(() => host.locator('output').innerText(), /^8 key-value heads: 8030261248/);
      const { width, ink } = await host.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        ink: getComputedStyle(/** @type {Element} */ (document.querySelector('param-ledger')?.shadowRoot?.querySelector('.number'))).color,
      }));
      assert.ok(width <= 320, `${width} px wide`);
      // No table may overflow its widget, even in a wide typeface.
      const outside = await host.locator('param-ledger').evaluateAll(
        (widgets) =>
          widgets.flatMap(({ shadowRoot }) => {
            const edge = shadowRoot?.querySelector('.compact')?.getBoundingClientRect().right ?? 0;
            return [...(shadowRoot?.querySelectorAll('.account td') ?? [])].filter((cell) => cell.getBoundingClientRect().right > edge - 8);
          }).length,
      );
      assert.equal(outside, 0, 'cells beyond the edge');
      assert.deepEqual(requests.sort(), ['count.wasm', 'notebook.css', 'notebook.html', 'notebook.js', 'widget.js']);
      assert.equal(ink, dark ? 'rgb(228, 235, 231)' : 'rgb(23, 32, 29)');
      assert.deepEqual(await inaccessible(host), []);
    },
    { places: ['hosted'], dark, viewport: { width: 320, height: 700 } },
  );
}
