// Tests loading a config.json from the Hub. For each model the page must send one request, and only when the user asks for it. The test
// answers in place of the Hub.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { becomes, counts, eventually, paste, picker, reads, ready, total } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const hub = /^https:\/\/huggingface\.co\//;
const id = 'some-lab/their-model';
const address = `https://huggingface.co/${id}/resolve/main/config.json`;
const config = { model_type: 'llama', architectures: ['LlamaForCausalLM'], hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 4 };
const small = JSON.stringify({ ...config, intermediate_size: 128, vocab_size: 100 });

/** Answers requests to the Hub and records them. @param {Page} page @param {Partial<import('playwright-core').Response> & any} answer */
async function answering(page, answer) {
  /** @type {import('playwright-core').Request[]} */
  const asked = [];
  await page.route(hub, async (route) => {
    asked.push(route.request());
    if (answer === 'abort') return route.abort('failed');
    if (answer === 'never') return;
    await route.fulfill({
      ...answer,
      headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'X-Error-Code', ...answer.headers },
    });
  });
  return asked;
}

const banner = (/** @type {Page} */ page) => page.locator('.hub');
const said = (/** @type {Page} */ page) => banner(page).locator('[role=status]').innerText();
const load = (/** @type {Page} */ page) => page.getByRole('button', { name: 'Load config.json from huggingface.co' });

everywhere(
  'a pasted address is offered, loaded on a click with one plain request, and counted',
  async ({ page, open }) => {
    const asked = await answering(page, { body: small, contentType: 'text/plain' });
    await open();
    await ready(page);
    await paste(page, `https://huggingface.co/${id}/tree/main`);
    await reads(() => said(page), /some-lab\/their-model is not in the catalogue/);
    assert.equal(await total(page), '8,030,261,248', 'nothing was opened');
    assert.equal(asked.length, 0, 'nothing was asked');
    await load(page).click();
    await counts(page, '95,040');
    assert.deepEqual(
      asked.map((request) => [request.method(), request.url()]),
      [['GET', address]],
    );
    const headers = await asked[0].allHeaders();
    assert.equal(headers.cookie, undefined);
    assert.equal(headers.authorization, undefined);
    assert.equal(headers.referer, undefined);
    assert.equal(await page.locator('.title h2').innerText(), id);
    assert.match(await page.locator('.owner').innerText(), /config\.json from huggingface\.co/);
    assert.equal(await banner(page).count(), 0);
  },
  { places: ['hosted'], asks: hub },
);

everywhere(
  'a typed id is the last choice, and loads when chosen; known models are never requested',
  async ({ page, open }) => {
    const asked = await answering(page, { body: small });
    await open();
    await ready(page);
    await picker(page).click();
    await picker(page).fill('meta-llama/Llama-3.1-8B');
    await eventually(async () => (await page.getByRole('option').count()) > 0, 'choices');
    assert.equal(await page.getByRole('option', { name: /huggingface\.co/ }).count(), 0);
    await picker(page).fill(id);
    await page.getByRole('option', { name: `Load config.json of ${id} from huggingface.co` }).waitFor();
    assert.equal(asked.length, 0);
    await picker(page).press('Enter');
    await counts(page, '95,040');
    assert.equal(asked.length, 1);
  },
  { places: ['hosted'], asks: hub },
);

