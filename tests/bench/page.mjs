// Prints how fast the page is, compared with a bare page measured alternately in one run. Measures the first paint of the page, of the page
// without scripts, and of a widget's number in a post. Measures key presses until they are painted, in views that recount and in a plain
// input, and clicks that open and sort the Models view. Also prints the tasks over 50 ms. For keys and clicks the first decile is
// printed, because a busy machine affects it least. Needs web/dist and Chromium.

import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, serve } from '../../web/build/serve.mjs';
import { launchChromium } from '../page/launch.mjs';
import { temporaryFolder } from '../folder.mjs';
import { bareHtml } from './bare.mjs';
import { digits, firstDecile, keys } from './keys.mjs';

const LOADS = Number(process.argv[2] ?? 9);
const OPENINGS = 5;
const SORTS = 6;

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const folder = temporaryFolder();
for (const name of readdirSync(dist).filter((file) => file.endsWith('.css'))) cpSync(join(dist, name), join(folder, name));
writeFileSync(join(folder, 'index.html'), bareHtml(readFileSync(join(dist, 'index.html'), 'utf8')));
writeFileSync(
  join(folder, 'key.html'),
  '<!doctype html><meta charset="utf-8"><title>A key</title><div data-field="x"><input value="4096"></div><button type="button" onclick="this.nextSibling.textContent = Number(this.nextSibling.textContent) + 1">A click</button><p>0</p>',
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

/** Opens a URL with an empty cache. @param {string} url */
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

/** Milliseconds until the first text is painted. @param {import('playwright-core').Page} tab */
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

/** Milliseconds until the frame in which a widget shows its number. @param {import('playwright-core').Page} tab */
async function widgetPaint(tab) {
  await tab.addInitScript(() => {
    const look = () => {
      if (!document.querySelector('param-ledger')?.shadowRoot?.querySelector('.number')) return void requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => Object.assign(window, { counted: performance.now() });
      port2.postMessage(0); // delivered after the frame has been painted
    };
    look();
  });
  await tab.goto(`${address(bare)}post.html`);
  return (await tab.waitForFunction(() => /** @type {any} */ (window).counted)).jsonValue();
}

/**
 * Measures a click in milliseconds. `took`: the time until its result is painted. `worked`: the main thread's work until then, which a
 * busy machine changes less. `whole`: the main thread's work until 800 ms later.
 * @param {import('playwright-core').Page} tab
 * @param {string} selector
 * @param {string} text the selector of an element whose text is watched
 * @param {string} [until] the text that must disappear; without it, the element must appear
 */
async function clicked(tab, selector, text, until) {
  const session = await tab.context().newCDPSession(tab);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  const before = await worked();
  const took = await tab.evaluate(
    ([target, sought, old]) =>
      new Promise((resolve) => {
        const begin = performance.now();
        /** @type {HTMLElement} */ (document.querySelector(target)).click();
        const look = () => {
          const found = document.querySelector(sought);
          if (!found || found.textContent === old) return void requestAnimationFrame(look);
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - begin);
          port2.postMessage(0);
        };
        requestAnimationFrame(look);
      }),
    [selector, text, until ?? null],
  );
  const painted = await worked();
  await tab.waitForTimeout(800);
  const after = await worked();
  await session.detach();
  return { took: Number(took), worked: (painted - before) * 1000, whole: (after - before) * 1000 };
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
  `first number   ${first.toFixed(0).padStart(7)} ms, the same HTML alone ${firstBare.toFixed(0)} ms: ${(first / firstBare).toFixed(2)} x (at most 1.2)`,
);
const widget = median(paints.widget);
console.log(
  `first number   ${widget.toFixed(0).padStart(7)} ms in a widget, counted there: ${(widget / first).toFixed(2)} x the page's (at most 1.5)`,
);
const told = (/** @type {number[][]} */ lists) => lists.map((list) => list.join(' ') || 'none').join('; ');
console.log(`tasks over 50 ms at load: ${told(loadTasks.page)}; of the same HTML alone: ${told(loadTasks.bare)}`);

const lone = await opened(`${address(bare)}key.html`);
const loneKeys = firstDecile(await keys(lone.tab, await digits(lone.tab, 'input')));
/** @type {number[]} */
const loneClicks = [];
for (let i = 0; i < SORTS; i++) loneClicks.push((await clicked(lone.tab, 'button', 'p', String(i))).worked);
const loneClick = firstDecile(loneClicks);
await lone.close();

const LLAMA = 'm=meta-llama/Llama-3.1-8B';
const pressed = (/** @type {string} */ selector) => (/** @type {import('playwright-core').Page} */ tab) => digits(tab, selector);
/**
 * Views that recount: the title, the address, a function that prepares the view and returns the function that presses a key, and the
 * pause in milliseconds after each key, if the default is too short for the view.
 */
