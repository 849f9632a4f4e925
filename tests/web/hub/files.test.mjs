// Tests the requests to the Hub. Lists of files are requested page by page and only from one host. Files are requested in ranges, and must
// have the listed size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyOnHub } from '../../../web/hub/files.ts';

const place = { id: 'lab/model', revision: 'main', path: '' };

/**
 * The addresses that are requested if the first page of a list of files links to `next`. Each request must omit cookies and the referrer.
 * @param {string} next
 */
async function asked(next, host = 'https://hub.example') {
  /** @type {string[]} */
  const addresses = [];
  const before = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    addresses.push(String(address));
    assert.deepEqual([init?.credentials, init?.referrerPolicy], ['omit', 'no-referrer']);
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

/**
 * Verifies a model with these files against a host that answers requests for a file with `answer`. Returns the names of the requested
 * files.
 * @param {Record<string, number>} sizes @param {(range: string) => Response} [answer] @param {string} [path]
 */
async function verified(sizes, answer = () => assert.fail('no file is read'), path = '') {
  /** @type {string[]} */
  const read = [];
  const before = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (String(address).includes('/api/'))
      return Promise.resolve(Response.json(Object.entries(sizes).map(([name, size]) => ({ type: 'file', path: name, size }))));
    read.push(String(address).replace(/.*\//, ''));
    return Promise.resolve(answer(/** @type {any} */ (init).headers.range));
  };
  const ledger = {
    wants: (/** @type {any} */ [file]) => ({ ok: true, wants: file.content.length > 0 ? [] : [{ file: 0, begin: 0, end: 4 }] }),
    read: () => ({ ok: true }),
  };
  try {
    await verifyOnHub(/** @type {any} */ (ledger), { ...place, path }, { host: 'https://hub.example', config: '{}' });
    return read;
  } finally {
    globalThis.fetch = before;
  }
}

const part = (/** @type {string} */ range, body = 'abcd') => new Response(body, { status: 206, headers: { 'content-range': range } });

test('a range must be the requested one of a file of the listed size, and complete', async () => {
  const one = { 'model.safetensors': 4 };
  assert.deepEqual(await verified(one, () => part('bytes 0-3/4')), ['model.safetensors']);
  for (const range of ['bytes 1-4/4', 'bytes 0-3/5'])
    await assert.rejects(
      verified(one, () => part(range)),
      /is not the one in the Hub/,
      range,
    );
  await assert.rejects(
    verified(one, () => part('bytes 0-3/4', 'abc')),
    /broke/,
  );
  assert.deepEqual(await verified(one, () => new Response('abcd and what follows')), ['model.safetensors'], 'without ranges');
});

test('a host without ranges is not read up to a place far inside a file', async () => {
  const size = 70_000_000;
  const ledger = { wants: () => ({ ok: true, wants: [{ file: 0, begin: size - 4, end: size }] }), read: () => assert.fail() };
  const before = globalThis.fetch;
  let cancelled = false;
  globalThis.fetch = (address) =>
    Promise.resolve(
      String(address).includes('/api/')
        ? Response.json([{ type: 'file', path: 'model.safetensors', size }])
        : new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1_000_000)), cancel: () => void (cancelled = true) })),
    );
  try {
    await assert.rejects(
      verifyOnHub(/** @type {any} */ (ledger), place, { host: 'https://hub.example', config: '{}' }),
      /sends only whole files/,
    );
    assert.ok(cancelled);
  } finally {
    globalThis.fetch = before;
  }
});

test('an index that is too large is not read', async () => {
  await assert.rejects(verified({ 'model.safetensors.index.json': 64_000_001, 'a.safetensors': 4 }), /Too many bytes/);
});

test('the shards of a named file are those of the same number', async () => {
  const shard = (/** @type {number} */ i, /** @type {number} */ of) => `m-0000${i}-of-0000${of}.safetensors`;
  const all = { [shard(1, 2)]: 4, [shard(2, 2)]: 4, [shard(1, 3)]: 4, [`n-00001-of-00002.safetensors`]: 4 };
  assert.deepEqual(await verified(all, () => part('bytes 0-3/4'), shard(2, 2)), [shard(1, 2), shard(2, 2)]);
});

test('the states of a training are not weights', async () => {
  const shards = ['pytorch_model-00001-of-00002.bin', 'pytorch_model-00002-of-00002.bin'];
  const others = ['optimizer.bin', 'rng_state.bin', 'scheduler.bin', 'training_args.bin'];
  const all = Object.fromEntries([...others, ...shards].map((name) => [name, 4]));
  assert.deepEqual(await verified(all, () => part('bytes 0-3/4')), shards);
});

test('a list without an end is read for twenty pages', async () => {
  let pages = 0;
  const before = globalThis.fetch;
  globalThis.fetch = () => Promise.resolve(new Response('[]', { headers: { link: `<https://hub.example/x?${++pages}>; rel="next"` } }));
  try {
    await assert.rejects(verifyOnHub(/** @type {any} */ ({}), place, { host: 'https://hub.example' }), /lab\/model/);
  } finally {
    globalThis.fetch = before;
  }
  assert.equal(pages, 20);
});
