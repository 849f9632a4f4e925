// Tests accessibility and appearance: axe, the keyboard, dark mode and forced colours, phones and zoom, and print.

import assert from 'node:assert/strict';
import { everywhere, inaccessible } from './browsers.mjs';
import { becomes, counts, eventually, field, line, picker, reads, ready, table } from './page.mjs';

for (const dark of [false, true]) {
  everywhere(
    `axe finds no violation (${dark ? 'dark' : 'light'})`,
    async ({ page, open }) => {
      await open();
      await ready(page);
      await field(page, 'num_hidden_layers').fill('30');
      await page.locator('.edits').waitFor();
      await page.locator('.sources-sheet summary').click();
      assert.deepEqual(await inaccessible(page), [], 'edited');
      await field(page, 'hidden_size').fill('wide');
      await page.locator('.stale').waitFor();
      assert.deepEqual(await inaccessible(page), [], 'with an error');
      await page.getByRole('tab', { name: 'config.json' }).click();
      await picker(page).click();
      await page.locator('[role=option]').first().waitFor();
      assert.deepEqual(await inaccessible(page), [], 'text and list');
    },
    { dark, places: ['hosted'] },
  );
}

everywhere(
  'axe finds no violation on a phone, and the page does not scroll sideways',
  async ({ page, open }) => {
    for (const fragment of ['', '#m=deepseek-ai/DeepSeek-V3', '#t=nemotron_h', '#t=zamba2']) {
      await open(fragment);
      await ready(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), fragment);
    }
    assert.deepEqual(await inaccessible(page), []);
    await page.getByRole('button', { name: /^Fields/ }).click();
    assert.deepEqual(await inaccessible(page), [], 'with the fields open');
  },
  { viewport: { width: 390, height: 844 }, places: ['hosted'] },
);

everywhere(
  'on a phone the total stays visible, and fields and the column of totals are one tap away',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const inSight = (/** @type {import('playwright-core').Locator} */ what) =>
      what.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
      });
    const bar = page.locator('.bar-total');
    for (const at of [0, 700, 100_000]) {
      await page.evaluate((y) => scrollTo(0, y), at);
      assert.equal(await inSight(bar), true, `scrolled to ${at}`);
      assert.equal(await bar.innerText(), '8,030,261,248');
    }
    assert.equal(await field(page, 'hidden_size').isVisible(), false);
    await page.getByRole('button', { name: /^Fields/ }).click();
    await field(page, 'num_hidden_layers').fill('31');
    await reads(() => bar.innerText(), /7,812,149,248/);
    assert.equal(await inSight(bar), true);
    await page.keyboard.press('Escape');
    await becomes(() => field(page, 'hidden_size').isVisible(), false);
    await line(page, 'q_proj.weight').scrollIntoViewIfNeeded();
    for (const scrolled of [0, 200]) {
      await table(page).evaluate((box, left) => void (box.scrollLeft = left), scrolled);
      assert.equal(await inSight(line(page, 'q_proj.weight').locator('.total')), true);
    }
  },
  { viewport: { width: 390, height: 844 } },
);

everywhere(
  'on a medium screen the form is a drawer, and the total stays visible',
  async ({ page, open }) => {
    await open();
    await ready(page);
    assert.equal(await field(page, 'hidden_size').isVisible(), false);
    const handle = page.getByRole('button', { name: /^Fields hidden_size 4,096/ });
    await handle.click();
    await becomes(() => handle.getAttribute('aria-expanded'), 'true');
    await field(page, 'hidden_size').fill('8192');
    await reads(() => page.locator('.summary-fields').innerText(), /hidden_size 8,192/);
    assert.equal(await page.locator('.bar-total').isVisible(), true);
  },
  { viewport: { width: 900, height: 900 } },
);

everywhere(
  'at 200 % zoom nothing is lost and the page does not scroll sideways',
  async ({ page, open }) => {
    await open('#m=deepseek-ai/DeepSeek-V3');
    await counts(page, '671,026,404,352');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.equal(await page.locator('.number').isVisible(), true);
    await page.getByRole('button', { name: /^Fields/ }).click();
    assert.equal(await field(page, 'hidden_size').isVisible(), true);
  },
  { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2, places: ['hosted'] },
);

