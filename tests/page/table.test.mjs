// Tests the tensor table, from a total down to single tensors and back up.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { becomes, counts, eventually, field, filter, formula, line, lines, reads, ready, table, written } from './page.mjs';

everywhere('a repeated row opens to its tensors, and only visible ones are drawn', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await counts(page, '671,026,404,352');
  await page.getByRole('button', { name: 'gate_proj.weight: its 14,848 tensors' }).first().click();
  await eventually(async () => Number(await page.locator('.tensors').getAttribute('aria-rowcount')) > 14_848, 'opened');
  await table(page).evaluate((box) => void (box.scrollTop = box.scrollHeight / 2));
  await page.waitForFunction(() => document.querySelector('.tensors tbody')?.textContent?.includes('experts.1'));
  assert.ok((await page.locator('.tensors tbody tr').count()) < 120);
  await table(page).evaluate((box) => void (box.scrollTop = box.scrollHeight));
  await line(page, 'lm_head.weight').waitFor();
  assert.match(await page.locator('.tensors tfoot').innerText(), /671,026,404,352[\s\S]*14,848/);
});

everywhere('row headings are announced once', async ({ page, open }) => {
  await open();
  await ready(page);
  await line(page, 'q_proj.weight').waitFor();
  const heads = [...(await page.locator('.tensors').ariaSnapshot()).matchAll(/rowheader "([^"]+)"/g)].map(([, name]) => name);
  assert.ok(
    heads.some((name) => name.startsWith('q_proj.weight: its 32 tensors')),
    heads.join('\n'),
  );
  for (const name of heads) {
    const [label] = name.split(/[:,]/);
    assert.equal(name.split(label).length, 2, name);
  }
});

everywhere('by part, by name, and all closed', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('radio', { name: 'by part' }).click({ force: true });
  await reads(() => written(line(page, 'Feed-forward')), /5,637,144,576/);
  await page.getByRole('button', { name: 'Close all' }).click();
  await becomes(() => page.locator('.tensors tbody tr').count(), 6); // five parts, and a group of tensors that only some files contain
  await filter(page).fill('mlp up');
  await page.getByRole('button', { name: 'Open all' }).click();
  await reads(() => written(page.locator('.tensors tbody')), /up_proj/);
  await reads(() => page.locator('.tensors tfoot').innerText(), /Shown here\s+1,879,048,192/);
  await filter(page).fill('');
  await page.getByRole('radio', { name: 'names' }).click({ force: true });
  await page.getByRole('button', { name: 'Open all' }).click();
  await reads(() => written(line(page, 'model.embed_tokens.weight')), /vocab_size/);
});

everywhere('what files also store is marked with the reason, and not counted', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await counts(page, '671,026,404,352');
  const beside = (/** @type {string} */ label) => page.locator('.tensors tbody tr', { has: page.locator('.sentence', { hasText: label }) });
  await table(page).evaluate((box) => void (box.scrollTop = box.scrollHeight));
  // The published files contain 684,531,386,000 elements. The model with its buffers has 671,026,419,200.
  await reads(() => written(beside('Also in the published files')), /13,504,966,800/);
  await reads(() => written(beside('An extra prediction (MTP) layer')), /13,463,426,304\s*$/);
  await page.getByRole('button', { name: /^An extra prediction/ }).click();
  await becomes(() => line(page, 'model.layers.61').count(), 1);
  assert.match(
    await page.locator('.tensors tfoot').innerText(),
    /Parameters\s+671,026,404,352[\s\S]*Also in the files, not counted\s+13,504,966,800/,
  );
  const total = page.locator('.other-totals div', { has: page.getByRole('button', { name: 'In the published files' }) });
  assert.match(await total.innerText(), /684,531,386,000/);
  assert.match((await total.getByRole('tooltip', { includeHidden: true }).textContent()) ?? '', /elements of the published files/);
});

