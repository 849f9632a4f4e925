// The widget in a post: quiet on the page that it stands on, and right.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { address, serve } from '../../web/serve.mjs';
import { everywhere, inaccessible } from '../page/browsers.mjs';
import { becomes, eventually, reads } from '../page/page.mjs';
import { temporaryFolder } from '../folder.mjs';

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const folder = temporaryFolder();
symlinkSync(join(dist, 'package'), join(folder, 'package'), 'dir');
const server = (await serve(0, folder)).unref();

/** @param {string} name @param {string} body @param {string} [head] */
const page = (name, body, head = '<script type="module" src="package/widget.js"></script>') =>
  writeFileSync(
    join(folder, name),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">${head}</head><body><main><h1>Host</h1>${body}</main></body></html>`,
  );

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../../web/widget/element.ts').ParamLedgerElement} Widget */

/** What a page asks for, by the last part of its address. @param {Page} browserPage */
function requestsOf(browserPage) {
  /** @type {string[]} */
  const names = [];
  browserPage.on(
    'request',
    (request) =>
      /^https?:/.test(request.url()) &&
      names.push(
        request
          .url()
          .replace(/.*\//, '')
          .replace(/[?#].*/, ''),
      ),
  );
  return names;
}

const number =
  (/** @type {Page} */ host, nth = 0) =>
  () =>
    host.locator('param-ledger .number').nth(nth).innerText();

everywhere(
  'a post with three widgets: one script, one core, one list of models; the page keeps what is its own and does not move',
  async ({ page: host, url, name }) => {
    const requests = requestsOf(host);
    await host.addInitScript(() => {
      const before = new Set(Object.getOwnPropertyNames(globalThis));
      Object.defineProperty(document, 'added', { get: () => Object.getOwnPropertyNames(globalThis).filter((own) => !before.has(own)) });
      Object.assign(document, { moved: 0 });
      if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) /** @type {any} */ (document).moved += /** @type {any} */ (entry).value;
        }).observe({ type: 'layout-shift', buffered: true });
      }
    });
    await host.goto(`${url}examples/post.html`);
    await becomes(number(host), '8,030,261,248');
    const last = host.locator('param-ledger').last();
    await last.scrollIntoViewIfNeeded();
    await becomes(number(host, 1), '54,927,872');
    await reads(() => host.locator('param-ledger .side-by-side').innerText(), /1,577,058,304/);
    assert.deepEqual(requests.sort(), ['count.wasm', 'models.json', 'post.css', 'post.html', 'widget.js']);
    const { added, moved } = await host.evaluate(() => ({
      added: /** @type {any} */ (document).added,
      moved: /** @type {any} */ (document).moved,
    }));
    assert.deepEqual(added.filter((/** @type {string} */ own) => !/^\d+$|^__playwright|^__pw/.test(own)), [], 'nothing is global'); // prettier-ignore
    if (name === 'chromium') assert.ok(moved < 0.01, `moved by ${moved}`);

    // The host's style sheet takes hold of every element that it can name.
    const styles = await host.evaluate(() => {
      const inside = /** @type {ShadowRoot} */ (document.querySelector('param-ledger')?.shadowRoot);
      const of = (/** @type {Element | null} */ element) => {
        const { color, backgroundColor, textTransform, letterSpacing, borderTopStyle } = getComputedStyle(/** @type {Element} */ (element));
        return { color, backgroundColor, textTransform, letterSpacing, borderTopStyle };
      };
      return {
        number: of(inside.querySelector('.number')),
        cell: of(inside.querySelector('td')),
        paragraph: of(document.querySelector('main > p')),
      };
    });
    for (const { color, backgroundColor, textTransform, letterSpacing, borderTopStyle } of [styles.number, styles.cell]) {
      assert.notEqual(color, 'rgb(220, 20, 60)');
      assert.deepEqual(
        [backgroundColor, textTransform, letterSpacing, borderTopStyle],
        ['rgba(0, 0, 0, 0)', 'none', letterSpacing, 'none'],
      );
    }
    assert.match(styles.number.letterSpacing, /^-/);
    assert.equal(styles.paragraph.backgroundColor, 'rgba(0, 0, 0, 0)');
    assert.deepEqual(await inaccessible(host), []);
  },
  { places: ['hosted'], viewport: { width: 1000, height: 800 } },
);

