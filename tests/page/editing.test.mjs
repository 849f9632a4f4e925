// Tests edits in the form and in the text: they must be counted at once, and errors must be shown at their fields.

import assert from 'node:assert/strict';
import { PLACES, everywhere } from './browsers.mjs';
import {
  becomes,
  configText,
  counts,
  errorAt,
  eventually,
  field,
  hash,
  line,
  paste,
  picker,
  reads,
  ready,
  total,
  written,
} from './page.mjs';

everywhere(
  'each keystroke counts, and changes are marked',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await field(page, 'vocab_size').fill('');
    await counts(page, '7,241,732,096'); // if the field is empty, the default applies
    await field(page, 'vocab_size').pressSequentially('128,000');
    await counts(page, '8,028,164,096');
    assert.equal(await field(page, 'vocab_size').inputValue(), '128,000', 'what was typed stays');
    await reads(() => page.locator('.edits').innerText(), /Published: 8,030,261,248\s+changed: vocab_size 128,256 → 128,000\s+−2,097,152/);
    assert.notEqual(await line(page, 'lm_head.weight').getAttribute('data-changed'), null);
    assert.equal(await line(page, 'q_proj.weight').getAttribute('data-changed'), null);
    assert.match(await configText(page), /"vocab_size": 128000/);
    await becomes(() => page.locator('.announcer').innerText(), '8,028,164,096 parameters, −2,097,152');
  },
  { places: PLACES },
);

everywhere('numbers may be abbreviated, and the field shows how it was understood', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'hidden_size').fill('8k');
  await becomes(() => page.locator('[data-field="hidden_size"] .taken').innerText(), '8k read as 8,192, k being 1,024');
  await field(page, 'hidden_size').blur();
  await becomes(() => field(page, 'hidden_size').inputValue(), '8,192');
  assert.match(await configText(page), /"hidden_size": 8192,/);
  await field(page, 'hidden_size').fill('4k');
  await page.locator('[data-field="hidden_size"] .taken').waitFor();
  await field(page, 'hidden_size').press('ArrowUp');
  await becomes(() => field(page, 'hidden_size').inputValue(), '4,160');
  assert.equal(await page.locator('[data-field="hidden_size"] .taken').count(), 0, 'of what was typed before');
});

everywhere('arrow keys use the field’s step: heads by one, widths by 64, a convolution by one', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'num_hidden_layers').press('ArrowUp');
  await becomes(() => field(page, 'num_hidden_layers').inputValue(), '33');
  await field(page, 'intermediate_size').press('ArrowDown');
  await becomes(() => field(page, 'intermediate_size').inputValue(), '14,272');
  await open('#t=zamba2');
  await counts(page, '2,481,848,336');
  await field(page, 'mamba_d_conv').press('ArrowUp');
  await becomes(() => field(page, 'mamba_d_conv').inputValue(), '5');
});

everywhere('an error is shown at its field, and the last valid answer stays', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'hidden_size').fill('4097');
  await reads(() => errorAt(page, 'hidden_size').innerText(), /hidden_size.*4,?097/);
  assert.equal(await field(page, 'hidden_size').getAttribute('aria-invalid'), 'true');
  assert.match((await field(page, 'hidden_size').getAttribute('aria-describedby')) ?? '', /field-hidden_size-error/);
  assert.equal(await total(page), '8,030,261,248');
  assert.notEqual(await page.locator('.answer').getAttribute('data-stale'), null);
  await field(page, 'num_attention_heads').fill('abc');
  await field(page, 'hidden_size').fill('4096');
  await reads(() => errorAt(page, 'num_attention_heads').innerText(), /"abc"/);
  assert.equal(await field(page, 'num_attention_heads').inputValue(), 'abc', 'what was typed stays');
  await field(page, 'num_attention_heads').fill('32');
  await becomes(() => page.locator('.answer').getAttribute('data-stale'), null);
  await becomes(() => errorAt(page, 'num_attention_heads').count(), 0);
});

everywhere('a refused paste leaves no number of another model under its name', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, '{"model_type": "gpt2", "n_embd": "wide"}');
  await reads(() => page.title(), /^Not counted: config\.json/);
  assert.equal(await total(page), 'not counted');
  assert.equal(await page.locator('.icicle, .account, .tensors').count(), 0);
  assert.doesNotMatch(await page.locator('main').innerText(), /8,030,261,248/);
  const source = (/** @type {string} */ name) => page.locator(`[data-field="${name}"] .source`).innerText();
  assert.equal(await source('n_layer'), 'default');
  assert.equal(await source('n_embd'), '', 'given');
  await field(page, 'n_embd').fill('768');
  await reads(() => page.title(), /^124,439,808 parameters/);
});

