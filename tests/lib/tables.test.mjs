import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../bundled.mjs';
import { counted } from './ledger.mjs';

const { csv, json, markdown } = await bundled('lib/export/tables.ts');
const llama = counted({ model_type: 'llama', architectures: ['LlamaForCausalLM'] });
const [first] = JSON.parse(JSON.stringify(llama.tensors));

test('the CSV has plain digits and a line for each row', () => {
  const lines = csv(llama).trimEnd().split('\r\n');
  assert.equal(lines.length, llama.tensors.length + 1);
  assert.match(lines[0], /^name,kind,part,shape,/);
  assert.ok(lines[1].startsWith('model.embed_tokens.weight,parameter,embedding,32000 x 4096,1,131072000,131072000,'));
});

test('a cell that a spreadsheet would run is shown instead', () => {
  const rows = ['=HYPERLINK("x")', '+1', '-1', '@x', 'plain "quoted"'].map((name) => ({ ...first, name }));
  const names = csv({ ...llama, tensors: rows })
    .split('\r\n')
    .slice(1, -1);
  assert.ok(names[0].startsWith('"\'=HYPERLINK(""x"")"'));
  assert.ok(names[1].startsWith("'+1,"));
  assert.ok(names[2].startsWith("'-1,"));
  assert.ok(names[3].startsWith("'@x,"));
  assert.ok(names[4].startsWith('"plain ""quoted""",'));
});

test('the Markdown says the total and cannot be broken by a name', () => {
  const text = markdown({ ...llama, tensors: [{ ...first, name: 'a|b<img>`\n' }] }, 'x | <b>');
  assert.match(text, /6,738,415,616 parameters/);
  assert.match(text, /\| `a\\\|b&lt;img>' ` \|/);
  assert.ok(text.startsWith('**x \\| &lt;b>**'));
});

test('the JSON is the answer', () => {
  const text = json(llama);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(llama)));
  assert.deepEqual(JSON.parse(text).tensors[0].math, ['×', 0, 1]);
  assert.equal(JSON.parse(text).tensors[0].substitution, '32,000 × 4,096');
});
