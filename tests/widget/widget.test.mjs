// Tests the widget in a post: it must show the right numbers and not affect the surrounding page.

import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { everywhere, inaccessible } from '../page/browsers.mjs';
import { becomes, eventually, reads } from '../page/page.mjs';
import { dist, folder, number, page, place, requestsOf, watchMoves } from './host-page.mjs';

/** @typedef {import('../../web/widget/element.ts').ParamLedgerElement} Widget */

everywhere(
  'a post with three widgets: one script, one core, one list of models; the page keeps its own styles and does not move',
  async ({ page: host, url, name }) => {
    const requests = requestsOf(host);
    await host.addInitScript(() => {
      const before = new Set(Object.getOwnPropertyNames(globalThis));
      Object.defineProperty(document, 'added', { get: () => Object.getOwnPropertyNames(globalThis).filter((own) => !before.has(own)) });
    });
    await watchMoves(host);
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

    // If the page's style sheet could reach into the widget, it would match every element there.
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

everywhere(
  'fields are changed within their bounds by typing and sliding, with events for the page',
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
    await host.goto(`${place}editable.html`);
    await becomes(number(host), '8,030,261,248');
    const field = host.locator('param-ledger [data-field=num_hidden_layers]');
    await field.locator('.number-input').fill('16');
    await becomes(number(host), '4,540,469,248');
    await field.locator('.number-input').fill('0');
    await reads(() => field.locator('.error').innerText(), /from 1 to 80/);
    assert.equal(await number(host)(), '4,540,469,248');
    await field.locator('.number-input').press('Tab');
    await reads(() => field.locator('.error').innerText(), /^$/);
    assert.equal(await field.locator('.number-input').inputValue(), '16');
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
  'attributes and properties work before and after it is defined; defining it twice is harmless; it can be moved',
  async ({ page: host }) => {
    copyFileSync(join(dist, 'package/widget.js'), join(folder, 'again.js'));
    page(
      'properties.html',
      '<param-ledger></param-ledger><section></section>',
      '<script src="before.js" defer></script><script type="module" src="package/widget.js"></script><script type="module" src="package/../package/widget.js?other"></script>',
    );
    writeFileSync(join(folder, 'before.js'), "document.querySelector('param-ledger').config = { model_type: 'gpt2' };");
    const requests = requestsOf(host);
    await host.goto(`${place}properties.html`);
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
    const home = host.locator('param-ledger .home a');
    await change((widget) => (widget.page = 'https://example.org/'));
    await becomes(() => home.count(), 1);
    await change((widget) => (widget.page = 'javascript:alert(1)'));
    await becomes(() => home.count(), 0);
    await change((widget) => (widget.theme = 'dark'));
    const ink = () => host.locator('param-ledger .number').evaluate((element) => getComputedStyle(element).color);
    await becomes(ink, 'rgb(228, 235, 231)');
    await change((widget) => (widget.theme = 'light'));
    await becomes(ink, 'rgb(23, 32, 29)');
    await change((widget) => {
      document.body.append(widget);
      document.body.lang = 'de';
      document.querySelector('section')?.append(widget);
    });
    await becomes(number(host), '117.351.936');
  },
  { places: ['hosted'] },
);

everywhere(
  'a type of a larger program is counted, and a later model is not replaced when it arrives',
  async ({ page: host }) => {
    page('late.html', '<param-ledger model="gpt2"></param-ledger>');
    /** @type {() => void} */
    let release = () => {};
    const released = new Promise((resolve) => (release = () => resolve(undefined)));
    await host.route(/published\.wasm/, async (route) => {
      await released;
      await route.continue();
    });
    await host.goto(`${place}late.html`);
    await becomes(number(host), '124,439,808');
    const show = (/** @type {object} */ properties) =>
      host.evaluate((all) => void Object.assign(/** @type {Widget} */ (document.querySelector('param-ledger')), all), properties);
    const [asked] = await Promise.all([host.waitForRequest(/published\.wasm/), show({ config: '{"model_type": "swin"}', model: '' })]);
    await show({ config: null, model: 'gpt2&n_layer=13' });
    await becomes(number(host), '131,527,680');
    release();
    await (await asked.response())?.finished();
    await host.waitForTimeout(500);
    assert.equal(await number(host)(), '131,527,680');
    await show({ config: '{"model_type": "swin"}', model: '' });
    await becomes(number(host), '27,519,354');
  },
  { places: ['hosted'] },
);

everywhere(
  'if it cannot count, its contents are shown with one line on the reason, and the page gets an event wherever the widget is',
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
      ['empty', /No model is given/, 'unknown_model', ''],
      ['no-wasm', /./, 'not_loaded', ''],
      ['no-script', undefined],
    ])) {
      await host.goto(`${place}${name}.html`);
      if (reason) {
        await reads(() => host.locator('param-ledger .why').innerText(), reason);
        const [{ message, ...detail }, ...others] = await heard();
        assert.match(message, reason);
        assert.deepEqual([detail, ...others], [{ code, field, composed: true }], name);
      }
      assert.ok(await host.locator('param-ledger p').first().isVisible(), name);
      assert.equal(await host.locator('param-ledger .compact').count(), 0);
    }
    // Events must also cross the boundary of a shadow root on the page.
    page('inside.html', '<div id="other"></div>');
    await host.goto(`${place}inside.html`);
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
  'if the program did not load, any change tries again',
  async ({ page: host }) => {
    const program = '**/package/count.wasm';
    await host.route(program, (route) => route.abort());
    page('again.html', '<param-ledger model="gpt2">124 million, as I said.</param-ledger>');
    await host.goto(`${place}again.html`);
    await reads(() => host.locator('param-ledger .why').innerText(), /./);
    await host.unroute(program);
    // This attribute does not affect the model.
    await host.locator('param-ledger').evaluate((widget) => widget.setAttribute('view', 'total'));
    await becomes(number(host), '124,439,808');
    assert.equal(await host.locator('param-ledger .why').count(), 0);
  },
  { places: ['hosted'], faults: /count\.wasm|fail|load/i },
);