everywhere('while an edit is refused, the last answer cannot be exported', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'hidden_size').fill('wide');
  assert.equal(await page.locator('.stale').innerText(), 'last valid answer: Llama 3.1 8B');
  await page.getByText('Export', { exact: true }).click();
  await page.getByRole('button', { name: /^Save:/ }).waitFor();
  for (const name of [/^Save:/, /^SVG:/, /^PNG:/, /^Copy:/]) {
    const buttons = await page.getByRole('button', { name, exact: true }).all();
    assert.ok(buttons.length > 0, String(name));
    for (const button of buttons) assert.equal(await button.isDisabled(), true, String(name));
  }
  await field(page, 'hidden_size').fill('4096');
  await becomes(() => page.getByRole('button', { name: /^Save:/ }).isDisabled(), false);
});

everywhere('retyping the same value is not an edit, and the short link stays', async ({ page, open }) => {
  await open('#m=meta-llama/Llama-3.1-70B');
  await counts(page, '70,553,706,496');
  await field(page, 'hidden_size').fill('');
  await becomes(() => page.locator('.title h2').innerText(), 'Llama 3.1 70B, edited');
  await field(page, 'hidden_size').pressSequentially('8192');
  await becomes(() => page.locator('.title h2').innerText(), 'Llama 3.1 70B');
  await becomes(() => hash(page), '#m=meta-llama/Llama-3.1-70B');
});

everywhere('integers beyond 2^53 keep their digits', async ({ page, open }) => {
  await open('#t=generic&hidden_size=32');
  await ready(page);
  await field(page, 'vocab_size').fill('9007199254740993');
  await reads(() => page.locator('.legend').innerText(), /9,007,199,254,740,993/);
  assert.match(await configText(page), /"vocab_size": 9007199254740993/);
});

everywhere('counts of copies never pass through a double', async ({ page, open }) => {
  await open('#t=llama&num_hidden_layers=99999999999');
  await ready(page);
  await reads(() => written(line(page, 'q_proj.weight')), /99,999,999,999/);
  const text = await written(page.locator('.tensors'));
  assert.doesNotMatch(text, /e,?\+|NaN|Infinity/);
  await page.getByRole('button', { name: 'q_proj.weight: its 99,999,999,999 tensors' }).click();
  await reads(() => written(page.locator('.tensors')), /model\.layers\.0\.self_attn\.q_proj\.weight/);
});

everywhere('switches, removing a field, undo; the focus stays after the last undo', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('switch', { name: 'tie_word_embeddings' }).check();
  await counts(page, '7,504,924,672');
  assert.match(await written(line(page, 'lm_head.weight')), /tied/);
  assert.match(await written(line(page, 'lm_head.weight')), /= model\.embed_tokens\.weight/);
  await page.getByRole('button', { name: /remove num_key_value_heads/ }).click();
  await eventually(async () => !/num_key_value_heads/.test(await configText(page)), 'the field is out');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await counts(page, '8,030,261,248');
  assert.match(await page.locator('.check').innerText(), /equals/);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Undo');
  await page.getByRole('button', { name: 'Redo' }).click();
  await counts(page, '7,504,924,672');
});

everywhere('undo across models claims no edit', async ({ page, open }) => {
  await open();
  await ready(page);
  await picker(page).click();
  await page.keyboard.insertText('gpt2');
  await becomes(() => page.locator('[role=option][aria-selected=true]').count(), 1);
  await page.keyboard.press('Enter');
  await counts(page, '124,439,808');
  await page.getByRole('button', { name: 'Undo' }).click();
  await counts(page, '8,030,261,248');
  assert.equal(await page.locator('.was').count(), 0);
  assert.equal(await page.locator('.tensors [data-changed]').count(), 0);
});

everywhere('the class decides the head', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('combobox', { name: 'Architecture' }).selectOption('LlamaModel');
  await counts(page, '7,504,924,672');
  assert.match(await configText(page), /"architectures": \["LlamaModel"\]/);
});

everywhere('the text can be edited both ways, and an edit keeps everything else', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('tab', { name: 'config.json' }).click();
  const odd = '{"zeta" : 1,\n\n"model_type":"llama", "hidden_size": 2048, "own key": {"a": [1,2]},   "num_hidden_layers": 2}';
  await page.locator('.config-text').fill(odd);
  await page.getByRole('tab', { name: 'Fields' }).click();
  await becomes(() => field(page, 'hidden_size').inputValue(), '2,048');
  await field(page, 'hidden_size').fill('1024');
  await becomes(() => configText(page), odd.replace('2048', '1024'));
});

everywhere('malformed text is refused at its line', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('tab', { name: 'config.json' }).click();
  await page.locator('.config-text').fill('{\n  "model_type": "llama",\n  "hidden_size": 4096,,\n}');
  await page.getByRole('button', { name: /^line 3, column/ }).click();
  const caret = await page.locator('.config-text').evaluate((area) => {
    const { value, selectionStart } = /** @type {HTMLTextAreaElement} */ (area);
    return value.slice(0, selectionStart).split('\n').length;
  });
  assert.equal(caret, 3);
  assert.equal(await total(page), '8,030,261,248');
});

