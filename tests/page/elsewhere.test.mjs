// Tests configurations that are dropped on the page or pasted, including malicious ones.

import assert from 'node:assert/strict';
import { small } from '../small.mjs';
import { everywhere } from './browsers.mjs';
import { becomes, configText, counts, drop, errorAt, eventually, field, hash, paste, reads, ready, total } from './page.mjs';

everywhere('a dropped file is counted', async ({ page, open }) => {
  await open();
  await ready(page);
  const offered = () => page.locator('body[data-dropping]').count();
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragover', { bubbles: true, cancelable: true })));
  assert.equal(await offered(), 1);
  await drop(page, 'small.json', JSON.stringify(small));
  await becomes(() => page.locator('.title h2').innerText(), 'small.json');
  await counts(page, '95,040');
  assert.equal(await offered(), 0);
  assert.equal(await field(page, 'hidden_size').inputValue(), '64');
});

everywhere('a pasted text is counted, wherever it is pasted', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, JSON.stringify(small));
  await counts(page, '95,040');
  await paste(page, JSON.stringify({ ...small, num_hidden_layers: 1 }), '[role=combobox]');
  await counts(page, '53,952');
});

everywhere('a mistyped model type gets a suggestion; another family is never suggested', async ({ page, open }) => {
  await open();
  await ready(page);
  for (const type of ['lllama', 'lama']) {
    await paste(page, JSON.stringify({ model_type: type }));
    await reads(() => page.locator('.refusal').innerText(), new RegExp(type));
    assert.notEqual(await page.locator('.answer').getAttribute('data-stale'), null);
    await page.getByRole('button', { name: 'use llama', exact: true }).click();
    await counts(page, '6,738,415,616');
  }
  for (const type of ['no_such_family', 'gemma22', 'bertx2']) {
    await paste(page, JSON.stringify({ model_type: type }));
    await reads(() => page.locator('.refusal').innerText(), new RegExp(type));
    assert.equal(await page.getByRole('button', { name: /^use / }).count(), 0, type);
  }
});

everywhere('an unknown key is reported next to the number, with the field that was meant', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, '{"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hiden_size": 8192}');
  await reads(() => page.locator('.notes [data-level=warning]').first().innerText(), /hiden_size.*hidden_size/);
});

everywhere('a pasted config of a published model gets its name and verdict', async ({ page, open }) => {
  await open('#t=gpt2');
  await counts(page, '124,439,808');
  const config = {
    architectures: ['LlamaForCausalLM'],
    hidden_size: 4096,
    intermediate_size: 14336,
    max_position_embeddings: 131072,
    eos_token_id: 128001, // differs from the config of the Instruct model
    model_type: 'llama',
    num_attention_heads: 32,
    num_hidden_layers: 32,
    num_key_value_heads: 8,
    tie_word_embeddings: false,
    vocab_size: 128256,
  };
  await paste(page, JSON.stringify(config));
  await becomes(() => page.locator('.title h2').innerText(), 'Llama 3.1 8B');
  assert.match(await page.locator('.check').innerText(), /equals the published count/);
  assert.match(await page.locator('.owner').innerText(), /your configuration, the same as meta-llama/);
  await field(page, 'num_hidden_layers').fill('31');
  await becomes(() => page.locator('.title h2').innerText(), 'Llama 3.1 8B, edited');
  assert.equal(await page.locator('.check').count(), 0);
});

everywhere('what is not a configuration is named, with what is accepted', async ({ page, open }) => {
  await open();
  await ready(page);
  const banner = () => page.locator('.banner[role=status]').innerText();
  for (const [text, what] of /** @type {[string, RegExp][]} */ ([
    ['[1, 2, 3]', /a list.*You can give a config\.json/],
    ['<!doctype html><html>', /web page/],
    ['some words that are no model', /“some words that are no model”/],
  ])) {
    await paste(page, text);
    await reads(banner, what);
    assert.equal(await total(page), '8,030,261,248');
  }
  await paste(page, 'https://huggingface.co/deepseek-ai/DeepSeek-V3');
  await counts(page, '671,026,404,352');
  await drop(page, 'weights.gguf', 'GGUF\0\0\0');
  await reads(banner, /weights\.gguf: The file has 7 bytes, but refers to data beyond its end/);
});

