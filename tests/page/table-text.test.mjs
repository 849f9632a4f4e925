import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, json, markdown } from '../../web/table-text.js';
import { loadLedger } from './ledger.mjs';

const ledger = await loadLedger();
const llama = ledger.count({ model_type: 'llama', architectures: ['LlamaForCausalLM'] });
assert.ok(llama.ok);

test('the CSV has plain digits and a line for each row', () => {
  const lines = csv(llama).trimEnd().split('\r\n');
  assert.equal(lines.length, llama.tensors.length + 1);
  assert.match(lines[0], /^name,kind,part,shape,/);
  assert.ok(lines[1].startsWith('model.embed_tokens.weight,parameter,embedding,32000 x 4096,1,131072000,131072000,'));
});

test('a cell that a spreadsheet would run is shown instead', () => {
  const rows = ['=HYPERLINK("x")', '+1', '-1', '@x', 'plain "quoted"'].map((name) => ({ ...llama.tensors[0], name }));
  const names = csv({ ...llama, tensors: rows }).split('\r\n').slice(1, -1);
  assert.ok(names[0].startsWith('"\'=HYPERLINK(""x"")"'));
  assert.ok(names[1].startsWith("'+1,"));
  assert.ok(names[2].startsWith("'-1,"));
  assert.ok(names[3].startsWith("'@x,"));
  assert.ok(names[4].startsWith('"plain ""quoted""",'));
});

test('the Markdown says the total and cannot be broken by a name', () => {
  const text = markdown({ ...llama, tensors: [{ ...llama.tensors[0], name: 'a|b<img>`\n' }] }, 'x | <b>');
  assert.match(text, /6,738,415,616 parameters/);
  assert.match(text, /\| `a\\\|b&lt;img>' ` \|/);
  assert.ok(text.startsWith('**x \\| &lt;b>**'));
});

test('the JSON is the answer', () => {
  assert.deepEqual(JSON.parse(json(llama)), llama);
});
