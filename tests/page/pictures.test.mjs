// Tests the pictures: the icicle chart, which zooms together with the table, and the drawing of a layer. What is highlighted in one of them
// must be highlighted in the others.

import assert from 'node:assert/strict';
import { everywhere, inaccessible } from './browsers.mjs';
import { becomes, counts, eventually, field, line, reads, ready, saved } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const slab = (/** @type {Page} */ page, /** @type {RegExp} */ name) => page.getByRole('treeitem', { name });
const crumbs = (/** @type {Page} */ page) => page.locator('.crumb').allInnerTexts();
const blocks = (/** @type {Page} */ page) => page.locator('.blocks figure');

everywhere('the icicle zooms into a group, the table opens it; breadcrumbs lead back', async ({ page, open }) => {
  await open();
  await ready(page);
  await line(page, 'layers.[0-31]').getByRole('button').click(); // collapsed in the table, so the picture shows the whole model
  assert.deepEqual(await crumbs(page), ['Llama 3.1 8B']);
  await slab(page, /^Feed-forward: 5,637,144,576 parameters, 70\.20%/).click();
  await reads(async () => (await crumbs(page)).join(), /^Llama 3\.1 8B,Feed-forward/);
  await eventually(() => line(page, 'down_proj.weight').isVisible(), 'its tensors in the table');
  assert.equal(await slab(page, /^Attention/).count(), 0);
  await page.getByRole('button', { name: 'Llama 3.1 8B', exact: true }).click();
  await eventually(() => slab(page, /^Attention/).isVisible(), 'all of the model');
});

everywhere('by keyboard: arrows move, Enter zooms in, Escape zooms out, and the focus stays in the picture', async ({ page, open }) => {
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  await open();
  await ready(page);
  await slab(page, /^Embedding/).focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await focused(), /^Attention/);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /self_attn: 1,342,177,280/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await reads(async () => (await crumbs(page)).join(), /Attention/);
  await reads(focused, /^q_proj/);
  await page.keyboard.press('Escape');
  await reads(async () => (await crumbs(page)).join(), /^Llama 3\.1 8B$/);
  await reads(focused, /self_attn: 1,342,177,280/);
});

everywhere('the Tab key stops once in the icicle and once in the drawing of a layer', async ({ page, open }) => {
  await open();
  await ready(page);
  await blocks(page).first().waitFor();
  await page.getByRole('treeitem').first().focus();
  const next = async () => {
    await page.keyboard.press('Tab');
    return page.evaluate(() => {
      const at = document.activeElement;
      return at?.closest('svg') ? 'a shape' : (at?.textContent ?? '');
    });
  };
  const stops = [await next()];
  while (!stops.at(-1)?.startsWith('input_layernorm') && stops.length < 80) stops.push(await next());
  assert.deepEqual(
    stops.filter((stop) => stop === 'a shape'),
    [],
  );
  assert.match(await next(), /No grouped queries/);
});

everywhere('a share in the picture is complete or hidden at any width', async ({ page, open }) => {
  await open();
  await ready(page);
  for (const [width, shown] of /** @type {const} */ ([
    [1400, '16.71% 70.20%'],
    [390, '70.20%'],
    [300, '70.20%'],
  ])) {
    await page.setViewportSize({ width, height: 800 });
    await becomes(
      () =>
        page.locator('.slab .share').evaluateAll((shares) =>
          shares
            .filter((share) => share.clientWidth > 0 && getComputedStyle(share).color !== 'rgba(0, 0, 0, 0)')
            .map((share) => `${share.textContent}${share.scrollWidth > share.clientWidth ? ' is cut' : ''}`)
            .join(' '),
        ),
      shown,
    );
  }
});

