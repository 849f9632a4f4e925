// Prints what the page costs beside a bare one, in turns in one run: the first number painted beside the same HTML and style without any
// script, and beside the number that a widget has counted in a post; a key in the form, to the painted table, beside a key in a lone input; tasks over 50 ms at load, in the picker and at keys.
// Needs web/dist and Chromium.

import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, serve } from '../../web/serve.mjs';
import { launchChromium } from '../page/launch.mjs';
import { temporaryFolder } from '../folder.mjs';

const LOADS = Number(process.argv[2] ?? 9);
const KEYS = 24;

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const folder = temporaryFolder();
for (const name of readdirSync(dist).filter((file) => file.endsWith('.css'))) cpSync(join(dist, name), join(folder, name));
const html = readFileSync(join(dist, 'index.html'), 'utf8');
writeFileSync(join(folder, 'index.html'), html.replace(/<script[^>]*>[\s\S]*?<\/script>|<link rel="(?:module)?preload"[^>]*>/g, ''));
writeFileSync(
  join(folder, 'key.html'),
  '<!doctype html><meta charset="utf-8"><title>A key</title><div data-field="x"><input value="4096"></div>',
);

symlinkSync(join(dist, 'package'), join(folder, 'package'), 'dir');
writeFileSync(
  join(folder, 'post.html'),
  '<!doctype html><meta charset="utf-8"><title>A post</title><script type="module" src="package/widget.js"></script><p>How large is it?</p><param-ledger model="Qwen/Qwen3-0.6B">Small.</param-ledger>',
);

const [page, bare] = [await serve(0), await serve(0, folder)];
const browser = await launchChromium();

/** @param {number[]} list */
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Opens an address anew, with nothing in the cache. @param {string} url */
async function opened(url) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
  const tab = await context.newPage();
  await tab.addInitScript(() => {
    Object.assign(window, { long: [] });
    const observer = new PerformanceObserver((list) =>
      /** @type {any} */ (window).long.push(...list.getEntries().map(({ duration }) => duration)),
    );
    observer.observe({ type: 'longtask', buffered: true });
  });
  await tab.goto(url);
  return { tab, close: () => context.close() };
}

/** @param {import('playwright-core').Page} tab */
const longTasks = (tab) => tab.evaluate(() => /** @type {any} */ (window).long.splice(0).map(Math.round));

/** Milliseconds to the first painted text. @param {import('playwright-core').Page} tab */
const firstPaint = (tab) =>
  tab.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntriesByName('first-contentful-paint')[0]?.startTime)).observe({
          type: 'paint',
          buffered: true,
        });
      }),
  );

/** Milliseconds to the frame with a widget's number. @param {import('playwright-core').Page} tab */
async function widgetPaint(tab) {
  await tab.addInitScript(() => {
    const look = () => {
      if (!document.querySelector('param-ledger')?.shadowRoot?.querySelector('.number')) return void requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => Object.assign(window, { counted: performance.now() });
      port2.postMessage(0); // after the frame is painted
    };
    look();
  });
  await tab.goto(`${address(bare)}post.html`);
  return (await tab.waitForFunction(() => /** @type {any} */ (window).counted)).jsonValue();
}

/** Milliseconds from each of some keys in an input to the frame after it. @param {import('playwright-core').Page} tab @param {string} selector */
async function keys(tab, selector) {
  await tab.evaluate(() => {
    Object.assign(window, { times: [] });
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => /** @type {any} */ (window).times.push(performance.now() - timeStamp);
          port2.postMessage(0); // after the frame is painted
        });
      },
      true,
    );
  });
  await tab.locator(selector).focus();
  await tab.keyboard.press('End');
  for (let i = 0; i < KEYS; i++) {
    await tab.keyboard.press(i % 2 === 0 ? 'Backspace' : '6');
    await tab.waitForTimeout(60);
  }
  return /** @type {Promise<number[]>} */ (tab.evaluate(() => /** @type {any} */ (window).times));
}

/** @type {Record<string, number[]>} */
const paints = { page: [], bare: [], widget: [] };
/** @type {Record<string, number[][]>} */
const loadTasks = { page: [], bare: [] };
for (let i = 0; i < LOADS; i++) {
  for (const [name, server] of /** @type {const} */ ([
    ['page', page],
    ['bare', bare],
  ])) {
    const { tab, close } = await opened(address(server));
    paints[name].push(Number(await firstPaint(tab)));
    if (name === 'page') await tab.waitForSelector('html[data-ready]');
    loadTasks[name].push(await longTasks(tab));
    await close();
  }
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
  paints.widget.push(Number(await widgetPaint(await context.newPage())));
  await context.close();
}
const [first, firstBare] = [median(paints.page), median(paints.bare)];
console.log(
  `first number   ${first.toFixed(0).padStart(7)} ms, the same HTML alone ${firstBare.toFixed(0)} ms: ${(first / firstBare).toFixed(2)} x (at most 1.7)`,
);
const widget = median(paints.widget);
console.log(
  `first number   ${widget.toFixed(0).padStart(7)} ms in a widget, counted there: ${(widget / first).toFixed(2)} x the page's (at most 1.5)`,
);
const told = (/** @type {number[][]} */ lists) => lists.map((list) => list.join(' ') || 'none').join('; ');
console.log(`tasks over 50 ms at load: ${told(loadTasks.page)}; of the same HTML alone: ${told(loadTasks.bare)}`);

const lone = await opened(`${address(bare)}key.html`);
const loneKeys = median(await keys(lone.tab, 'input'));
await lone.close();
for (const [name, fragment, field] of [
  ['Llama 3.1 8B', '', 'vocab_size'],
  ['DeepSeek-V3', '#m=deepseek-ai/DeepSeek-V3', 'moe_intermediate_size'],
]) {
  const { tab, close } = await opened(address(page) + fragment);
  await tab.waitForSelector('html[data-ready]');
  await tab.waitForTimeout(500);
  await longTasks(tab);
  const took = median(await keys(tab, `[data-field=${field}] input`));
  const tasks = await longTasks(tab);
  console.log(
    `key to paint   ${took.toFixed(1).padStart(7)} ms for ${name}, in a lone input ${loneKeys.toFixed(1)} ms: ${(took - loneKeys).toFixed(1)} ms more (at most 16); tasks over 50 ms: ${tasks.join(' ') || 'none'}`,
  );
  await tab.getByRole('combobox', { name: 'Model' }).click();
  await tab.locator('[role=option]').first().waitFor();
  await tab.keyboard.type('llama', { delay: 30 });
  await tab.waitForTimeout(300);
  console.log(`picker, ${name}: tasks over 50 ms: ${(await longTasks(tab)).join(' ') || 'none'}`);
  await close();
}

await browser.close();
page.close();
bare.close();
