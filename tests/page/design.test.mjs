// Tests designing a model of one's own: creating it, editing it, and using it in the other views.

import assert from 'node:assert/strict';
import { unpack } from '../../web/config/link.ts';
import { everywhere, inaccessible } from './browsers.mjs';
import { becomes, configText, counts, eventually, field, hash, reads, ready } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const pattern = (/** @type {Page} */ page, /** @type {string} */ name) =>
  page.getByRole('textbox', { name: `${name} as a pattern`, exact: true });
/** Goes to a view by its tab or by its card. @param {Page} page @param {string} view */
async function go(page, view) {
  if (!['Count', 'Compare', 'Memory'].includes(view)) await page.getByRole('link', { name: 'More', exact: true }).click();
  await page.getByRole('link', { name: view, exact: true }).click();
}

// Calculated by hand: a table of 32,000 × 2,048, which is shared with the head; 24 layers with attention (16 query heads and 4 key-value
// heads of 128 dimensions), three matrices of 2,048 × 5,632 and two norms; and the final norm.
const [TABLE, ATTENTION, FEED, NORM] = [32_000 * 2048, 2 * 2048 * 2048 + 2 * 2048 * 512, 3 * 2048 * 5632, 2048];
const grouped = (/** @type {number} */ count) => count.toLocaleString('en-US');

everywhere('a model is taken apart into settings, and what settings cannot express is named', async ({ page, open, place }) => {
  await open('#design;m=meta-llama/Llama-3.1-8B');
  await ready(page);
  // The settings of the current model are shown before the user chooses a template.
  await reads(() => page.locator('.design-settings').innerText(), /num_key_value_heads\s+8/);
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
  await page.getByRole('button', { name: /^Take Llama 3\.1 8B apart/ }).click();
  await reads(
    () => page.locator('.column [role=status]').innerText(),
    /^These settings give the same tensors as Llama 3\.1 8B, under other names\.$/,
  );
  await becomes(() => page.locator('.number').innerText(), '8,030,261,248');
  await field(page, 'num_hidden_layers').fill('16');
  await becomes(() => page.locator('.number').innerText(), '4,540,469,248');
  if (place === 'hosted') assert.deepEqual(await inaccessible(page), []);
  await open('#design;t=llava');
  await ready(page);
  await page.getByRole('button', { name: /apart/ }).click();
  await reads(() => page.locator('.column [role=status]').innerText(), /The differences:[\s\S]*vision_tower/);
});

everywhere('a new design is a small model with a pattern of letters for its layers; its link restores it', async ({ page, open }) => {
  await open('#design');
  await ready(page);
  await page.getByRole('button', { name: 'Grouped queries' }).click();
  const whole = TABLE + 24 * (ATTENTION + FEED + 2 * NORM) + NORM;
  await counts(page, grouped(whole));
  await pattern(page, 'layer_types').fill('AA-'); // no attention in every third layer, and no norm before it
  await counts(page, grouped(whole - 8 * (ATTENTION + NORM)));
  assert.deepEqual(JSON.parse(await configText(page)).layer_types.slice(1, 4), ['full_attention', 'none', 'full_attention']);
  await becomes(() => page.locator('.blocks figure').count(), 2);
  await pattern(page, 'layer_types').pressSequentially('X');
  await reads(
    () => page.locator('[data-field=layer_types] .taken').innerText(),
    /^X is not a kind of layer\. The kinds are: A full_attention, W sliding_attention/,
  );
  await counts(page, grouped(whole - 8 * (ATTENTION + NORM)));
  await pattern(page, 'layer_types').fill('');
  await counts(page, grouped(whole));
  await pattern(page, 'mlp_layer_types').pressSequentially('D-');
  await counts(page, grouped(whole - 12 * (FEED + NORM)));
  // The address follows each key a little later.
  await eventually(async () => {
    const [, packed] = /^#design;c=(.+)/.exec(await hash(page)) ?? [];
    return packed !== undefined && JSON.parse(await unpack(packed)).mlp_layer_types?.[1] === 'none';
  }, 'the address contains the pattern');
  await page.reload();
  await ready(page);
  await counts(page, grouped(whole - 12 * (FEED + NORM)));
  // If a list has the wrong length, the message states both its length and the number of layers.
  await field(page, 'num_hidden_layers').fill('23');
  await reads(() => page.locator('.trouble').first().innerText(), /23[^]*24|24[^]*23/);
});