everywhere('the filter finds layers by index and shows only that layer; an empty result is reported', async ({ page, open }) => {
  await open();
  await ready(page);
  await filter(page).fill('q_proj, layers 3');
  await becomes(() => line(page, 'model.layers.3.self_attn.q_proj.weight').count(), 1);
  assert.match(await page.locator('.tensors tfoot').innerText(), /Shown here\s+16,777,216/);
  await filter(page).fill('layers 5');
  await eventually(async () => (await lines(page)).includes('up_proj.weight'), 'the whole layer');
  assert.ok((await lines(page)).includes('model.layers.5'));
  await filter(page).fill('model.layers.31.mlp.down_proj.weight');
  await becomes(() => line(page, 'model.layers.31.mlp.down_proj.weight').count(), 1);
  await filter(page).fill('no such thing');
  await reads(() => written(page.locator('.tensors tbody')), /No tensor name matches “no such thing”/);
  await open('#m=deepseek-ai/DeepSeek-V3');
  await counts(page, '671,026,404,352');
  await filter(page).fill('layers 3');
  await eventually(
    async () => (await lines(page)).includes('self_attn') && (await lines(page)).includes('experts.[0-255]'),
    'attention and experts',
  );
});

everywhere('of more copies than are listed the last line has no earlier total', async ({ page, open }) => {
  await open('#t=llama&num_hidden_layers=1000000');
  await ready(page);
  await page.getByRole('button', { name: 'q_proj.weight: its 1,000,000 tensors' }).click();
  await field(page, 'hidden_size').fill('2048');
  await eventually(async () => (await page.locator('.tensors tbody tr[data-changed]').count()) > 0, 'a change');
  const last = page.locator('.tensors tbody tr', { hasText: 'not listed' });
  await table(page).evaluate((box) => {
    const rows = /** @type {HTMLElement} */ (box.querySelector('tbody')).offsetHeight;
    box.scrollTop = rows - 2 * box.clientHeight;
  });
  for (let i = 0; i < 20 && (await last.count()) === 0; i++) await table(page).evaluate((box) => void (box.scrollTop += 200));
  assert.equal(await last.getAttribute('data-changed'), null);
});

everywhere('a part of the breakdown leads to its tensors', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await ready(page);
  await page.locator('button.part', { hasText: /^Attention$/ }).click();
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Attention');
  const [head, row, above] = await Promise.all([
    page.locator('.tensors thead').evaluate((one) => one.getBoundingClientRect().bottom),
    page.locator('.tensors tbody tr:focus-within').evaluate((one) => one.getBoundingClientRect().top),
    page.locator('.tensors tbody tr:focus-within').evaluate((one) => one.getBoundingClientRect().height),
  ]);
  assert.ok(Math.abs(row - head - above) < 2, `${row} is one row below ${head}`);
  await open();
  await page.getByRole('button', { name: 'Norm', exact: true }).click();
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Norm');
  assert.equal(await page.getByRole('radio', { name: 'by part' }).isChecked(), true);
});

everywhere('a symbol highlights its field and the rows that use it', async ({ page, open }) => {
  await open();
  await ready(page);
  const legend = page.locator('.legend button[data-symbol=intermediate_size]');
  await legend.focus();
  await eventually(async () => (await page.locator('[data-field=intermediate_size]').getAttribute('data-lit')) !== null, 'the field');
  assert.notEqual(await line(page, 'up_proj.weight').getAttribute('data-lit'), null);
  assert.equal(await line(page, 'q_proj.weight').getAttribute('data-lit'), null);
  await becomes(() => formula(page).locator('[data-lit]').count(), 1);
  await legend.click();
  await eventually(() => field(page, 'intermediate_size').evaluate((input) => input === document.activeElement), 'goes to the field');
});

everywhere('the definitions of totals are shown on focus', async ({ page, open }) => {
  await open();
  await ready(page);
  const tip = page.locator('[role=tooltip][id$=tip-active]');
  assert.equal(await tip.isVisible(), false);
  const term = page.getByRole('button', { name: 'Active per token' });
  await term.focus();
  await page.keyboard.press('Shift'); // makes the focus visible, as if it was set with the keyboard
  await term.hover();
  await becomes(() => tip.isVisible(), true);
  await page.keyboard.press('Escape');
  await becomes(() => tip.isVisible(), false);
});