everywhere('what is pointed at is highlighted in the picture, in the block and in the table', async ({ page, open }) => {
  const isLit = async (/** @type {string} */ name) => (await line(page, name).getAttribute('data-pointed')) !== null;
  await open();
  await ready(page);
  await blocks(page).first().waitFor();
  await line(page, 'up_proj.weight').hover();
  await eventually(async () => (await slab(page, /^up_proj/).getAttribute('data-lit')) !== null, 'the slab');
  await eventually(async () => (await page.locator('.drawing rect[data-lit]').count()) > 0, 'the box');
  // Sets the focus without scrolling, so that the pointer, which rests on a table row, does not end up above another element.
  await page.getByRole('button', { name: /^q_proj: 4,096 × 4,096/ }).evaluate((button) => button.focus({ preventScroll: true }));
  await eventually(() => isLit('q_proj.weight'), 'the row of what is focused');
  assert.deepEqual([await isLit('q_proj.weight'), await isLit('up_proj.weight')], [true, false]);
  await page.mouse.move(2, 2);
  await line(page, 'down_proj.weight').hover();
  await eventually(() => isLit('down_proj.weight'), 'the row of what is pointed at');
  assert.equal(await isLit('q_proj.weight'), false);
});

everywhere('each kind of layer is a block with the number of its layers; an edit redraws it', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await counts(page, '671,026,404,352');
  await becomes(() => blocks(page).count(), 2);
  assert.match(await blocks(page).nth(1).locator('figcaption').innerText(), /model\.layers\.\[3-60\]\s*× 58/);
  assert.ok(await page.getByRole('list', { name: /One of the 58 layers/ }).isVisible());
  await field(page, 'num_hidden_layers').fill('40');
  await reads(() => blocks(page).nth(1).locator('figcaption').innerText(), /× 37/);
});

everywhere('a vision model’s layers are drawn, a convolution with its kernel', async ({ page, open }) => {
  await open('#t=resnet');
  await counts(page, '23,508,032');
  await becomes(() => blocks(page).count(), 2);
  assert.match(
    await blocks(page).nth(1).locator('figcaption').innerText(),
    /encoder\.stages\.2\.layers\.\[1-5\]\s*× 5[\s\S]*with other sizes/,
  );
  assert.ok(await blocks(page).nth(0).getByRole('button', { name: 'convolution: kernel 3 × 3, 64 × 64' }).count());
  await open('#t=swin');
  await counts(page, '27,519,354');
  await becomes(() => blocks(page).count(), 1);
  await open('#t=llava');
  await becomes(() => blocks(page).count(), 2);
  assert.match(await blocks(page).nth(1).locator('figcaption').innerText(), /vision_tower\.encoder\.layers\.\[0-23\]\s*× 24/);
});

everywhere(
  'pictures are saved as standalone files',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const drawn = await saved(page, page.getByRole('button', { name: /^SVG.*picture as SVG: Llama 3\.1 8B$/ }));
    assert.equal(drawn.name, 'Llama-3.1-8B.svg');
    assert.match(drawn.bytes.toString(), /^<svg[\s\S]*Feed-forward[\s\S]*<\/svg>\n$/);
    await blocks(page).first().waitFor();
    const { bytes } = await saved(page, blocks(page).getByRole('button', { name: /^PNG/ }));
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(bytes.length > 10_000, String(bytes.length));
  },
  { acceptDownloads: true },
);

for (const dark of [false, true]) {
  everywhere(
    `the zoomed picture is accessible (${dark ? 'dark' : 'light'})`,
    async ({ page, open }) => {
      await open();
      await ready(page);
      await blocks(page).first().waitFor();
      await slab(page, /^Attention/).click();
      await page.getByText('Export', { exact: true }).click();
      await page.locator('.preview').waitFor();
      assert.deepEqual(await inaccessible(page), []);
    },
    { dark },
  );
}

everywhere(
  'on a phone nothing is wider than the page, and the whole block is visible',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await blocks(page).first().waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.ok(await page.locator('.blocks').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
  },
  { viewport: { width: 360, height: 800 } },
);

