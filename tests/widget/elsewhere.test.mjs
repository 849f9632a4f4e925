// Tests the widget on other sites and in a frame, and the embed code that the page generates for blog posts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { address, serve } from '../../web/build/serve.mjs';
import { everywhere, inaccessible } from '../page/browsers.mjs';
import { becomes, eventually, reads } from '../page/page.mjs';
import { dist, number, page, place, requestsOf } from './host-page.mjs';

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
    await host.goto(`${place}elsewhere.html`);
    await becomes(number(host), '124,439,808');
    await becomes(number(host, 1), '20,914,757,184');
    assert.match(policy, /connect-src http:\/\/localhost:\d+/);
  },
  { places: ['hosted'] },
);

everywhere(
  'a sandboxed frame is as high as its contents, makes no request, and is interactive',
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
    // axe cannot access a sandboxed frame in Firefox.
    if (name === 'chromium') assert.deepEqual(await inaccessible(host), []);
  },
  // To block service workers, Playwright would run a script inside the frame, which the frame's sandbox does not allow.
  { places: ['hosted'], viewport: { width: 900, height: 800 }, serviceWorkers: 'allow' },
);

everywhere(
  'the page writes code for a post, and its static forms agree with the live ones',
  async ({ page: host, url }) => {
    await host.goto(`${url}#embed;m=meta-llama/Llama-3.1-8B`);
    const snippet = host.locator('.snippet');
    const form = (/** @type {string} */ name) => host.getByRole('radio', { name, exact: true }).check({ force: true });
    await reads(() => snippet.innerText(), /<param-ledger model="meta-llama\/Llama-3\.1-8B" view="total parts"/);
    await host.getByRole('checkbox', { name: 'the formula' }).check();
    await host.getByRole('checkbox', { name: 'num_hidden_layers' }).check();
    await host.getByLabel('Maximum of num_hidden_layers').fill('80');
    await host.getByLabel('Maximum of num_hidden_layers').blur();
    await reads(() => snippet.innerText(), /view="total parts formula" editable="num_hidden_layers:1-80"/);
    assert.deepEqual(await inaccessible(host), []);

    /** @type {Record<string, string>} */
    const texts = {};
    for (const name of ['Markdown', 'HTML', 'SVG', 'Frame', 'Widget']) {
      await form(name);
      await eventually(async () => !Object.values(texts).includes(await snippet.innerText()), name);
      texts[name] = await snippet.innerText();
    }
    // The example file must contain this Markdown, apart from the host's address.
    const example = readFileSync(join(dist, 'examples/post.md'), 'utf8').replaceAll('https://YOUR-HOST/', url);
    assert.ok(example.includes(texts.Markdown.trim()), texts.Markdown);
    const live = texts.Widget.replaceAll(`${url}package/`, 'package/');
    page('embedded.html', live.replace(/<script.*/, ''));
    await host.goto(`${place}embedded.html`);
    await becomes(number(host), '8,030,261,248');
    const numbers = [...(await host.locator('param-ledger .compact').innerText()).matchAll(/\d[\d,.]*\d%?|\b\d+%?/g)].map(
      ([found]) => found,
    );
    assert.ok(numbers.length > 20, String(numbers.length));
    for (const name of ['Markdown', 'HTML', 'SVG']) {
      for (const found of numbers) assert.ok(texts[name].includes(found), `${found} in ${name}`);
    }
    // The frame must show the widget's grouped numbers as well. Its file is next to the page.
    const address2 = /src="([^"]*)"/.exec(texts.Frame)?.[1].replaceAll('&amp;', '&') ?? '';
    assert.ok(address2.startsWith(`${url}param-ledger.html#view=total+parts+formula&editable=num_hidden_layers:1-80;m=`), address2);
    await host.goto(address2);
    const framed = await host.locator('.compact').innerText();
    for (const found of numbers.filter((one) => one.includes(','))) assert.ok(framed.includes(found), `${found} in the frame`);
  },
  { places: ['hosted'], viewport: { width: 1300, height: 900 } },
);