everywhere('a design begins with a template, and a click on a letter writes the pattern', async ({ page, open }) => {
  await open('#design');
  await ready(page);
  await page.getByRole('button', { name: 'Hybrid' }).click();
  // Calculated by hand: Mamba-2 with 64 heads of 64 dimensions in 20 of 24 layers. Its tensors: the input projection to z, x, B, C and dt;
  // a convolution over x, B and C; A, D and the bias of dt; a norm; the output projection.
  const [inner, states] = [64 * 64, 2 * 128];
  const mamba = 2048 * (2 * inner + states + 64) + (inner + states) * (4 + 1) + 3 * 64 + inner + inner * 2048;
  const hybrid = TABLE + 24 * (FEED + 2 * NORM) + 4 * ATTENTION + 20 * mamba + NORM;
  await counts(page, grouped(hybrid));
  const legend = page.getByRole('group', { name: 'Letters of layer_types' });
  await legend.getByRole('button', { name: 'A full_attention' }).click();
  await counts(page, grouped(TABLE + 24 * (ATTENTION + FEED + 2 * NORM) + NORM));
  await legend.getByRole('button', { name: 'S mamba2' }).click();
  await becomes(() => pattern(page, 'layer_types').inputValue(), 'AS');
  await counts(page, grouped(hybrid + 8 * ATTENTION - 8 * mamba));
  await page.getByRole('button', { name: 'Mixture of experts' }).click();
  // 23 layers with 32 experts and a shared one, with three matrices of 2,048 × 1,408 each, and a router. The first layer is dense.
  await counts(page, grouped(TABLE + 24 * (ATTENTION + 2 * NORM) + FEED + 23 * (33 * 3 * 2048 * 1408 + 32 * 2048) + NORM));
});

everywhere('a design works in other views: memory, a target over its fields, an export', async ({ page, open }) => {
  await open('#design');
  await ready(page);
  await page.getByRole('button', { name: 'Grouped queries' }).click();
  await counts(page, grouped(TABLE + 24 * (ATTENTION + FEED + 2 * NORM) + NORM));
  await page.getByText('Export', { exact: true }).click();
  await page.getByLabel('JSON', { exact: true }).check({ force: true });
  await reads(() => page.locator('.exports pre, .take pre').first().innerText(), /"model_type": "generic"/);
  await go(page, 'Memory');
  await reads(() => page.locator('main').innerText(), /Weights\s+2\.30 GB/);
  await go(page, 'Target size');
  await page.getByRole('textbox', { name: /^Parameters/ }).fill('2B');
  await page.getByRole('button', { name: 'Search' }).click();
  await reads(() => page.locator('main').innerText(), /configurations\.[\s\S]*Nearest configurations/);
});

everywhere('by keyboard alone a model is taken apart and changed', async ({ page, open }) => {
  await open('#design;m=openai-community/gpt2');
  await ready(page);
  await page.locator('main').focus();
  for (const name of [/^Grouped queries$/, /^Take GPT-2.* apart$/])
    for (let i = 0; !name.test((await page.evaluate(() => document.activeElement?.textContent)) ?? ''); i++) {
      assert.ok(i < 5, String(name));
      await page.keyboard.press('Tab');
    }
  await page.keyboard.press('Enter');
  await counts(page, '124,439,808');
  await reads(() => page.locator('.column [role=status]').innerText(), /^These settings give the same tensors as GPT-2/);
});