for (const [kind, viewport] of /** @type {const} */ ([
  ['laptop', { width: 1280, height: 720 }],
  ['phone', { width: 390, height: 844 }],
])) {
  everywhere(
    `what k_proj is and why it is smaller than q_proj is explained under the picture, without scrolling, on a ${kind}`,
    async ({ page, open }) => {
      await open();
      await ready(page);
      const caption = page.locator('.caption[role=status]');
      await reads(() => caption.innerText(), /Point at, tap or Tab to a part/);
      const below = () => page.locator('.accounts').evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY));
      const before = await below();
      const key = page.getByRole('treeitem', { name: /^self_attn\.k_proj|^k_proj/ }).first();
      if (kind === 'phone') await key.tap();
      else await key.hover();
      await reads(
        () => caption.innerText(),
        /^k_proj, 1,024 × 4,096 × 32 = 134,217,728, 1\.67%\..*has fewer outputs, because 32 query heads share 8 key heads.*32 key-value heads instead of 8/s,
      );
      assert.equal(await below(), before, 'nothing moves');
      const { top, bottom } = await caption.evaluate((element) => {
        const { y, height } = element.getBoundingClientRect();
        return { top: y, bottom: y + height };
      });
      assert.ok(top >= 0 && bottom <= viewport.height, `in sight: ${top} to ${bottom}`);
      // The caption must stay after the pointer has left the picture.
      if (kind === 'laptop') await page.mouse.move(5, 5);
      assert.match(await caption.innerText(), /^k_proj/);
      if (kind === 'phone') return;
      await page.getByRole('treeitem').first().focus();
      await page.keyboard.press('ArrowRight');
      await reads(() => caption.innerText(), /^Attention, 1,342,177,280, 16\.71%/);
    },
    { viewport, ...(kind === 'phone' && { hasTouch: true, names: ['chromium'] }) },
  );
}

everywhere(
  'the explanation of what is pointed at in a layer is visible, and a clicked one stays',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const box = blocks(page).locator('rect.matrix', { has: page.locator('title', { hasText: 'k_proj' }) });
    const caption = page.locator('.block-sheet .caption');
    await box.waitFor();
    await box.scrollIntoViewIfNeeded();
    // The centre of the box must stay, although the border of a highlighted box is thicker.
    const centre = () =>
      box.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + width / 2, y + height / 2].map(Math.round);
      });
    const before = await centre();
    await box.hover();
    await reads(() => caption.innerText(), /^k_proj, 1,024 × 4,096 × 32 = 134,217,728.*32 key-value heads instead of 8/s);
    const { y = 0, height = 0 } = (await caption.boundingBox()) ?? {};
    assert.ok(y >= 0 && y + height <= 720, `in sight: ${y} to ${y + height}`);
    assert.deepEqual(await centre(), before, 'nothing moves under the pointer');
    await box.click();
    await page.mouse.move(3, 300);
    assert.match(await caption.innerText(), /^k_proj/);
    await reads(async () => (await crumbs(page)).join(), /self_attn/);
  },
  { viewport: { width: 1280, height: 720 } },
);

everywhere('the effect of another choice is a button with its number; it opens as an edit or in Compare', async ({ page, open }) => {
  await open();
  await ready(page);
  const choice = (/** @type {string} */ name) => page.locator('.what-if li', { has: page.getByRole('button', { name, exact: true }) });
  await reads(() => choice('No grouped queries').innerText(), /8,835,567,616\s*\+805,306,368\s*num_key_value_heads 8 → 32/);
  await choice('Half of the layers').getByRole('button', { name: 'Half of the layers', exact: true }).hover();
  await reads(() => choice('No gate in the feed-forward network').innerText(), /6,151,213,056\s*−1,879,048,192/);
  await choice('No grouped queries').getByRole('button', { name: 'No grouped queries', exact: true }).click();
  await counts(page, '8,835,567,616');
  await becomes(() => field(page, 'num_key_value_heads').inputValue(), '32');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await counts(page, '8,030,261,248');
  await page.getByRole('button', { name: 'Compare with: One key-value head' }).click();
  await page.locator('main.compare .matrices').waitFor();
  await reads(() => page.locator('main.compare').innerText(), /7,795,380,224/);
});

everywhere(
  'two clicks put a picture of a model into the clipboard',
  async ({ page, open }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('#m=mistralai/Mixtral-8x7B-v0.1');
    await counts(page, '46,702,792,704');
    await page.getByRole('button', { name: 'Copy picture' }).click();
    await eventually(() => page.locator('.card-buttons').getByText('Copied').isVisible(), 'said');
    const size = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const { width, height } = await createImageBitmap(await item.getType('image/png'));
      return `${width} × ${height}`;
    });
    assert.equal(size, '1200 × 630');
  },
  { names: ['chromium'] },
);
