// Tests reading tensors from a printed model, a header or a list, and comparing them with a configuration.

import assert from 'node:assert/strict';
import { PLACES, everywhere, inaccessible } from './browsers.mjs';
import { becomes, counts, drop, hash, paste, ready, reads } from './page.mjs';
import { dataLines } from '../data.mjs';

const printed = `LlamaForCausalLM(
  (model): LlamaModel(
    (embed_tokens): Embedding(128256, 4096)
    (layers): ModuleList(
      (0-31): 32 x LlamaDecoderLayer(
        (self_attn): LlamaAttention(
          (q_proj): Linear(in_features=4096, out_features=4096, bias=False)
          (k_proj): Linear(in_features=4096, out_features=1024, bias=False)
          (v_proj): Linear(in_features=4096, out_features=1024, bias=False)
          (o_proj): Linear(in_features=4096, out_features=4096, bias=False)
        )
        (mlp): LlamaMLP(
          (gate_proj): Linear(in_features=4096, out_features=14336, bias=False)
          (up_proj): Linear(in_features=4096, out_features=14336, bias=False)
          (down_proj): Linear(in_features=14336, out_features=4096, bias=False)
          (act_fn): SiLU()
        )
        (input_layernorm): LlamaRMSNorm()
        (post_attention_layernorm): LlamaRMSNorm((4096,), eps=1e-05)
      )
    )
    (norm): LlamaRMSNorm((4096,), eps=1e-05)
  )
  (lm_head): Linear(in_features=4096, out_features=128256, bias=False)
)`;

everywhere('a pasted printed model is counted, recognised, and agrees with the page’s model', async ({ page, open }) => {
  await open();
  await ready(page);
  await paste(page, printed);
  await page.locator('main h2', { hasText: /^LlamaForCausalLM$/ }).waitFor();
  await counts(page, '8,030,261,248');
  assert.match(await hash(page), /^#read;/);
  await reads(() => page.locator('main').innerText(), /taken from around it/);
  await reads(() => page.locator('.compared').innerText(), /Recognised as LlamaForCausalLM \(llama\)\s+All agree/);
  await page.getByRole('button', { name: 'Check against Llama 3.1 8B' }).click();
  await reads(() => page.locator('.compared').first().innerText(), /Checked against a configuration\s+All agree: 259 tensors/);
  assert.deepEqual(await inaccessible(page), []);
  await page.getByRole('button', { name: 'Count its configuration' }).click();
  await becomes(
    () =>
      hash(page)
        .then((text) => text.startsWith('#read'))
        .then(String),
    'false',
  );
  await counts(page, '8,030,261,248');
});

everywhere(
  'for a dropped safetensors file only the header is read, and missing tensors are reported',
  async ({ page, open }) => {
    await open('#t=gpt2');
    await counts(page, '124,439,808');
    const header = '{"h.0.ln_1.weight":{"dtype":"F16","shape":[768],"data_offsets":[0,1536]}}';
    await drop(page, 'model.safetensors', `${String.fromCharCode(header.length)}\0\0\0\0\0\0\0${header}`);
    await counts(page, '768');
    await reads(() => page.locator('.problems').innerText(), /ends 1,536 bytes before/);
    await page.getByRole('button', { name: /^Check against/ }).click();
    await reads(() => page.locator('.compared').innerText(), /1 tensor agree.*wte\.weight/s);
  },
  { places: PLACES },
);

everywhere('lines without tensors are reported by number', async ({ page, open }) => {
  await open('#read;t=llama');
  await ready(page);
  await page.getByLabel('Text to read').fill('a.weight: [4, 4]\nsomething else\nb.weight: [2]\n');
  await page.getByRole('button', { name: 'Read this text' }).click();
  await counts(page, '18');
  await reads(() => page.locator('.problems').innerText(), /Line 2: .*something else/);
});

everywhere('what a printed model does not show is filled in, and removed again', async ({ page, open }) => {
  const { text } = dataLines('printed_models.jsonl.gz').find(({ id }) => id === 'openai/gpt-oss-20b');
  await open();
  await ready(page);
  await paste(page, text);
  await counts(page, '1,795,609,920');
  await reads(() => page.locator('.read-total .words').innerText(), /does not show all of them/);
  const unsaid = page.getByRole('group', { name: 'Fill in what the text does not say' });
  const fields = { num_attention_heads: '64', num_local_experts: '32', intermediate_size: '2880', tie_word_embeddings: 'false' };
  for (const [name, value] of Object.entries(fields)) {
    await unsaid.getByLabel(name).fill(value);
    await unsaid.getByLabel(name).press('Tab');
  }
  await counts(page, '20,914,757,184');
  assert.deepEqual(await inaccessible(page), []);
  await unsaid.getByLabel('num_local_experts').fill('');
  await unsaid.getByLabel('num_local_experts').press('Tab');
  await counts(page, '1,795,609,920');
});

everywhere(
  'a small input survives a reload',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await paste(page, printed);
    await counts(page, '8,030,261,248');
    await page.locator('main h2', { hasText: /^LlamaForCausalLM$/ }).waitFor();
    await reads(() => hash(page), /^#read;/);
    await page.reload();
    await ready(page);
    await page.locator('main h2', { hasText: /^LlamaForCausalLM$/ }).waitFor();
    await counts(page, '8,030,261,248');
  },
  { places: PLACES },
);
