// Tests all views and the navigation between them.

import assert from 'node:assert/strict';
import { PLACES, everywhere, inaccessible } from './browsers.mjs';
import { questions } from '../../web/texts/page.ts';
import { views } from '../../web/views/all.ts';
import { back, becomes, counts, eventually, field, hash, picker, reads, ready } from './page.mjs';

const navigation = (/** @type {import('playwright-core').Page} */ page) => page.getByRole('navigation', { name: 'Views' });
const current = (/** @type {import('playwright-core').Page} */ page) => page.locator('.views [aria-current=page]');

/** Goes to a view by its tab or by its card. @param {import('playwright-core').Page} page @param {string} title */
async function go(page, title) {
  const isTab = views.some((view) => view.title === title && view.within === undefined);
  if (!isTab) await navigation(page).getByRole('link', { name: 'More' }).click();
  await page.getByRole('link', { name: title, exact: true }).click();
}

everywhere(
  'each view is reached by its link, has one main with a heading, and axe finds no violation',
  async ({ page, open, place }) => {
    await open('#t=gpt2');
    await counts(page, '124,439,808');
    assert.deepEqual(await navigation(page).getByRole('link').allInnerTexts(), ['Count', 'Compare', 'Memory', 'More']);
    for (const { title, within } of views) {
      await go(page, title);
      await becomes(() => current(page).allInnerTexts().then(String), within === undefined ? title : 'More');
      await page.locator('main :is(h1, h2)').first().waitFor();
      assert.equal(await page.locator('main').count(), 1, `${title}: one main`);
      assert.notEqual(await page.locator('main :is(h1, h2)').first().innerText(), '');
      await page.getByRole('link', { name: 'Skip to the answer' }).press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN', `${title}: the skip link leads there`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${title}: nothing sticks out`);
      if (place === 'hosted') assert.deepEqual(await inaccessible(page), [], title);
    }
  },
  { places: PLACES, viewport: { width: 360, height: 800 } },
);

everywhere(
  'the view is in the address, also by keyboard; Back leaves it with its model unchanged',
  async ({ page, open, url }) => {
    await open('#t=gpt2');
    await counts(page, '124,439,808');
    await field(page, 'n_layer').fill('13');
    await counts(page, '131,527,680');
    const link = navigation(page).getByRole('link', { name: 'Compare' });
    await link.focus();
    await eventually(async () => (await link.getAttribute('href')) === '#compare;t=gpt2&n_layer=13', 'it can be opened elsewhere');
    await page.keyboard.press('Enter');
    await becomes(() => hash(page), '#compare;t=gpt2&n_layer=13');
    const other = await page.context().newPage();
    await other.goto(url + (await hash(page)));
    await ready(other);
    await becomes(() => current(other).innerText(), 'Compare');
    await other.locator('main h2', { hasText: 'Compare' }).waitFor();
    await back(page);
    await counts(page, '131,527,680');
    await becomes(() => current(page).innerText(), 'Count');
  },
  { places: PLACES },
);

everywhere(
  'the counting program loads at once, the whole core when needed; a failure is reported and retried',
  async ({ page, open }) => {
    /** @type {string[]} */
    const programs = [];
    page.on('request', (request) => {
      const [, name] = /(\w+)-\w+\.wasm$/.exec(request.url()) ?? [];
      if (name) programs.push(name);
    });
    await page.route(/core-.*\.wasm/, (route) => route.abort());
    await open('#t=gpt2');
    await counts(page, '124,439,808');
    await field(page, 'n_layer').fill('13');
    await counts(page, '131,527,680');
    assert.deepEqual([...new Set(programs)], ['count']);
    await go(page, 'Memory');
    await page.getByText(/Memory could not be loaded: ./).waitFor();
    await page.unroute(/core-.*\.wasm/);
    await go(page, 'Count');
    await counts(page, '131,527,680');
    await go(page, 'Memory');
    await page.locator('.memory-verdict').waitFor();
    assert.equal(programs.at(-1), 'core');
    const fetched = programs.length;
    await go(page, 'Check a number');
    await page.locator('.claim-input').waitFor();
    assert.equal(programs.length, fetched);
  },
  { places: ['hosted'], faults: /ERR_FAILED|NS_ERROR|Failed to load|Loading failed|Cross-Origin/ },
);

everywhere(
  'if a bug prevents drawing, a sentence says so, and another model is drawn',
  async ({ page, open }) => {
    await open('#memory;t=gpt2');
    await page.locator('.memory-verdict').waitFor();
    await page.evaluate(() => {
      const { matchMedia } = globalThis;
      globalThis.matchMedia = () => {
        globalThis.matchMedia = matchMedia;
        throw new Error('a bug');
      };
    });
    await go(page, 'Count');
    await page.getByText(/could not draw this because of a bug/).waitFor();
    await picker(page).fill('segformer');
    await page.getByRole('option', { name: /^segformer/ }).click();
    await page.locator('.number').waitFor();
    assert.equal(await page.getByText(/could not draw this/).count(), 0);
  },
  { places: ['hosted'], faults: /a bug|^console: Error$/ },
);