everywhere(
  'in a comparison it replaces the model of its list, or is added; not if that model was removed',
  async ({ page, open }) => {
    const asked = await answering(page, { body: small });
    const totals = async () => (await page.locator('.contender-total strong').allInnerTexts()).join();
    const wish = async (/** @type {string} */ label) => {
      const list = page.getByRole('combobox', { name: label });
      await list.click();
      await list.fill(id);
      await page.getByRole('option', { name: `Load config.json of ${id} from huggingface.co` }).click();
    };
    await open('#compare;t=gpt2;t=llama');
    await ready(page);
    await page.locator('.contender').first().waitFor();
    await becomes(totals, '124,439,808,6,738,415,616');
    await wish('Another model instead of gpt2');
    await becomes(totals, '95,040,6,738,415,616');
    await wish('Add a model');
    await becomes(totals, '95,040,6,738,415,616,95,040');
    assert.equal(asked.length, 2);
    await page.unroute(hub);
    await answering(page, 'never');
    await wish(`Another model instead of ${id} (2)`);
    await reads(() => said(page), /loading config\.json/);
    await page.getByRole('button', { name: `Remove ${id} (2) from the comparison` }).click();
    await becomes(totals, '95,040,6,738,415,616');
    await becomes(() => banner(page).count(), 0);
  },
  { places: ['hosted'], asks: hub },
);

/** @type {[string, any, RegExp][]} */
const refusals = [
  ['gated', { status: 401, headers: { 'x-error-code': 'GatedRepo' }, body: 'Access restricted' }, /is gated/],
  ['missing', { status: 401, headers: { 'x-error-code': 'RepoNotFound' } }, /has no public model/],
  ['hidden', { status: 403 }, /gated, private, or does not exist/],
  ['without a config', { status: 404, headers: { 'x-error-code': 'EntryNotFound' } }, /has no config\.json/],
  ['troubled', { status: 503 }, /HTTP 503/],
  ['unreachable', 'abort', /could not be reached/],
  ['a web page', { body: '<!doctype html><title>x</title>' }, /does not describe a model/],
  ['too large', { body: `{"x": "${'x'.repeat(1_000_001)}"}` }, /no config\.json is that large/],
];
for (const [what, answer, message] of refusals) {
  everywhere(
    `a failed request is reported: ${what}`,
    async ({ page, open }) => {
      const asked = await answering(page, answer);
      await open();
      await ready(page);
      await paste(page, id);
      await load(page).click();
      await reads(() => said(page), message);
      assert.equal(await total(page), '8,030,261,248');
      assert.equal(asked.length, 1);
      assert.ok(await page.getByRole('button', { name: 'Try again' }).isVisible());
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      assert.equal(await banner(page).count(), 0);
    },
    { places: ['hosted'], asks: hub, faults: /(console|thrown): .*(Failed to load resource|Cross-Origin|CORS)/ },
  );
}

everywhere(
  'loading can be cancelled, and a model chosen meanwhile stays',
  async ({ page, open }) => {
    await answering(page, 'never');
    await open();
    await ready(page);
    await paste(page, id);
    await load(page).click();
    await reads(() => said(page), /loading config\.json/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await reads(() => said(page), /Cancelled/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await reads(() => said(page), /loading config\.json/);
    await paste(page, small);
    await counts(page, '95,040');
    await becomes(() => banner(page).count(), 0);
  },
  { places: ['hosted'], asks: hub },
);

everywhere(
  'no other host can be reached: the policy allows only the Hub',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const tried = await page.evaluate(() =>
      fetch('https://example.org/').then(
        () => 'asked',
        () => 'refused',
      ),
    );
    assert.equal(tried, 'refused');
    const policy = (await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content')) ?? '';
    assert.match(policy, /connect-src 'self' https:\/\/huggingface\.co https:\/\/\*\.hf\.co;/);
  },
  { places: ['hosted'], faults: /connect-src|example\.org/ },
);

everywhere(
  'the one file makes no request: it explains how to fetch by hand, and contains no request code',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await paste(page, `https://huggingface.co/${id}`);
    await reads(() => banner(page).innerText(), /this file makes no requests/);
    assert.equal(await page.getByRole('link', { name: address }).getAttribute('href'), address);
    assert.equal(await load(page).count(), 0);
    const code = await page.evaluate(() => [...document.scripts].map(({ textContent }) => textContent).join(''));
    assert.ok(!code.includes('x-error-code') && !/credentials: *"omit"/.test(code));
  },
  { places: ['file'] },
);
