// Prints how the hosted page loads on a slow connection, next to its HTML and style sheets alone, alternately in one run. Measures the
// bytes transferred until an edit recounts, and the seconds until the first number and the first edit are painted. For a link to a model
// whose type the smallest program lacks, measures the bytes and the seconds until its number is painted. Nothing is cached, and files are
// compressed with brotli, as hosts do. Needs web/dist and Chromium.

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
 * Starts a server that compresses another server's files and keeps the compressed ones.
 * @param {import('node:http').Server} inner @returns {Promise<import('node:http').Server>}
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

/**
 * Loads the page once, until the first paint, an edit or the number of a link's model.
 * @param {string} url @param {'painted' | 'edited' | 'counted'} until
 */
async function loaded(url, until) {
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
  await page.addInitScript(until === 'counted' ? counting : editing);
  await page.goto(url);
  const painted = await (
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  ).jsonValue();
  const done = until === 'painted' ? painted : await (await page.waitForFunction(() => /** @type {any} */ (window).done)).jsonValue();
  // Ignores requests that end later, for parts of the page that are loaded in idle time.
  const requests = [...asked.values()].filter(({ end }) => end > 0 && end * 1000 < done);
  await context.close();
  return { painted: painted / 1000, done: done / 1000, requests };
}

/** Runs in the page: edits a field as soon as edits are recounted, and records when the new number was painted. */
function editing() {
  let before = '';
  const look = () => {
    requestAnimationFrame(() => {
      const number = document.querySelector('.number')?.textContent ?? '';
      if (before !== '' && number !== before) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => Object.assign(window, { done: performance.now() });
        return void port2.postMessage(0); // delivered after the frame has been painted
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

/** Runs in the page: records when the parameter count of the model in a link was painted. */
function counting() {
  const look = () => {
    const { awaiting, ready } = document.documentElement?.dataset ?? {};
    if (awaiting !== undefined || ready === undefined) return void requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => Object.assign(window, { done: performance.now() });
    port2.postMessage(0); // delivered after the frame has been painted
  };
  look();
}

/** @param {number[]} list */
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

const inner = [await serve(0), await serve(0, folder)];
const [page, bare] = await Promise.all(inner.map(compressed));
const browser = await launchChromium();
const link = `${address(page)}#m=facebook/sam-vit-base`;
await loaded(address(page), 'edited'); // makes the server compress the files before anything is measured
await loaded(link, 'counted');
/** @type {Record<'page' | 'link' | 'bare', Awaited<ReturnType<typeof loaded>>[]>} */
const loads = { page: [], link: [], bare: [] };
for (let i = 0; i < LOADS; i++) {
  loads.page.push(await loaded(address(page), 'edited'));
  loads.link.push(await loaded(link, 'counted'));
  loads.bare.push(await loaded(address(bare), 'painted'));
}
const of = (/** @type {'page' | 'link' | 'bare'} */ name, /** @type {'painted' | 'done'} */ what) =>
  median(loads[name].map((load) => load[what]));
/** @param {'page' | 'link' | 'bare'} name */
const kilobytes = (name) => (loads[name][0].requests.reduce((sum, one) => sum + one.bytes, 0) / 1000).toFixed(1);
console.log(
  `slow: 1.6 Mbit/s, 150 ms, nothing cached, brotli
  over the wire ${kilobytes('page').padStart(8)} KB in ${loads.page[0].requests.length} requests until an edit recounts (at most 180); HTML and style alone ${kilobytes('bare')} KB
  first number   ${of('page', 'painted').toFixed(2).padStart(7)} s, HTML and style alone ${of('bare', 'painted').toFixed(2)} s
  edit recounts  ${of('page', 'done').toFixed(2).padStart(7)} s (at most 2)
  a link counts  ${of('link', 'done').toFixed(2).padStart(7)} s (at most 3), ${kilobytes('link')} KB (at most 460)`,
);
for (const { url, begin, end, bytes: size } of [...loads.page[0].requests, ...loads.link[0].requests])
  console.log(
    `  ${begin.toFixed(2)} to ${end.toFixed(2)} s ${(size / 1000).toFixed(1).padStart(7)} KB  ${new URL(url).pathname.slice(1) || 'index.html'}`,
  );

await browser.close();
for (const server of [...inner, page, bare]) server.close();
