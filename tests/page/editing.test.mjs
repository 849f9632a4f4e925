// Edits in the form and in the text, each answered at once; mistakes stand at their field.

import assert from 'node:assert/strict';
import { everywhere } from './browsers.mjs';
import { configText, errorAt, eventually, field, line, ready, total } from './page.mjs';

everywhere('each keystroke counts, and what changed is marked', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'vocab_size').fill('');
  assert.equal(await total(page), '7,241,732,096', 'empty: the default counts');
  await field(page, 'vocab_size').pressSequentially('128,000');
  assert.equal(await field(page, 'vocab_size').inputValue(), '128,000', 'what was typed stays');
  assert.equal(await total(page), '8,028,164,096');
  assert.equal(await page.locator('.was s').innerText(), '8,030,261,248');
  assert.equal(await page.locator('.change').innerText(), '−2,097,152');
  assert.notEqual(await line(page, 'lm_head.weight').getAttribute('data-changed'), null);
  assert.equal(await line(page, 'q_proj.weight').getAttribute('data-changed'), null);
  assert.match(await configText(page), /"vocab_size": 128000/);
  await eventually(async () => (await page.locator('#announcer').innerText()) === '8,028,164,096 parameters, −2,097,152', 'the total is announced');
});

everywhere('numbers may be short, and the field says what it took', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'hidden_size').fill('8k');
  assert.equal(await page.locator('[id="field-hidden_size-taken"]').innerText(), '8k taken as 8,192, k being 1,024');
  assert.match(await configText(page), /"hidden_size": 8192,/);
  await field(page, 'hidden_size').blur();
  assert.equal(await field(page, 'hidden_size').inputValue(), '8,192');
});

everywhere('arrow keys step heads by one and widths by 64', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'num_hidden_layers').press('ArrowUp');
  assert.equal(await field(page, 'num_hidden_layers').inputValue(), '33');
  await field(page, 'intermediate_size').press('ArrowDown');
  assert.equal(await field(page, 'intermediate_size').inputValue(), '14,272');
});

everywhere('an error stands at its field, and the last valid answer stays', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'hidden_size').fill('4097');
  assert.match(await errorAt(page, 'hidden_size').innerText(), /hidden_size.*4,097/);
  assert.equal(await field(page, 'hidden_size').getAttribute('aria-invalid'), 'true');
  assert.match((await field(page, 'hidden_size').getAttribute('aria-describedby')) ?? '', /field-hidden_size-error/);
  assert.equal(await total(page), '8,030,261,248');
  assert.notEqual(await page.locator('#answer').getAttribute('data-stale'), null);
  await field(page, 'num_attention_heads').fill('abc');
  await field(page, 'hidden_size').fill('4096');
  assert.match(await errorAt(page, 'num_attention_heads').innerText(), /"abc"/);
  assert.equal(await field(page, 'num_attention_heads').inputValue(), 'abc', 'what was typed stays');
  await field(page, 'num_attention_heads').fill('32');
  assert.equal(await page.locator('#answer').getAttribute('data-stale'), null);
  assert.equal(await errorAt(page, 'num_attention_heads').isVisible(), false);
});

everywhere('integers beyond 2^53 keep their digits', async ({ page, open }) => {
  await open('#t=generic&hidden_size=32');
  await ready(page);
  await field(page, 'vocab_size').fill('9007199254740993');
  assert.match(await configText(page), /"vocab_size": 9007199254740993/);
  assert.match(await page.locator('.legend').innerText(), /9,007,199,254,740,993/);
});

everywhere('switches, taking a field out, undo', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('switch', { name: 'tie_word_embeddings' }).check();
  assert.equal(await total(page), '7,504,924,672');
  assert.match(await line(page, 'lm_head.weight').innerText(), /tied/);
  await page.getByRole('button', { name: /take num_key_value_heads out/ }).click();
  assert.doesNotMatch(await configText(page), /num_key_value_heads/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await total(page), '8,030,261,248');
  assert.match(await page.locator('.check').innerText(), /equals/);
  await page.getByRole('button', { name: 'Redo' }).click();
  assert.equal(await total(page), '7,504,924,672');
});

everywhere('the class decides the head', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('combobox', { name: 'Architecture' }).selectOption('LlamaModel');
  assert.equal(await total(page), '7,504,924,672');
  assert.match(await configText(page), /"architectures": \["LlamaModel"\]/);
});

everywhere('the text is edited in both directions, and keeps what it does not concern', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('tab', { name: 'config.json' }).click();
  const odd = '{"zeta" : 1,\n\n"model_type":"llama", "hidden_size": 2048, "own key": {"a": [1,2]},   "num_hidden_layers": 2}';
  await page.locator('#config-text').fill(odd);
  await page.getByRole('tab', { name: 'Fields' }).click();
  assert.equal(await field(page, 'hidden_size').inputValue(), '2,048');
  await field(page, 'hidden_size').fill('1024');
  assert.equal(await configText(page), odd.replace('2048', '1024'));
});

everywhere('malformed text is refused at its line', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('tab', { name: 'config.json' }).click();
  await page.locator('#config-text').fill('{\n  "model_type": "llama",\n  "hidden_size": 4096,,\n}');
  await page.getByRole('button', { name: /^line 3, column/ }).click();
  const caret = await page.locator('#config-text').evaluate((area) => /** @type {HTMLTextAreaElement} */ (area).value.slice(0, /** @type {HTMLTextAreaElement} */ (area).selectionStart).split('\n').length);
  assert.equal(caret, 3);
  assert.equal(await total(page), '8,030,261,248');
});

everywhere('layers of several kinds are a strip', async ({ page, open }) => {
  await open('#t=nemotron_h');
  await ready(page);
  const cells = page.locator('.cells button');
  const before = await cells.count();
  await page.getByRole('button', { name: 'Add a layer like the last' }).click();
  assert.equal(await cells.count(), before + 1);
  const first = await cells.first().getAttribute('aria-label');
  await cells.first().click();
  assert.notEqual(await cells.first().getAttribute('aria-label'), first);
  assert.match(await configText(page), /"layers_block_type": \[/);
});
