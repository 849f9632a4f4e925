// Prints the hosted page's cost on a slow connection, next to its HTML and style alone, alternating in one run: bytes transferred until an
// edit recounts, seconds until the first number is painted, and until the first edit is. Nothing is cached; files are compressed with
// brotli, as hosts do. Needs web/dist and Chromium.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { address, serve } from '../../web/build/serve.mjs';
import { launchChromium } from '../page/launch.mjs';
import { temporaryFolder } from '../folder.mjs';
import { bareHtml } from './bare.mjs';

const LOADS = Number(process.argv[2] ?? 5);
const CONNECTION = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 1.6e6 / 8 };

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const folder = temporaryFolder();
for (const name of readdirSync(dist).filter((file) => file.endsWith('.css'))) cpSync(join(dist, name), join(folder, name));
writeFileSync(join(folder, 'index.html'), bareHtml(readFileSync(join(dist, 'index.html'), 'utf8')));

/**
 * Serves another server's files, compressed once. @param {import('node:http').Server} inner @returns {Promise<import('node:http').Server>}
 */
function compressed(inner) {
  /** @type {Map<string, Buffer>} */
  const bodies = new Map();
  const server = createServer(async ({ url = '/' }, response) => {
    const answer = await fetch(new URL(url, address(inner)));
    const body = bodies.get(url) ?? brotliCompressSync(Buffer.from(await answer.arrayBuffer()));
    bodies.set(url, body);
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/^(connection|keep-alive|transfer-encoding|date)$/.test(name)),
    );
    response.writeHead(answer.status, { ...headers, 'content-encoding': 'br', 'content-length': body.length }).end(body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** @typedef {{ url: string, begin: number, end: number, bytes: number }} Asked seconds after the first request */

/** One load. @param {string} url @param {boolean} isEdited whether to wait for an edit */
async function loaded(url, isEdited) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', CONNECTION);
  /** @type {Map<string, Asked>} */
  const asked = new Map();
  let first = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    first ||= timestamp;
    if (!request.url.startsWith('data:')) asked.set(requestId, { url: request.url, begin: timestamp - first, end: 0, bytes: 0 });
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const one = asked.get(requestId);
    if (one) Object.assign(one, { end: timestamp - first, bytes: encodedDataLength });
  });
  await page.addInitScript(editing);
  await page.goto(url);
  const painted = await (
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  ).jsonValue();
  const edited = isEdited ? await (await page.waitForFunction(() => /** @type {any} */ (window).edited)).jsonValue() : painted;
  // Parts that load in idle time may have begun by then.
  const requests = [...asked.values()].filter(({ end }) => end > 0 && end * 1000 < edited);
  await context.close();
  return { painted: painted / 1000, edited: edited / 1000, requests };
}

/** Runs in the page: edits a field as soon as that recounts, and records when the frame with the new number was painted. */
function editing() {
  let before = '';
  const look = () => {
    requestAnimationFrame(() => {
      const number = document.querySelector('.number')?.textContent ?? '';
      if (before !== '' && number !== before) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => Object.assign(window, { edited: performance.now() });
        return void port2.postMessage(0); // after the frame was painted
      }
      const input = /** @type {HTMLInputElement | null} */ (document.querySelector('[data-field=vocab_size] input'));
      if (before === '' && input && document.documentElement.dataset.ready !== undefined) {
        before = number;
        input.value = '128250';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
      look();
    });
  };
  look();
}

/** @param {number[]} list */
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

const inner = [await serve(0), await serve(0, folder)];
const [page, bare] = await Promise.all(inner.map(compressed));
const browser = await launchChromium();
await loaded(address(page), true); // the server compresses
/** @type {Record<'page' | 'bare', Awaited<ReturnType<typeof loaded>>[]>} */
const loads = { page: [], bare: [] };
for (let i = 0; i < LOADS; i++) {
  loads.page.push(await loaded(address(page), true));
  loads.bare.push(await loaded(address(bare), false));
}
const of = (/** @type {'page' | 'bare'} */ name, /** @type {'painted' | 'edited'} */ what) => median(loads[name].map((load) => load[what]));
const { requests } = loads.page[0];
const bytes = requests.reduce((sum, one) => sum + one.bytes, 0);
const bareBytes = loads.bare[0].requests.reduce((sum, one) => sum + one.bytes, 0);
console.log(
  `slow: 1.6 Mbit/s, 150 ms, nothing cached, brotli
  over the wire ${(bytes / 1000).toFixed(1).padStart(8)} KB in ${requests.length} requests until an edit recounts (at most 175); HTML and style alone ${(bareBytes / 1000).toFixed(1)} KB
  first number   ${of('page', 'painted').toFixed(2).padStart(7)} s, HTML and style alone ${of('bare', 'painted').toFixed(2)} s
  edit recounts  ${of('page', 'edited').toFixed(2).padStart(7)} s (at most 2)`,
);
for (const { url, begin, end, bytes: size } of requests)
  console.log(
    `  ${begin.toFixed(2)} to ${end.toFixed(2)} s ${(size / 1000).toFixed(1).padStart(7)} KB  ${new URL(url).pathname.slice(1) || 'index.html'}`,
  );

await browser.close();
for (const server of [...inner, page, bare]) server.close();
