// Configurations from elsewhere: dropped, pasted, hostile.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { configText, drop, field, paste, ready, total } from './page.mjs';

const small = { model_type: 'llama', architectures: ['LlamaForCausalLM'], hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 4, intermediate_size: 128, vocab_size: 100 };

everywhere('a dropped file is counted', async ({ page, open }) => {
  await open();
  await ready(page);
  await drop(page, 'small.json', JSON.stringify(small));
  await page.waitForFunction(() => document.querySelector('#model-name')?.textContent === 'small.json');
  assert.equal(await total(page), '95,040');
  assert.equal(await field(page, 'hidden_size').inputValue(), '64');
});

everywhere('a pasted text is counted, wherever it is pasted', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, JSON.stringify(small));
  assert.equal(await total(page), '95,040');
  await paste(page, JSON.stringify({ ...small, num_hidden_layers: 1 }), '#model');
  assert.equal(await total(page), '53,952');
});

everywhere('an unknown architecture gets the nearest names, never a number', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, '{"model_type": "lama"}');
  assert.match(await page.locator('.refusal').innerText(), /lama.*llama/);
  assert.notEqual(await page.locator('#answer').getAttribute('data-stale'), null);
  await page.getByRole('button', { name: 'use llama' }).click();
  assert.equal(await total(page), '6,738,415,616');
});

everywhere('a field that must be given can be given in the form', async ({ page, open }) => {
  await open('#t=ministral');
  await ready(page);
  assert.match(await page.locator('[id="field-head_dim-error"]').innerText(), /head_dim must be given/);
  await field(page, 'head_dim').fill('128');
  assert.match(await total(page), /^\d{1,3}(,\d{3})+$/);
  assert.equal(await field(page, 'head_dim').inputValue(), '128');
  assert.ok(await field(page, 'hidden_size').isVisible());
});

everywhere('a mistake in a pasted text of another type is at its field', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, '{"model_type": "gpt2", "n_embd": "wide"}');
  assert.match(await page.locator('[id="field-n_embd-error"], [id="field-hidden_size-error"]').innerText(), /"wide"/);
  assert.equal(await page.locator('.field', { hasText: 'wide' }).locator('input').inputValue(), 'wide');
});

everywhere('nothing in a configuration is ever run or read as markup', async ({ page, open }) => {
  await open();
  await ready(page);
  const mark = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>\u202ejavascript:globalThis.ran=1';
  const text = `{"__proto__": {"polluted": 1}, "constructor": ${JSON.stringify(mark)}, ${JSON.stringify(mark)}: ${JSON.stringify(mark)}, "model_type": "llama", "_name_or_path": ${JSON.stringify(mark)}, "hidden_act": ${JSON.stringify(mark)}}`;
  await drop(page, `${mark}.json`, text);
  await page.waitForFunction(() => document.querySelector('#model-name')?.textContent?.includes('onerror'));
  await page.locator('.ignored summary').click();
  await page.locator('value-sources summary').click();
  await page.getByRole('tab', { name: 'config.json' }).click();
  assert.equal(await configText(page), text);
  await paste(page, JSON.stringify({ model_type: mark }));
  await paste(page, JSON.stringify({ model_type: 'llama', architectures: [mark] }));
  await paste(page, JSON.stringify({ model_type: 'llama', hidden_size: mark }));
  const found = await page.evaluate(() => [/** @type {any} */ (globalThis).ran, /** @type {any} */ ({}).polluted, document.querySelectorAll('img, main script, aside script').length]);
  assert.deepEqual(found, [undefined, undefined, 0]);
});

everywhere('a text of a megabyte, and one too large, leave the page alive', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, JSON.stringify({ ...small, padding: 'x'.repeat(1_000_000) }));
  assert.equal(await total(page), '95,040');
  await drop(page, 'large.json', ' '.repeat(10_000_001));
  await page.waitForFunction(() => document.querySelector('#banner')?.textContent?.includes('10,000,001'));
  await paste(page, '{"a":'.repeat(100_000));
  assert.notEqual(await page.locator('#answer').getAttribute('data-stale'), null);
  await paste(page, JSON.stringify(small));
  assert.equal(await total(page), '95,040');
}, { places: ['hosted'] });
