// Lists of files on the Hub: page by page, and from no other host.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyOnHub } from '../../../web/hub/files.ts';

const place = { id: 'lab/model', revision: 'main', path: '' };

/** The addresses that are requested if the first page names this one as the next. @param {string} next */
async function asked(next, host = 'https://hub.example') {
  /** @type {string[]} */
  const addresses = [];
  const before = globalThis.fetch;
  globalThis.fetch = (address) => {
    addresses.push(String(address));
    const headers = addresses.length === 1 ? { link: `<${next}>; rel="next"` } : undefined;
    return Promise.resolve(new Response(JSON.stringify([{ type: 'file', path: 'README.md', size: 1 }]), { headers }));
  };
  try {
    const ledger = { wants: () => assert.fail('no file of weights'), read: () => assert.fail('nothing to read') };
    await assert.rejects(verifyOnHub(/** @type {any} */ (ledger), place, { host }), /lab\/model/);
  } finally {
    globalThis.fetch = before;
  }
  return addresses;
}

test('a next page is followed on the same host only', async () => {
  const first = 'https://hub.example/api/models/lab/model/tree/main';
  assert.deepEqual(await asked(`${first}?cursor=2`), [first, `${first}?cursor=2`]);
  for (const other of [
    'https://evil.example/x',
    'http://hub.example/x',
    'https://hub.example:8443/x',
    '//evil.example/x',
    'https://hub.example.evil.example/',
  ])
    assert.deepEqual(await asked(other), [first], other);
});