everywhere('bars distinguish shares', async ({ page, open }) => {
  await open('#m=deepseek-ai/DeepSeek-V3');
  await counts(page, '671,026,404,352');
  const width = async (/** @type {string} */ label) => (await line(page, label).locator('.bar').boundingBox())?.width ?? 0;
  const track = (await line(page, 'model').locator('.track').boundingBox())?.width ?? 0;
  assert.ok(Math.abs((await width('model')) / track - 0.9986) < 0.02);
  assert.ok(Math.abs((await width('layers.[3-60].mlp')) / track - 0.9785) < 0.02);
  assert.ok((await width('model')) - (await width('layers.[3-60].mlp')) > 0.5);
});

for (const width of [1366, 1440, 1920, 2560]) {
  everywhere(
    `at ${width} pixels every column is visible, no number is cut, and the page uses the width`,
    async ({ page, open }) => {
      for (const fragment of ['', '#m=deepseek-ai/DeepSeek-V3', '#t=zamba2']) {
        await open(fragment);
        await ready(page);
        await page.waitForTimeout(150);
        const seen = await table(page).evaluate((box) => {
          const { right } = box.getBoundingClientRect();
          const cut = [...box.querySelectorAll('thead th, tbody :is(.copies, .shape, .total, .share), tfoot .total')].filter(
            (cell) => cell.scrollWidth > cell.clientWidth,
          );
          const broken = [...box.querySelectorAll('tbody .numbers')]
            .map(({ textContent }) => textContent ?? '')
            .filter((text) => /[\d,]…/.test(text));
          const ends = [...box.querySelectorAll('thead .copies, thead .share')].map(
            (head) => head.getBoundingClientRect().right <= right + 1,
          );
          return { cut: cut.map(({ textContent }) => textContent), broken, ends, scrolls: box.scrollWidth > box.clientWidth + 1, right };
        });
        assert.deepEqual({ ...seen, right: 0 }, { cut: [], broken: [], ends: [true, true], scrolls: false, right: 0 }, fragment);
        assert.ok(seen.right > width * 0.97, `${fragment}: the page ends at ${seen.right}`);
      }
    },
    { viewport: { width, height: 900 }, names: ['chromium'], places: ['hosted'] },
  );
}

everywhere(
  'on a laptop every product of Llama is complete, and truncated names are marked',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const numbers = () => page.locator('.tensors tbody .numbers').allTextContents();
    await table(page).scrollIntoViewIfNeeded();
    await becomes(async () => (await numbers()).some((text) => text.includes('32 × 128 × 4,096 × 32')), true);
    assert.deepEqual(
      (await numbers()).filter((text) => text.includes('…')),
      [],
    );
    const names = await page.locator('.tensors tbody code').evaluateAll((all) =>
      all.map((name) => ({
        cut: name.scrollWidth > name.clientWidth,
        sign: getComputedStyle(name).textOverflow,
        title: name.getAttribute('title'),
      })),
    );
    for (const { cut, sign, title } of names) if (cut) assert.ok(sign === 'ellipsis' && title, String(title));
    assert.equal(
      await page.locator('.tensor-table .table-box').evaluate((box) => box.scrollWidth <= box.clientWidth),
      true,
      'nothing to push',
    );
  },
  { viewport: { width: 1280, height: 720 } },
);

everywhere(
  'on a phone no label covers its number',
  async ({ page, open }) => {
    await open('#m=deepseek-ai/DeepSeek-V3');
    await counts(page, '671,026,404,352');
    const feet = await page.locator('.tensors tfoot tr').evaluateAll((rows) =>
      rows.map((row) => {
        const label = document.createRange();
        label.selectNodeContents(/** @type {Element} */ (row.querySelector('.label')));
        const number = document.createRange();
        number.selectNodeContents(/** @type {Element} */ (row.querySelector('.total')));
        return { label: label.getBoundingClientRect().right, number: number.getBoundingClientRect().left };
      }),
    );
    assert.ok(feet.length >= 3);
    for (const { label, number } of feet) assert.ok(label <= number, `${label} and ${number}`);
  },
  { viewport: { width: 320, height: 700 } },
);
