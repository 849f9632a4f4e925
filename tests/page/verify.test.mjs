// Tests the comparison of the current model with its published files. The page must send no request before the user clicks. The test
// answers in place of the Hub.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { everywhere } from './browsers.mjs';
import { becomes, counts, paste, reads, ready } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const hub = /^https:\/\/(huggingface\.co|[\w.-]+\.hf\.co)\//;
const id = 'some-lab/their-model';
const files = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(new URL('../data/repository.json', import.meta.url), 'utf8'))).map(([name, text]) => [
    name,
    Buffer.from(String(text), 'base64'),
  ]),
);
const shards = Object.keys(files).filter((name) => name.endsWith('.safetensors'));

/**
 * Answers requests in place of the Hub and records them.
 * @param {Page} page @param {{ status?: number, code?: string, never?: boolean, without?: string, broken?: string }} [as]
 */
async function answering(page, { status, code = '', never = false, without = '', broken = '' } = {}) {
  /** @type {import('playwright-core').Request[]} */
  const asked = [];
  await page.route(hub, async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    asked.push(request);
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'range',
      'access-control-expose-headers': 'X-Error-Code,X-Repo-Commit,Content-Range',
      'x-repo-commit': '0123456789abcdef',
    };
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers });
    const name = pathname.slice(pathname.lastIndexOf('/') + 1);
    if (status && name !== 'config.json') return route.fulfill({ status, headers: { ...headers, 'x-error-code': code } });
    if (name === broken) return route.fulfill({ status: 503, headers });
    if (never && name.endsWith('.safetensors')) return;
    if (pathname === `/api/models/${id}/tree/main`) {
      const rows = Object.entries(files).flatMap(([path, { length }]) => (path === without ? [] : [{ type: 'file', path, size: length }]));
      return route.fulfill({ json: rows, headers });
    }
    const bytes = files[name];
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers().range ?? '') ?? [];
    if (from === undefined) return route.fulfill({ body: bytes, headers });
    const body = bytes.subarray(Number(from), Number(to) + 1);
    return route.fulfill({ status: 206, body, headers: { ...headers, 'content-range': `bytes ${from}-${to}/${bytes.length}` } });
  });
  return asked;
}

/** Loads the model and opens the view that checks its files. @param {Page} page */
async function opened(page) {
  await paste(page, `https://huggingface.co/${id}`);
  await page.getByRole('button', { name: 'Load config.json from huggingface.co' }).click();
  await counts(page, '1,160');
  await page.getByRole('link', { name: 'More' }).click();
  await page.getByRole('link', { name: 'Check a number', exact: true }).click();
}
const section = (/** @type {Page} */ page) => page.locator('.hub-check');
const start = (/** @type {Page} */ page) => section(page).getByRole('button', { name: 'Check against huggingface.co' });
const said = (/** @type {Page} */ page) => section(page).locator('[role=status]').innerText();

everywhere(
  'the files of a model on the Hub are read by ranges on a click, and are equal',
  async ({ page, open }) => {
    const asked = await answering(page);
    await open();
    await ready(page);
    await opened(page);
    const before = asked.length;
    await start(page).waitFor();
    assert.equal(asked.length, before, 'nothing is asked without the click');
    await start(page).click();
    await reads(() => said(page), /21 tensors in 3 files, 1,160 elements: equal\./);
    await reads(() => said(page), /at commit 0123456789ab/);
    const ranges = asked.slice(before).filter((request) => /safetensors$/.test(request.url()) && request.method() === 'GET');
    assert.equal(ranges.length, shards.length);
    for (const request of asked.slice(before)) {
      const headers = await request.allHeaders();
      assert.deepEqual([headers.cookie, headers.authorization, headers.referer], [undefined, undefined, undefined]);
    }
  },
  { places: ['hosted'], asks: hub },
);

for (const [what, as, message] of /** @type {[string, Parameters<typeof answering>[1], RegExp][]} */ ([
  ['gated', { status: 401, code: 'GatedRepo' }, /is gated[^]*no token is used/],
  ['limited', { status: 429 }, /too many requests/],
  ['a shard that is not there', { without: shards[0] }, /which the index names, is missing/],
])) {
  everywhere(
    `differences and failed requests are reported: ${what}`,
    async ({ page, open }) => {
      await answering(page, as);
      await open();
      await ready(page);
      await opened(page);
      await start(page).click();
      await reads(() => said(page), message);
    },
    { places: ['hosted'], asks: hub, faults: /Failed to load resource|Cross-Origin|CORS/ },
  );
}

everywhere(
  'when one request fails, the others are stopped',
  async ({ page, open }) => {
    await answering(page, { never: true, broken: shards[0] });
    /** @type {string[]} */
    const stopped = [];
    page.on('requestfailed', (request) => stopped.push(request.url().replace(/.*\//, '')));
    await open();
    await ready(page);
    await opened(page);
    await start(page).click();
    await reads(() => said(page), /HTTP 503/);
    await becomes(async () => shards.slice(1).every((name) => stopped.includes(name)), true);
  },
  { places: ['hosted'], asks: hub, names: ['chromium'], faults: /Failed to load resource/ },
);

everywhere(
  'it can be stopped',
  async ({ page, open }) => {
    await answering(page, { never: true });
    await open();
    await ready(page);
    await opened(page);
    await start(page).click();
    await reads(() => section(page).innerText(), /0 of 3 files/);
    await section(page).getByRole('button', { name: 'Stop' }).click();
    await reads(() => said(page), /Stopped/);
    await becomes(() => section(page).getByRole('button', { name: 'Check again' }).count(), 1);
  },
  { places: ['hosted'], asks: hub },
);

everywhere(
  'the one file makes no request, and explains how to compare',
  async ({ page, open }) => {
    await open('#check');
    await ready(page);
    await reads(() => section(page).innerText(), /makes no requests[^]*param-ledger verify/);
    assert.equal(await start(page).count(), 0);
  },
  { places: ['file'] },
);