/** The heights that the package's own documentation gives, in the order of its columns. @type {Record<string, number[]>} */
const documented = Object.fromEntries(
  [...readFileSync(join(dist, 'package/README.md'), 'utf8').matchAll(/^\| `?([\w ]+?)`?(?: \(.*?\))? \|((?: \d+ \|){4})$/gm)].map(
    ([, name, heights]) => [name, heights.split('|').flatMap((height) => (height.trim() ? [Number(height)] : []))],
  ),
);

for (const [column, width] of [1000, 600, 460, 320].entries()) {
  everywhere(
    `${width} px wide nothing moves: with the documented room before the script is there, and by itself from then on`,
    async ({ page: host, name }) => {
      const views = ['total', 'parts', 'compare', 'formula', 'derivation', 'table', 'total parts'];
      const room = (/** @type {string} */ view) =>
        ['the frame of all', ...view.split(' ')].reduce((sum, part) => sum + documented[part][column], 0);
      writeFileSync(
        join(folder, `room-${width}.css`),
        [
          'body { margin: 0 } param-ledger { display: block }',
          ...views.map((view, i) => `#view-${i} { min-height: ${room(view)}px }`),
        ].join('\n'),
      );
      // Of each view one with the rule and one without; after each a line of text, whose place is looked at.
      const two = (/** @type {string} */ view) => `meta-llama/Llama-3.1-8B${view === 'compare' ? ' meta-llama/Llama-2-7b-hf' : ''}`;
      const widgets = views.map(
        (view, i) =>
          `<param-ledger id="view-${i}" model="${two(view)}" view="${view}">8B</param-ledger><p>${view}</p><param-ledger model="${two(view)}" view="${view}">8B</param-ledger><p>${view}</p>`,
      );
      page(
        `room-${width}.html`,
        widgets.join(''),
        `<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="room-${width}.css"><script type="module" src="package/widget.js"></script>`,
      );
      /** @type {(() => void)[]} */
      const holds = [];
      /** Holds a file back until it is let go. @param {string} file */
      const held = async (file) => {
        const free = new Promise((resolve) => void holds.push(() => resolve(undefined)));
        await host.route(`**/package/${file}`, async (route) => (await free, route.continue()));
      };
      await held('widget.js');
      await held('count.wasm');
      const heights = () =>
        host.evaluate(() => [...document.querySelectorAll('param-ledger')].map((widget) => widget.getBoundingClientRect().height));
      await host.goto(`${address(server)}room-${width}.html`, { waitUntil: 'commit' });
      await eventually(async () => (await host.locator('p').count()) === 2 * views.length, 'the text');
      await eventually(() => host.evaluate(() => document.styleSheets.length === 1), 'the style sheet');
      const before = await heights();
      holds[0]();
      await eventually(() => host.evaluate(() => [...document.querySelectorAll('param-ledger')].every(({ shadowRoot }) => shadowRoot)), 'the script'); // prettier-ignore
      const defined = await heights();
      holds[1]();
      await eventually(async () => {
        const widgets = host.locator('param-ledger');
        for (let i = 0; i < 2 * views.length; i++) await widgets.nth(i).scrollIntoViewIfNeeded();
        return (await host.locator('param-ledger .compact').count()) === 2 * views.length;
      }, 'the answers');
      const after = await heights();
      for (const [i, view] of views.entries()) {
        assert.ok(before[2 * i] > 100, `${view} has room before`);
        assert.equal(defined[2 * i], before[2 * i], `${view} when the script comes`);
        assert.equal(defined[2 * i + 1], defined[2 * i], `${view} has the same room by itself`);
        for (const at of [2 * i, 2 * i + 1])
          assert.ok(Math.abs(after[at] - defined[at]) < 1, `${view}, ${defined[at]} px, has ${after[at]} when it has counted, in ${name}`);
      }
      const [all, seen] = await host.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(all <= seen, `${all} px wide`);
    },
    { places: ['hosted'], viewport: { width, height: 800 } },
  );
}