everywhere('22 broken configurations: each says what is wrong and where, and keeps what was typed', async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole('tab', { name: 'config.json' }).click();
  const good = JSON.stringify(
    { model_type: 'llama', hidden_size: 4096, intermediate_size: 14336, num_hidden_layers: 32, num_attention_heads: 32, vocab_size: 32000 },
    null,
    2,
  );
  const text = page.locator('.config-text');
  for (const [broken, said] of /** @type {const} */ ([
    [good.replace('4096,', '4096'), /line 4, column.*where ',' or '}' should be/s],
    [good.replace('32000\n', '32000,\n'), /line 8, column.*Is there a comma after the last item/s],
    [good.replaceAll('"', "'"), /line 2, column.*JSON strings need double quotes/s],
    [good.replace('4096', 'None'), /line 3, column.*null in lower case/s],
    [good.replace('"hidden_size"', '// width\n  "hidden_size"'), /line 3, column.*JSON has no comments/s],
    [good.replace('"hidden_size"', 'hidden_size'), /line 3, column.*a key in double quotes/s],
    [good.slice(0, -2), /line 7, column.*the text ends/s],
    ['<html><body>Entry not found</body></html>', /line 1, column.*a web page, not the raw file/s],
    ['[1, 2]', /must be an object/],
    ['7', /must be an object/],
    ['['.repeat(200), /nested more than 64 levels deep/],
    [good.replace(/"model_type".*\n/, ''), /model_type and architectures are missing/],
    [good.replace('"llama"', '"lama"'), /Is llama meant\?/],
    [good.replace('4096', '"4096"'), /hidden_size must be an integer.*Write 4096 without quotes/],
    [good.replace('4096', '4096.5'), /hidden_size must be an integer, not 4096\.5/],
    [good.replace('4096', 'null'), /hidden_size must be an integer, not null/],
    [good.replace('4096', 'true'), /hidden_size must be an integer, not true/],
    [good.replace('4096', '[4096]'), /hidden_size must be an integer, not \[4096\]/],
    [good.replace('layers": 32', 'layers": -1'), /num_hidden_layers must be at least 0, not -1/],
    [good.replace('heads": 32', 'heads": 0'), /num_attention_heads must be at least 1, not 0/],
    [good.replace('32000', '1e30'), /vocab_size is beyond 9,223,372,036,854,775,807/],
    [good.replace('{', '{\n  "architectures": ["BertForMaskedLM"],'), /BertForMaskedLM, which is not a class of model_type llama/],
  ])) {
    await text.fill(broken);
    await reads(() => page.locator('body').innerText(), said);
    assert.equal(await text.inputValue(), broken);
    assert.equal(await total(page), '8,030,261,248');
  }
});

everywhere('layers of several kinds are a strip; a derived list is marked as derived', async ({ page, open }) => {
  await open('#t=nemotron_h');
  await ready(page);
  const strip = page.locator('.strip').first();
  const cells = strip.locator('.cells button');
  const before = await cells.count();
  await strip.getByRole('button', { name: 'Add a layer like the last one' }).click();
  await becomes(() => cells.count(), before + 1);
  const first = await cells.first().getAttribute('aria-label');
  await cells.first().click();
  await eventually(async () => (await cells.first().getAttribute('aria-label')) !== first, 'another kind');
  assert.match(await configText(page), /"layers_block_type": \[/);
  await open('#t=granitemoehybrid');
  await ready(page);
  for (const text of await page.locator('.key').allInnerTexts()) assert.doesNotMatch(text, /^0 layers/);
});

everywhere('a click next to a number puts the caret at its end', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'num_hidden_layers').click({ position: { x: 6, y: 14 } });
  await page.keyboard.type('0');
  await becomes(() => field(page, 'num_hidden_layers').inputValue(), '320');
});

everywhere('the formula is copied as displayed', async ({ page, open, name }) => {
  await open();
  await ready(page);
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (/** @type {string} */ text) => Object.assign(window, { copied: text }) },
    });
  });
  const copied = () => page.evaluate(() => /** @type {any} */ (window).copied);
  for (const [writing, text] of /** @type {[string, RegExp][]} */ ([
    ['symbols', /^2·V·d \+ L·/],
    ['names', /^2 × vocab_size × hidden_size \+ /],
    ['numbers', /^2·128,256·4,096 \+ 32·/],
  ])) {
    await page.getByRole('radio', { name: writing }).check({ force: true });
    await page.getByRole('button', { name: /Copy the formula/ }).click();
    await reads(copied, text);
  }
  assert.ok(name);
});