everywhere('everything works by keyboard', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
  assert.doesNotMatch(await page.evaluate(() => location.hash), /answer/);

  await picker(page).focus();
  await page.keyboard.insertText('llama 3.1 70b');
  await becomes(() => page.locator('[role=option][aria-selected=true]').count(), 1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await counts(page, '70,553,706,496');

  await page.getByRole('tab', { name: 'Fields' }).focus();
  await page.keyboard.press('ArrowRight');
  await becomes(() => page.locator('.config-text').isVisible(), true);
  await page.keyboard.press('ArrowLeft');

  await line(page, 'model').locator('button').focus();
  await page.keyboard.press('ArrowDown');
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'layers.[0-79]');
  await page.keyboard.press('ArrowLeft');
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-expanded')), 'false');
  await becomes(() => line(page, 'self_attn').count(), 0);
  await page.keyboard.press('ArrowRight');
  await becomes(() => line(page, 'self_attn').count(), 1);
});

everywhere('the focus stays while the answer changes', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'hidden_size').click();
  await page.keyboard.press('Home');
  await page.keyboard.type('1');
  await becomes(() => field(page, 'hidden_size').inputValue(), '14,096');
  const at = await field(page, 'hidden_size').evaluate((input) =>
    input === document.activeElement ? /** @type {HTMLInputElement} */ (input).selectionStart : undefined,
  );
  assert.equal(at, 1);
});

everywhere('the colours follow the switch, and the choice is stored', async ({ page, open }) => {
  await open();
  await ready(page);
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole('radio', { name: 'dark' }).check({ force: true });
  await eventually(async () => (await ground()) !== light, 'dark');
  await page.reload();
  await ready(page);
  await eventually(() => page.getByRole('radio', { name: 'dark' }).isChecked(), 'still chosen');
  assert.notEqual(await ground(), light);
});

everywhere(
  'a stored dark theme does not flash light',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await page.getByRole('radio', { name: 'dark' }).check({ force: true });
    await becomes(() => page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    // The colour scheme must be set even if the page's scripts fail to load.
    await page.route(/page-.*\.js/, (route) => route.abort());
    await page.addInitScript(() =>
      addEventListener('load', () => Object.assign(window, { early: getComputedStyle(document.documentElement).colorScheme })),
    );
    await page.reload();
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).early), 'dark');
  },
  { places: ['hosted'], faults: /ERR_FAILED|NS_ERROR|Failed to (load|fetch)|Loading failed|Loading module|error loading|^thrown: / },
);

everywhere(
  'print shows the number, the totals, the formula and the whole table, and no form',
  async ({ page, open }) => {
    await open('#m=deepseek-ai/DeepSeek-V3');
    await counts(page, '671,026,404,352');
    await page
      .getByRole('button', { name: 'q_proj.weight' })
      .or(page.getByRole('button', { name: 'o_proj.weight: its 61 tensors' }))
      .first()
      .click();
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => void dispatchEvent(new Event('beforeprint')));
    for (const selector of ['.number', '.account', 'div.formula', '.tensors'])
      assert.equal(await page.locator(selector).isVisible(), true, selector);
    for (const selector of ['.panel', '.picker', '.theme', '.tools'])
      assert.equal(await page.locator(selector).first().isVisible(), false, selector);
    assert.equal(await line(page, 'lm_head.weight').count(), 1);
    assert.doesNotMatch(await page.locator('.tensors tbody').innerText(), /…/);
    // 703 pixels are the width of A4 paper without its margins. The column of totals must fit.
    await page.setViewportSize({ width: 703, height: 1000 });
    const [right, wide] = await page
      .locator('.tensors')
      .evaluate((element) => [
        Math.max(...[...element.querySelectorAll('.total')].map((cell) => cell.getBoundingClientRect().right)),
        document.documentElement.clientWidth,
      ]);
    assert.ok(right <= wide, `${right} of ${wide}`);
    const ends = await page
      .locator('.tensors :is(tbody tr:first-child, .grand) .total')
      .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().right)));
    assert.equal(ends[0], ends[1]);
    assert.match(await page.locator('.printed').innerText(), /#m=deepseek-ai\/DeepSeek-V3, 20\d\d-\d\d-\d\d$/, 'an address and a date');
    const gaps = await page.locator('.answer > *').evaluateAll((parts) => {
      const boxes = parts.map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0);
      return boxes.slice(1).map(({ top }, i) => top - boxes[i].bottom);
    });
    assert.ok(Math.max(...gaps) < 50, `no empty halves: ${gaps}`);
    assert.ok((await page.pdf()).length > 10_000);
  },
  { names: ['chromium'], dark: true },
);