const views = /** @type {const} */ ([
  ['Count, Llama 3.1 8B', `#${LLAMA}`, pressed('[data-field=vocab_size] input')],
  ['Count, DeepSeek-V3', '#m=deepseek-ai/DeepSeek-V3', pressed('[data-field=moe_intermediate_size] input')],
  ['Derive', `#derive;${LLAMA}`, pressed('[data-field=vocab_size] input')],
  ['Compare', `#compare;${LLAMA};m=Qwen/Qwen3-8B;m=mistralai/Mistral-7B-v0.1`, removedAndBack],
  ['Memory', `#memory;${LLAMA}`, pressed('.memory-slider input[type=text]')],
  ['Check', `#check;${LLAMA}`, pressed('.claim-input'), 400],
  ['Target', `#target;${LLAMA}`, pressed('.target .claim-input')],
  ['Articles', `#articles;${LLAMA}`, ownArticle],
  ['Design', '#design', blank],
]);
for (const [name, fragment, begin, pause] of views) {
  const { tab, close } = await opened(address(page) + fragment);
  await tab.waitForSelector('html[data-ready]');
  await tab.waitForTimeout(500);
  const press = await begin(tab);
  await tab.waitForTimeout(500);
  await longTasks(tab);
  const took = firstDecile(await keys(tab, press, pause));
  const tasks = await longTasks(tab);
  console.log(
    `key to paint   ${took.toFixed(1).padStart(7)} ms, ${name}; in a lone input ${loneKeys.toFixed(1)} ms: ${(took - loneKeys).toFixed(1)} ms more (at most 16); tasks over 50 ms: ${tasks.join(' ') || 'none'}`,
  );
  if (name.startsWith('Count')) {
    await tab.getByRole('combobox', { name: 'Model' }).click();
    await tab.locator('[role=option]').first().waitFor();
    await tab.keyboard.type('llama', { delay: 30 });
    await tab.waitForTimeout(300);
    console.log(`picker, ${name}: tasks over 50 ms: ${(await longTasks(tab)).join(' ') || 'none'}`);
  }
  await close();
}

/**
 * Removes a model from the comparison. The returned function brings it back and removes it again, by pressing Enter on Undo and Redo in
 * turn.
 * @param {import('playwright-core').Page} tab
 */
async function removedAndBack(tab) {
  await tab
    .getByRole('button', { name: /^Remove .* from the comparison$/ })
    .last()
    .click();
  return async (/** @type {number} */ i) => {
    await tab.locator('.compare .tools button', { hasText: i % 2 === 0 ? 'Undo' : 'Redo' }).focus();
    await tab.keyboard.press('Enter');
  };
}

/**
 * Opens a copy of the current article for editing. Returns the function that presses keys in a number of the article.
 * @param {import('playwright-core').Page} tab
 */
async function ownArticle(tab) {
  await tab.getByRole('button', { name: 'Edit a copy' }).click();
  return digits(tab, '.step-prints');
}

/** @param {import('playwright-core').Page} tab */
async function blank(tab) {
  await tab.getByRole('button', { name: 'Grouped queries' }).click();
  await tab.locator('[data-field=vocab_size] input').waitFor();
  return digits(tab, '[data-field=vocab_size] input');
}

/** @type {Record<'took' | 'opening' | 'whole' | 'sort', number[]>} */
const models = { took: [], opening: [], whole: [], sort: [] };
let rows = 0;
/** @type {number[]} */
const modelTasks = [];
for (let i = 0; i < OPENINGS; i++) {
  const { tab, close } = await opened(`${address(page)}#more`); // on this view the program and the catalogue are loaded
  await tab.waitForSelector('html[data-ready]');
  await tab.waitForTimeout(500);
  await longTasks(tab);
  const { took, worked, whole } = await clicked(tab, '.cards a[href^="#models"]', '.models-table tbody tr');
  models.took.push(took);
  models.opening.push(worked);
  models.whole.push(whole);
  rows = await tab.locator('.models-table tbody tr').count();
  modelTasks.push(...(await longTasks(tab)));
  for (let j = 0; j < SORTS; j++) {
    const name = await tab.locator('.models-table tbody th').first().textContent();
    const column = ['Layers', 'Vocabulary'][j % 2];
    models.sort.push((await clicked(tab, `[aria-label="Sort by ${column}"]`, '.models-table tbody th', name ?? '')).worked);
  }
  await close();
}
const more = (/** @type {number[]} */ list) => (firstDecile(list) - loneClick).toFixed(0);
console.log(
  `Models opened  ${more(models.opening).padStart(7)} ms of work more than a click in a lone page until they are painted (at most 100), ${firstDecile(models.took).toFixed(0)} ms on the clock; ${firstDecile(models.whole).toFixed(0)} ms until all ${rows} rows and the picture are; tasks over 50 ms: ${modelTasks.join(' ') || 'none'}`,
);
console.log(`Models sorted  ${more(models.sort).padStart(7)} ms of work more than a click in a lone page (at most 50)`);

await browser.close();
page.close();
bare.close();