everywhere(
  'an edited field shows the error and a valid value, also to screen readers, and nothing moves',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.field input, .field label, .icicle, .account tr')].map((part) => {
          const { x, y, height } = part.getBoundingClientRect();
          return [x, y, height].map(Math.round).join();
        }),
      );
    await field(page, 'num_attention_heads').focus();
    const before = await places();
    await field(page, 'num_attention_heads').fill('33');
    await reads(
      () => errorAt(page, 'num_attention_heads').innerText(),
      /hidden_size \(4,096\) must be a multiple of num_attention_heads \(33\)/,
    );
    await becomes(() => errorAt(page, 'hidden_size').count(), 0);
    await reads(() => page.locator('.announcer').innerText(), /must be a multiple of num_attention_heads \(33\)\. 32 or 64 would do\./);
    assert.equal(await page.locator('.announcer').getAttribute('role'), 'status');
    assert.equal(await field(page, 'num_attention_heads').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await places(), before);
    // The error must stay at its field when another field is edited.
    await field(page, 'num_hidden_layers').fill('31');
    await becomes(() => errorAt(page, 'num_hidden_layers').count(), 0);
    await page.getByRole('button', { name: 'use 64' }).click();
    await becomes(() => page.locator('.answer').getAttribute('data-stale'), null);
    assert.equal(await field(page, 'num_attention_heads').inputValue(), '64');
  },
  { viewport: { width: 1280, height: 720 } },
);

everywhere('a link to an edited published model shows the edits, and how to undo them', async ({ page, open }) => {
  await open('#m=meta-llama/Llama-3.1-8B&num_hidden_layers=40');
  await counts(page, '9,775,157,248');
  await reads(
    () => page.locator('.edits').innerText(),
    /Published: 8,030,261,248\s+changed: num_hidden_layers 32 → 40\s+\+1,744,896,000\s+Reset/,
  );
  const source = page.locator('[data-field="num_hidden_layers"] .source');
  assert.equal(await source.innerText(), 'was 32');
  assert.equal(await page.locator('.source[data-edited]').count(), 1, 'what was changed is marked, and nothing else');
  await page.locator('[data-field="num_hidden_layers"] .reset').click();
  await counts(page, '8,030,261,248');
  assert.match(await configText(page), /"num_hidden_layers": 32/);
  await field(page, 'num_hidden_layers').fill('40');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await counts(page, '8,030,261,248');
  await becomes(() => page.locator('.edits').count(), 0);
});

everywhere('Tab goes from field to field, and to a reset button only after its field', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'hidden_size').focus();
  await page.keyboard.press('Tab');
  await becomes(() => page.evaluate(() => document.activeElement?.className), 'reset');
  await page.keyboard.press('Tab');
  await becomes(() => page.evaluate(() => document.activeElement?.closest('.field')?.getAttribute('data-field')), 'num_hidden_layers');
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
});

everywhere('if the files hold another number than the model, both are shown', async ({ page, open }) => {
  await open('#m=google/flan-t5-base');
  await counts(page, '222,903,552');
  await page.getByRole('button', { name: '248M in the files' }).click();
  await reads(() => page.locator('.in-files').innerText(), /222,903,552[\s\S]*24,674,304[\s\S]*247,577,856/);
  await open('#m=meta-llama/Llama-3.1-8B');
  await counts(page, '8,030,261,248');
  assert.equal(await page.locator('.in-files').count(), 0);
  await open('#m=deepseek-ai/DeepSeek-V3');
  await reads(() => page.locator('.headline').innerText(), /^671B total\s+37\.6B active \(5\.60%\)\s+685B in the files/);
});

everywhere('Ctrl Z in a field continues with earlier edits', async ({ page, open }) => {
  await open();
  await ready(page);
  await field(page, 'num_hidden_layers').fill('40');
  await counts(page, '9,775,157,248');
  await field(page, 'vocab_size').fill('128000');
  await counts(page, '9,773,060,096');
  // How many undo steps are needed depends on how the browser divides the typing into steps.
  await eventually(async () => {
    await page.keyboard.press('Control+z');
    return (await total(page)) === '8,030,261,248';
  }, 'all is taken back');
  assert.equal(await field(page, 'num_hidden_layers').inputValue(), '32');
  assert.equal(await field(page, 'vocab_size').inputValue(), '128,256');
});

everywhere('the text model comes first in the form of a vision-language model', async ({ page, open }) => {
  await open('#m=Qwen/Qwen2.5-VL-7B-Instruct');
  await counts(page, '8,292,166,656');
  const sections = await page.locator('.section > summary').allInnerTexts();
  assert.deepEqual(
    sections.map((name) => name.trim()),
    ['text_config', 'vision_config'].filter((name) => sections.some((section) => section.trim() === name)),
  );
});