for (const [kind, size] of /** @type {const} */ ([
  ['laptop', { width: 1280, height: 720 }],
  ['phone', { width: 390, height: 844 }],
])) {
  everywhere(
    `nothing moves while a link to a view is followed, on a ${kind}`,
    async ({ page, url }) => {
      await page.addInitScript(() => {
        const shifts = /** @type {{ value: number, hadRecentInput: boolean }[]} */ (/** @type {any} */ (globalThis).shifts = []);
        new PerformanceObserver((list) => shifts.push(.../** @type {any} */ (list.getEntries()))).observe({
          type: 'layout-shift',
          buffered: true,
        });
      });
      await page.goto(url);
      await ready(page);
      const model = 'm=meta-llama/Llama-3.2-1B&num_hidden_layers=17';
      const links = views
        .map(({ id }) => `#${id}`)
        .map((view) => (view === '#' ? `#${model}` : kind === 'phone' ? view : `${view};${model}`));
      for (const link of [...links, '#compare;m=meta-llama/Llama-2-7b-hf;m=meta-llama/Meta-Llama-3-8B']) {
        await page.goto('about:blank');
        await page.goto(url + link);
        await ready(page);
        await page.locator('main :is(h1, h2)').first().waitFor();
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        const shift = await page.evaluate(() =>
          /** @type {any} */ (globalThis).shifts.reduce((/** @type {number} */ sum, /** @type {any} */ { value }) => sum + value, 0),
        );
        assert.ok(shift < 0.01, `${link}: ${shift}`);
      }
    },
    { names: ['chromium'], places: PLACES, viewport: size },
  );
}

everywhere(
  'the header, the tabs and the position of headings are the same in every view',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.masthead, .brand, .masthead .picker, .theme, .views a')]
          .map((part) => part.getBoundingClientRect())
          .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join())
          .join(' '),
      );
    const first = await places();
    for (const link of await navigation(page).getByRole('link').all()) {
      await link.click();
      const title = await link.innerText();
      await becomes(() => current(page).innerText(), title);
      await page.locator('main :is(h1, h2)').first().waitFor();
      assert.equal(await places(), first, title);
    }
  },
  { viewport: { width: 1280, height: 720 } },
);

everywhere(
  'no view starts empty: each begins with the current model, which can be changed at once',
  async ({ page, open }) => {
    await open('#compare');
    await ready(page);
    await reads(() => page.locator('main').innerText(), /Compared with Llama/);
    await page.locator('main.compare .matrices').waitFor();
    await becomes(() => hash(page), '#compare'); // the examples in the comparison are not part of the address
    await page.getByRole('button', { name: 'Keep this one' }).click();
    await reads(() => hash(page), /^#compare;m=meta-llama\/Llama-3\.1-8B;m=/);
    await open('#check;t=gpt2');
    await reads(() => page.locator('.verdict').innerText(), /124M agrees with 124,439,808/);
    await page.locator('.claim-input').fill('117M');
    await reads(() => page.locator('.verdict-sentence').innerText(), /117M/);
    await open('#read;t=gpt2');
    await reads(() => page.locator('.read-example').innerText(), /124,439,808 parameters, 148 tensors/);
    await page.getByRole('button', { name: 'Read this text' }).click();
    await counts(page, '124,439,808');
    await open('#target');
    const first = page.locator('.found tbody tr').first();
    await reads(() => first.innerText(), /8,030,261,248/);
    const { y, height } = (await first.boundingBox()) ?? { y: 0, height: 9999 };
    assert.ok(y + height < 720, 'in sight, beside the form');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  },
  { viewport: { width: 1280, height: 720 } },
);

everywhere(
  'at 400 % zoom no view is wider than the page',
  async ({ page, open }) => {
    for (const { id } of views) {
      await open('#memory');
      await open(`#${id}`);
      await ready(page);
      await page.locator(`#${id || 'model'}-answer`).waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), id);
      // Sticky elements must not cover more than a tenth of the window.
      const fixed = await page.locator('.bar-line').evaluateAll((bars) => {
        const stays = bars.filter((bar) => /fixed|sticky/.test(getComputedStyle(bar).position));
        return stays.reduce((sum, bar) => sum + bar.getBoundingClientRect().height, 0) / innerHeight;
      });
      assert.ok(fixed <= 0.1, `${id}: ${fixed}`);
    }
  },
  { viewport: { width: 320, height: 256 } },
);

everywhere('questions are shown under the number until one is asked', async ({ page, open }) => {
  await open();
  await ready(page);
  const asked = page.getByRole('list', { name: 'Questions to start with' }).getByRole('link');
  assert.equal(await asked.count(), 5);
  await asked.filter({ hasText: '37B active' }).click();
  await reads(() => page.locator('.verdict-sentence').innerText(), /37B/);
  await open('#m=openai-community/gpt2');
  await counts(page, '124,439,808');
  await open();
  await page.reload();
  await ready(page);
  await counts(page, '8,030,261,248');
  assert.equal(await asked.count(), 0);
});

everywhere('every question leads to a view that answers it', async ({ page, open }) => {
  for (const [question, link] of questions.asked) {
    await open(link);
    await ready(page);
    await page.locator('main :is(h1, h2)').first().waitFor();
    assert.equal(await page.locator('.banner[role=status]').innerText(), '', question);
  }
});