everywhere('a dropped folder is opened, or reported', async ({ page, open }) => {
  await open();
  await ready(page);
  const dropFolder = (/** @type {string | undefined} */ text) =>
    page.evaluate((content) => {
      const config = { file: (/** @type {any} */ take) => take(new File([content ?? ''], 'config.json')) };
      const getFile = (/** @type {any} */ _name, /** @type {any} */ _options, /** @type {any} */ found, /** @type {any} */ missing) =>
        content === undefined ? missing(new Error()) : found(config);
      const item = { kind: 'file', getAsFile: () => null, webkitGetAsEntry: () => ({ isDirectory: true, name: 'folder', getFile }) };
      const event = new DragEvent('drop', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'dataTransfer', { value: { items: [item], files: [], getData: () => '' } });
      document.body.dispatchEvent(event);
    }, text);
  await dropFolder(undefined);
  await reads(() => page.locator('.banner[role=status]').innerText(), /The folder folder contains no config\.json/);
  await dropFolder(JSON.stringify(small));
  await counts(page, '95,040');
});

everywhere('a required field can be given in the form', async ({ page, open }) => {
  await open('#t=ministral');
  await ready(page);
  await reads(() => errorAt(page, 'head_dim').innerText(), /head_dim/);
  await field(page, 'head_dim').fill('128');
  await reads(() => total(page), /^\d{1,3}(,\d{3})+$/);
  assert.equal(await field(page, 'head_dim').inputValue(), '128');
  assert.ok(await field(page, 'hidden_size').isVisible());
});

everywhere('an error in a pasted text of another type is at its field', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, '{"model_type": "gpt2", "n_embd": "wide"}');
  await reads(() => errorAt(page, 'n_embd').innerText(), /"wide"/);
  assert.equal(await page.locator('.field', { hasText: 'wide' }).locator('input').inputValue(), 'wide');
});

everywhere('nothing in a configuration is ever executed or parsed as markup', async ({ page, open }) => {
  await open();
  await ready(page);
  const mark = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>\u202ejavascript:globalThis.ran=1';
  const text = `{"__proto__": {"polluted": 1}, "constructor": ${JSON.stringify(mark)}, ${JSON.stringify(mark)}: ${JSON.stringify(mark)}, "model_type": "llama", "_name_or_path": ${JSON.stringify(mark)}, "hidden_act": ${JSON.stringify(mark)}}`;
  await drop(page, `${mark}.json`, text);
  await reads(() => page.locator('.title h2').innerText(), /onerror/);
  await page.locator('.ignored summary').click();
  await page.locator('.sources-sheet summary').click();
  await page.getByRole('tab', { name: 'config.json' }).click();
  await becomes(() => configText(page), text);
  await paste(page, JSON.stringify({ model_type: mark }));
  await paste(page, JSON.stringify({ model_type: 'llama', architectures: [mark] }));
  await paste(page, JSON.stringify({ model_type: 'llama', hidden_size: mark }));
  const found = await page.evaluate(() => [
    /** @type {any} */ (globalThis).ran,
    /** @type {any} */ ({}).polluted,
    document.querySelectorAll('img, main script, aside script').length,
  ]);
  assert.deepEqual(found, [undefined, undefined, 0]);
});

everywhere(
  'large texts are counted or refused, and their lists are capped',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
    const base = JSON.stringify(small).slice(0, -1);
    await paste(page, JSON.stringify({ ...small, padding: 'x'.repeat(900_000) }));
    await counts(page, '95,040');
    await drop(page, 'large.json', JSON.stringify({ ...small, padding: 'x'.repeat(1_000_001) }));
    await reads(() => page.locator('.answer .refusal').innerText(), /larger than 1 MB/);
    await paste(page, '{"a":'.repeat(100_000));
    await eventually(async () => (await page.locator('.answer').getAttribute('data-stale')) !== null, 'refused');
    await paste(page, `${base}, ${Array.from({ length: 20_000 }, (_, i) => `"k${i}": ${i}`).join(', ')}}`);
    await counts(page, '95,040');
    await page.locator('.ignored summary').click();
    await page.locator('.sources-sheet summary').click();
    assert.ok((await nodes()) < 8_000, `${await nodes()} nodes`);
    await paste(page, `{${'"a": 1, '.repeat(120_000)}${base.slice(1)}, "num_hidden_layers": 1}`);
    await counts(page, '53,952');
    assert.equal(await page.locator('.title h2').innerText(), 'config.json');
    await reads(() => page.locator('.tensors tfoot').innerText(), /53,952/);
    assert.ok((await page.locator('.notes li').count()) < 12);
    assert.ok((await nodes()) < 8_000, `${await nodes()} nodes`);
    await page.getByRole('tab', { name: 'config.json' }).click();
    await paste(page, `{${'\n'.repeat(900_000)}${base.slice(1)}}`);
    await counts(page, '95,040');
    await reads(() => page.locator('[role=tabpanel]:not([hidden])').innerText(), /too long to edit here \(900,001 lines\)/);
    assert.ok((await page.locator('.config-text').inputValue()).length < 200_000);
    await paste(page, JSON.stringify({ ...small, num_hidden_layers: 1 }));
    await counts(page, '53,952');
    assert.ok((await hash(page)).length < 17_000);
  },
  { places: ['hosted'] },
);