everywhere(
  'in print every view begins at the same edge, and control values are text',
  async ({ page, open }) => {
    await page.setViewportSize({ width: 703, height: 1000 });
    for (const view of ['', '#derive', '#compare', '#memory', '#read', '#check', '#articles', '#target', '#models', '#design']) {
      await page.goto('about:blank');
      await open(view);
      await ready(page);
      await page.locator('main :is(h1, h2)').first().waitFor();
      await page.emulateMedia({ media: 'print' });
      const edges = await page
        .locator('.masthead h1, main :is(h1, h2)')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)).filter((left) => left !== 0));
      assert.deepEqual(edges, [], `${view}: headings that are indented`);
      const framed = await page
        .locator('main :is(input, select, textarea, .primary)')
        .evaluateAll((all) => all.filter((one) => one.checkVisibility() && getComputedStyle(one).borderTopStyle !== 'none').map((one) => one.outerHTML)); // prettier-ignore
      assert.deepEqual(framed, [], view);
      await page.emulateMedia({ media: 'screen' });
    }
  },
  { names: ['chromium'] },
);

everywhere(
  'rows that print leaves out are reported',
  async ({ page, open }) => {
    await open('#m=deepseek-ai/DeepSeek-V3');
    await counts(page, '671,026,404,352');
    await page.getByRole('button', { name: 'gate_proj.weight: its 14,848 tensors' }).first().click();
    await eventually(async () => Number(await page.locator('.tensors').getAttribute('aria-rowcount')) > 14_848, 'opened');
    // In print, thousands of table rows are drawn, and the page must state how many are left out.
    const told = await page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'));
      const text = document.querySelector('.tensors .nothing')?.textContent;
      dispatchEvent(new Event('afterprint'));
      return text;
    });
    assert.match(told ?? '', /… and 11,\d\d\d more rows \(not printed\)/);
    await becomes(() => page.locator('.tensors .nothing').count(), 0);
  },
  { names: ['chromium'], places: ['hosted'] },
);

everywhere(
  'forced colours keep parts and selections distinguishable',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await page.emulateMedia({ forcedColors: 'active' });
    const colours = await page
      .locator('.slab[data-depth="0"]')
      .evaluateAll((slabs) => slabs.map((slab) => getComputedStyle(slab).backgroundColor));
    assert.equal(new Set(colours).size, colours.length);
    const tabs = await page.getByRole('tab').evaluateAll((all) => all.map((tab) => getComputedStyle(tab).backgroundColor));
    assert.notEqual(tabs[0], tabs[1]);
    assert.doesNotMatch(tabs[0], /, 0\)$/, 'seen through');
    await open('#memory;t=llama');
    await page.locator('.memory-legend').waitFor();
    const legend = await page
      .locator('.memory-legend dt')
      .evaluateAll((all) => all.map((name) => getComputedStyle(name, '::before').backgroundColor));
    assert.equal(new Set(legend).size, legend.length);
    await open('#articles;t=llama');
    const article = (/** @type {boolean} */ pressed) =>
      page
        .locator(`.choices [aria-pressed=${pressed}]`)
        .first()
        .evaluate((button) => getComputedStyle(button).backgroundColor);
    assert.notEqual(await article(true), await article(false));
  },
  { names: ['chromium'], places: ['hosted'] },
);