everywhere(
  'a number with a warning shows it',
  async ({ page: host }) => {
    const config = JSON.stringify({ model_type: 'llama', hidden_sise: 64 });
    page('doubtful.html', `<param-ledger config='${config}'></param-ledger><param-ledger model="gpt2"></param-ledger>`);
    await host.goto(`${place}doubtful.html`);
    await reads(() => host.locator('param-ledger').first().locator('.notes').innerText(), /^hidden_sise is not a field of this model type/);
    await becomes(number(host, 1), '124,439,808');
    assert.equal(await host.locator('param-ledger').last().locator('.notes').count(), 0);
  },
  { places: ['hosted'] },
);

everywhere(
  'two widgets in two languages keep their own number formats, also when only one is redrawn',
  async ({ page: host }) => {
    const view = 'view="total table" editable="n_layer"';
    page(
      'languages.html',
      `<param-ledger lang="de" model="gpt2" ${view}></param-ledger><param-ledger lang="en" model="gpt2" ${view}></param-ledger>`,
    );
    await host.goto(`${place}languages.html`);
    await becomes(number(host, 0), '124.439.808');
    await becomes(number(host, 1), '124,439,808');
    const totals = (/** @type {number} */ i) => host.locator('param-ledger').nth(i).locator('tbody .total').allInnerTexts();
    const toggle = host.locator('param-ledger').first().locator('.open-all');
    const rows = (await totals(0)).length;
    await toggle.click();
    await eventually(async () => (await totals(0)).length !== rows, 'closed or opened');
    await toggle.click();
    await eventually(async () => (await totals(0)).length > 5, 'drawn again');
    for (const text of await totals(0)) assert.doesNotMatch(text, /,/);
    for (const text of await totals(1)) assert.doesNotMatch(text, /\./);
  },
  { places: ['hosted'] },
);

everywhere(
  'an object that JSON cannot hold is counted or refused, and a property without a value removes its attribute',
  async ({ page: host }) => {
    page('objects.html', '<param-ledger model="gpt2" theme="dark"></param-ledger>');
    await host.goto(`${place}objects.html`);
    await becomes(number(host), '124,439,808');
    const set = (/** @type {string} */ kind) =>
      host.locator('param-ledger').evaluate((element, wanted) => {
        const widget = /** @type {Widget} */ (element);
        /** @type {Record<string, unknown>} */
        const config = { model_type: 'gpt2', n_layer: 12n, attn_pdrop: Infinity };
        if (wanted === 'cycle') config.self = config;
        widget.model = '';
        widget.config = config;
      }, kind);
    await set('cycle');
    await reads(() => host.locator('param-ledger .why').innerText(), /self contains itself/);
    await set('big');
    await becomes(number(host), '124,439,808');
    const attributes = await host.locator('param-ledger').evaluate((element) => {
      const widget = /** @type {Widget} */ (element);
      widget.theme = null;
      widget.height = 300;
      return [widget.getAttribute('theme'), widget.getAttribute('height'), widget.height];
    });
    assert.deepEqual(attributes, [null, '300', '300']);
  },
  { places: ['hosted'] },
);