/** As it is printed: Firefox cannot be told so, but its rules can. @param {Page} host */
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
  'printed it has no room to spare, nothing to press and the whole table',
  async ({ page: host }) => {
    page(
      'print.html',
      '<param-ledger model="meta-llama/Llama-3.1-8B" view="total parts table" editable="num_hidden_layers:1-80" page="https://example.org/" theme="dark">8B</param-ledger>',
    );
    await host.goto(`${address(server)}print.html`);
    await becomes(number(host), '8,030,261,248');
    const widget = host.locator('param-ledger');
    const box = widget.locator('.table-box');
    const height = () => widget.evaluate((element) => element.getBoundingClientRect().height);
    await box.locator('button').first().click(); // the layers, so that the table is longer than its box
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

everywhere(
  'forced colours keep its parts apart',
  async ({ page: host }) => {
    page('forced.html', '<param-ledger model="meta-llama/Llama-3.1-8B" view="total parts">8B</param-ledger>');
    await host.goto(`${address(server)}forced.html`);
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

everywhere(
  'fields are changed within their bounds, by typing and sliding, and the page hears of it',
  async ({ page: host }) => {
    page(
      'editable.html',
      '<param-ledger model="meta-llama/Llama-3.1-8B" editable="num_hidden_layers:1-80 tie_word_embeddings" page="https://example.org/">8B</param-ledger>',
      '<script type="module" src="package/widget.js"></script><script type="module" src="listen.js"></script>',
    );
    writeFileSync(
      join(folder, 'listen.js'),
      "document.heard = []; for (const name of ['ledger-answer', 'ledger-error']) addEventListener(name, ({ detail }) => document.heard.push(detail.answer?.totals.parameters ?? detail.message));",
    );
    await host.goto(`${address(server)}editable.html`);
    await becomes(number(host), '8,030,261,248');
    const field = host.locator('param-ledger [data-field=num_hidden_layers]');
    await field.locator('.number-input').fill('16');
    await becomes(number(host), '4,540,469,248');
    await field.locator('.number-input').fill('0');
    await reads(() => field.locator('.error').innerText(), /from 1 to 80/);
    assert.equal(await number(host)(), '4,540,469,248');
    await field.locator('[type=range]').evaluate((/** @type {HTMLInputElement} */ slider) => {
      slider.value = '80';
      slider.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    });
    await becomes(number(host), '18,499,637,248');
    await host.locator('param-ledger [data-field=tie_word_embeddings] input').check();
    await becomes(number(host), '17,974,300,672');
    const heard = await host.evaluate(() => /** @type {any} */ (document).heard);
    assert.deepEqual([heard[0], heard.at(-1)], ['8030261248', '17974300672']);
    await eventually(
      async () =>
        (await host.locator('param-ledger .home a').getAttribute('href')) ===
        'https://example.org/#m=meta-llama/Llama-3.1-8B&num_hidden_layers=80&tie_word_embeddings=true',
      'the way to the whole page',
    );
    const answer = await host.evaluate(() => /** @type {Widget} */ (document.querySelector('param-ledger')).answer);
    assert.ok(answer?.ok && answer.totals.parameters === '17974300672');
    assert.deepEqual(await inaccessible(host), []);
  },
  { places: ['hosted'] },
);

everywhere(
  'attributes and properties, before it is defined and after; twice defined is once; moved it stays',
  async ({ page: host }) => {
    copyFileSync(join(dist, 'package/widget.js'), join(folder, 'again.js'));
    page(
      'properties.html',
      '<param-ledger></param-ledger><section></section>',
      '<script src="before.js" defer></script><script type="module" src="package/widget.js"></script><script type="module" src="package/../package/widget.js?other"></script>',
    );
    writeFileSync(join(folder, 'before.js'), "document.querySelector('param-ledger').config = { model_type: 'gpt2' };");
    const requests = requestsOf(host);
    await host.goto(`${address(server)}properties.html`);
    await becomes(number(host), '124,439,808');
    assert.equal(requests.filter((one) => one === 'count.wasm').length, 1);
    assert.equal(requests.includes('models.json'), false, 'no model is named');
    const change = (/** @type {(widget: Widget) => void} */ how) =>
      host.evaluate((text) => new Function('widget', `(${text})(widget)`)(document.querySelector('param-ledger')), String(how)); // eslint-disable-line no-new-func
    await change((widget) => (widget.config = '{"model_type": "gpt2", "n_layer": 13}'));
    await becomes(number(host), '131,527,680');
    await change((widget) => ((widget.config = null), (widget.model = 'gpt2&n_layer=11')));
    await becomes(number(host), '117,351,936');
    await change((widget) => (widget.view = 'total formula'));
    await eventually(async () => (await host.locator('param-ledger [role=math]').count()) === 1, 'the formula');
    assert.equal(await host.locator('param-ledger .icicle').count(), 0);
    await change((widget) => document.querySelector('section')?.append(widget));
    await becomes(number(host), '117,351,936');
    await change((widget) => (widget.theme = 'dark'));
    const ink = () => host.locator('param-ledger .number').evaluate((element) => getComputedStyle(element).color);
    await becomes(ink, 'rgb(228, 235, 231)');
    await change((widget) => (widget.theme = 'light'));
    await becomes(ink, 'rgb(23, 32, 29)');
  },
  { places: ['hosted'] },
);

everywhere(
  'where it cannot count, what is inside it is shown, and one line says why; the page hears of it wherever the widget stands',
  async ({ page: host }) => {
    await host.addInitScript(() => {
      /** @type {object[]} */
      const heard = [];
      Object.assign(document, { heard });
      document.addEventListener('ledger-error', ({ detail, composed }) => heard.push({ ...detail, composed }));
      document.addEventListener('ledger-answer', ({ detail, composed }) =>
        heard.push({ total: detail.answer.totals.parameters, composed }),
      );
    });
    const heard = () => host.evaluate(() => /** @type {any} */ (document).heard);
    const fallback = '<p>Eight billion, as I said.</p>';
    const policy = (/** @type {string} */ script) => `<meta http-equiv="Content-Security-Policy" content="script-src ${script}">`;
    page('unknown.html', `<param-ledger model="nobody/nothing">${fallback}</param-ledger>`);
    page('refused.html', `<param-ledger config='{"model_type": "lama"}'>${fallback}</param-ledger>`);
    page('empty.html', `<param-ledger>${fallback}</param-ledger>`);
    page(
      'no-wasm.html',
      `<param-ledger model="gpt2">${fallback}</param-ledger>`,
      `${policy("'self'")}<script type="module" src="package/widget.js"></script>`,
    );
    page(
      'no-script.html',
      `<param-ledger model="gpt2">${fallback}</param-ledger>`,
      `${policy("'none'")}<script type="module" src="package/widget.js"></script>`,
    );
    for (const [name, reason, code, field] of /** @type {const} */ ([
      ['unknown', /nobody\/nothing/, 'unknown_model', ''],
      ['refused', /lama/, 'unknown_architecture', 'model_type'],
      ['empty', /no model here/, 'unknown_model', ''],
      ['no-wasm', /./, 'not_loaded', ''],
      ['no-script', undefined],
    ])) {
      await host.goto(`${address(server)}${name}.html`);
      if (reason) {
        await reads(() => host.locator('param-ledger .why').innerText(), reason);
        const [{ message, ...detail }, ...others] = await heard();
        assert.match(message, reason);
        assert.deepEqual([detail, ...others], [{ code, field, composed: true }], name);
      }
      assert.ok(await host.locator('param-ledger p').first().isVisible(), name);
      assert.equal(await host.locator('param-ledger .compact').count(), 0);
    }
    // In a shadow root of the page's own, too.
    page('inside.html', '<div id="other"></div>');
    await host.goto(`${address(server)}inside.html`);
    await host.evaluate(() => {
      const root = document.querySelector('#other')?.attachShadow({ mode: 'open' });
      for (const model of ['nobody/nothing', 'gpt2']) root?.append(Object.assign(document.createElement('param-ledger'), { model }));
    });
    await eventually(async () => (await heard()).length === 2, 'both');
    const both = (await heard()).map((/** @type {any} */ { code, total, composed }) => [code ?? total, composed]);
    assert.deepEqual(both.sort(), [['124439808', true], ['unknown_model', true]]); // prettier-ignore
  },
  { places: ['hosted'], faults: /wasm|WebAssembly|script-src|Content.Security|securitypolicyviolation/i },
);

everywhere(
  'its colours follow the page around it and the system, whatever changes them, also while it is hidden or elsewhere',
  async ({ page: host, name }) => {
    page(
      'scheme.html',
      '<style>.night { color-scheme: dark } .both { color-scheme: light dark }</style><param-ledger model="gpt2"></param-ledger>',
    );
    await host.goto(`${address(server)}scheme.html`);
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
      // The other browser does not follow Playwright here.
      await host.emulateMedia({ colorScheme: 'dark' });
      await becomes(ink, dark);
      await host.emulateMedia({ colorScheme: 'light' });
      await becomes(ink, light);
    }
  },
  { places: ['hosted'] },
);

everywhere(
  'five on a page move nothing, while they come and where one cannot count',
  async ({ page: host, name }) => {
    const models = [
      'meta-llama/Llama-3.2-1B',
      'meta-llama/Llama-3.1-8B',
      'meta-llama/Llama-2-7b-hf',
      'nobody/nothing',
      'meta-llama/Llama-3.1-405B',
    ];
    const [total, parts] = [documented.total[0], documented.parts[0]];
    const style = `<style>param-ledger { display: flow-root; min-height: ${documented['the frame of all'][0] + total + parts}px }</style>`;
    page(
      'five.html',
      style + models.map((model) => `<param-ledger model="${model}"><p>Many.</p></param-ledger><p>After ${model}.</p>`).join(''),
    );
    await host.addInitScript(() => {
      Object.assign(document, { moved: 0 });
      if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) /** @type {any} */ (document).moved += /** @type {any} */ (entry).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await host.goto(`${address(server)}five.html`);
    await eventually(async () => (await host.locator('param-ledger .number').count()) === 4, 'four numbers');
    await becomes(() => host.locator('param-ledger .why').count(), 1);
    assert.equal(await host.evaluate(() => /** @type {any} */ (document).moved), 0);
    if (name === 'chromium') assert.ok(await host.evaluate(() => PerformanceObserver.supportedEntryTypes.includes('layout-shift')));
  },
  { places: ['hosted'], viewport: { width: 1000, height: 4000 } },
);

everywhere(
  'on a page of another host it needs what the documentation says, and no more',
  async ({ page: host }) => {
    const readme = readFileSync(join(dist, 'package/README.md'), 'utf8');
    const said = /Content-Security-Policy` needs `([^`]*)`/.exec(readme.replaceAll(/\s+/g, ' '))?.[1] ?? '';
    const other = (await serve(0, dist)).unref();
    const policy = `default-src 'none'; img-src data:; ${said.replaceAll('YOUR-HOST', new URL(address(other)).origin)}; require-trusted-types-for 'script'`;
    page(
      'elsewhere.html',
      '<param-ledger model="gpt2">Many.</param-ledger><param-ledger model="openai/gpt-oss-20b" view="total formula">Many.</param-ledger>',
      `<meta http-equiv="Content-Security-Policy" content="${policy}"><script type="module" src="${address(other)}package/widget.js"></script>`,
    );
    await host.goto(`${address(server)}elsewhere.html`);
    await becomes(number(host), '124,439,808');
    await becomes(number(host, 1), '20,914,757,184');
    assert.match(policy, /connect-src http:\/\/localhost:\d+/);
  },
  { places: ['hosted'] },
);

for (const dark of [false, true]) {
  everywhere(
    `a notebook ${dark ? 'in the dark ' : ''}on a phone: as wide as it, in the colours that the page declares`,
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
      // Nothing of an account leaves its widget, in a typeface as wide as this.
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

everywhere(
  'a frame in a sandbox is as high as what it shows, asks for nothing, and may be worked in',
  async ({ page: host, url, name }) => {
    const requests = requestsOf(host);
    await host.goto(`${url}examples/frame.html`);
    const frame = host.frameLocator('iframe');
    await becomes(() => frame.locator('.number').innerText(), '671,026,404,352');
    await eventually(async () => {
      const height = Number(await host.locator('iframe').getAttribute('height'));
      const inside = await frame.locator('.compact').evaluate((element) => element.getBoundingClientRect().height);
      return height !== 900 && Math.abs(height - inside) <= 2;
    }, 'the height of what is in it');
    await frame.locator('[data-field=num_hidden_layers] .number-input').fill('60');
    await eventually(async () => (await frame.locator('.number').innerText()) !== '671,026,404,352', 'another number');
    assert.deepEqual(requests.sort(), ['frame.css', 'frame.html', 'frame.js', 'param-ledger.html']);
    // In Firefox axe cannot talk to what is in a sandbox.
    if (name === 'chromium') assert.deepEqual(await inaccessible(host), []);
  },
  { places: ['hosted'], viewport: { width: 900, height: 800 } },
);

everywhere(
  'the page builds what is taken into a post, and its static forms say what the live ones show',
  async ({ page: host, url }) => {
    await host.goto(`${url}#embed;m=meta-llama/Llama-3.1-8B`);
    const snippet = host.locator('.snippet');
    const form = (/** @type {string} */ name) => host.getByRole('radio', { name, exact: true }).check({ force: true });
    await reads(() => snippet.innerText(), /<param-ledger model="meta-llama\/Llama-3\.1-8B" view="total parts"/);
    await host.getByRole('checkbox', { name: 'the formula' }).check();
    await host.getByRole('checkbox', { name: 'num_hidden_layers' }).check();
    await host.getByLabel('Most num_hidden_layers').fill('80');
    await host.getByLabel('Most num_hidden_layers').blur();
    await reads(() => snippet.innerText(), /view="total parts formula" editable="num_hidden_layers:1-80"/);
    assert.deepEqual(await inaccessible(host), []);

    /** @type {Record<string, string>} */
    const texts = {};
    for (const name of ['Markdown', 'HTML', 'SVG', 'Frame', 'Widget']) {
      await form(name);
      await eventually(async () => !Object.values(texts).includes(await snippet.innerText()), name);
      texts[name] = await snippet.innerText();
    }
    // The example in Markdown is this form of it; its place is nobody's.
    const example = readFileSync(join(dist, 'examples/post.md'), 'utf8').replaceAll('https://YOUR-HOST/', url);
    assert.ok(example.includes(texts.Markdown.trim()), texts.Markdown);
    const live = texts.Widget.replaceAll(`${url}package/`, 'package/');
    page('embedded.html', live.replace(/<script.*/, ''));
    await host.goto(`${address(server)}embedded.html`);
    await becomes(number(host), '8,030,261,248');
    const numbers = [...(await host.locator('param-ledger .compact').innerText()).matchAll(/\d[\d,.]*\d%?|\b\d+%?/g)].map(
      ([found]) => found,
    );
    assert.ok(numbers.length > 20, String(numbers.length));
    for (const name of ['Markdown', 'HTML', 'SVG']) {
      for (const found of numbers) assert.ok(texts[name].includes(found), `${found} in ${name}`);
    }
    // In a frame the same; its file stands beside the page.
    const address2 = /src="([^"]*)"/.exec(texts.Frame)?.[1].replaceAll('&amp;', '&') ?? '';
    assert.ok(address2.startsWith(`${url}param-ledger.html#view=total+parts+formula&editable=num_hidden_layers:1-80;m=`), address2);
    await host.goto(address2);
    const framed = await host.locator('.compact').innerText();
    for (const found of numbers.filter((one) => one.includes(','))) assert.ok(framed.includes(found), `${found} in the frame`);
  },
  { places: ['hosted'], viewport: { width: 1300, height: 900 } },
);

everywhere(
  'a number that asks to look again at its configuration says so',
  async ({ page: host }) => {
    const config = JSON.stringify({ model_type: 'llama', hidden_sise: 64 });
    page('doubtful.html', `<param-ledger config='${config}'></param-ledger><param-ledger model="gpt2"></param-ledger>`);
    await host.goto(`${address(server)}doubtful.html`);
    await reads(() => host.locator('param-ledger').first().locator('.notes').innerText(), /^hidden_sise is no field of this model type/);
    await becomes(number(host, 1), '124,439,808');
    assert.equal(await host.locator('param-ledger').last().locator('.notes').count(), 0);
  },
  { places: ['hosted'] },
);

test('the manifest names what the element has', async () => {
  const [{ declarations }] = JSON.parse(readFileSync(join(dist, 'package/custom-elements.json'), 'utf8')).modules;
  const [{ attributes, members, cssParts, cssProperties, events }] = declarations;
  const source = (/** @type {string} */ name) => readFileSync(fileURLToPath(new URL(`../../web/${name}`, import.meta.url)), 'utf8');
  const { ParamLedgerElement } = await import(join(dist, 'package/element.js'));
  const names = (/** @type {{ name: string }[]} */ list) => list.map(({ name }) => name).sort();
  assert.deepEqual(names(attributes), [...ParamLedgerElement.observedAttributes].sort());
  const own = Object.entries(Object.getOwnPropertyDescriptors(ParamLedgerElement.prototype));
  assert.deepEqual(names(members), own.flatMap(([name, { get }]) => (get ? [name] : [])).sort()); // prettier-ignore
  const drawn = source('views/compact-view.tsx') + source('parts/derived-compact.tsx') + source('widget/shown.ts');
  for (const part of names(cssParts)) assert.match(drawn, new RegExp(`part(=|: )["']${part}["']`), part);
  for (const property of names(cssProperties))
    assert.ok((source('styles/tokens.css') + source('widget/style.css')).includes(property), property);
  for (const event of names(events)) assert.ok(drawn.includes(`'${event}'`), event);
});
