import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { blocksOf, branchesOf, rowsOfModule } from '../../../web/lib/answer/layer-blocks.ts';
import { blockDrawing } from '../../../web/lib/pictures/block-drawing.ts';

/** @type {import('../../../web/lib/models/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/catalog/models.json', import.meta.url), 'utf8'));
const byId = (/** @type {string} */ id) => counted(models.find((model) => model.id === id)?.config ?? {});

/** @param {any} branch */
const told = ({ before, main, after }) =>
  [before, main, after].map((modules) => modules.map((/** @type {any} */ { name }) => name).join(' & ')).join(' > ');

/** @param {string} type */
const branches = (type) => branchesOf(blocksOf(counted({ model_type: type }))[0].modules).map(told);

test('layers that are alike are one block, others one of their own', () => {
  const blocks = blocksOf(byId('deepseek-ai/DeepSeek-V3'));
  assert.deepEqual(
    blocks.map((/** @type {any} */ { list, layers, copies }) => [list, layers, copies]),
    [
      ['model.layers', '[0-2]', 3n],
      ['model.layers', '[3-60]', 58n],
    ],
  );
  const mlp = blocks[1].modules.find((/** @type {any} */ { name }) => name === 'mlp');
  assert.deepEqual(
    mlp.groups.map((/** @type {any} */ { name, copies, units }) => [name, copies, units.map((/** @type {any} */ unit) => unit.name)]),
    [['experts', 256n, ['gate_proj', 'up_proj', 'down_proj']]],
  );
});

test('norms go to the block that they belong to, blocks after one norm stand side by side', () => {
  assert.deepEqual(branches('llama'), ['input_layernorm > self_attn > ', 'post_attention_layernorm > mlp > ']);
  assert.deepEqual(branches('gptj'), ['ln_1 > attn & mlp > ']);
  assert.deepEqual(branches('olmo2'), [' > self_attn > post_attention_layernorm', ' > mlp > post_feedforward_layernorm']);
  assert.deepEqual(branches('gemma2'), [
    'input_layernorm > self_attn > post_attention_layernorm',
    'pre_feedforward_layernorm > mlp > post_feedforward_layernorm',
  ]);
  assert.deepEqual(branches('bert'), [' > attention > ', ' > intermediate, output > ']);
});

test('every tensor of a repeated layer stands in exactly one place of its block, in every model type', () => {
  for (const { model_type } of ledger.catalog().families) {
    const answer = ledger.count({ model_type });
    if (!answer.ok) continue;
    for (const block of blocksOf(answer)) {
      const rows = block.modules.flatMap(rowsOfModule);
      assert.equal(new Set(rows).size, rows.length, model_type);
      const placed = branchesOf(block.modules).flatMap((/** @type {any} */ { before, main, after }) => [...before, ...main, ...after]);
      assert.deepEqual(new Set(placed), new Set(block.modules), model_type);
    }
  }
});

test('the drawing keeps inside its bounds, and each box of tensors says which', () => {
  for (const id of ['meta-llama/Llama-3.1-8B', 'deepseek-ai/DeepSeek-V3', 'openai-community/gpt2-xl']) {
    for (const block of blocksOf(byId(id))) {
      const { width, height, shapes } = blockDrawing(block);
      const boxes = shapes.filter((/** @type {any} */ { is }) => is === 'box');
      for (const box of boxes) {
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${id}: ${box.title}`);
      }
      const names = new Set(boxes.flatMap(({ rows = [] }) => rows.map((/** @type {any} */ { name }) => name)));
      assert.deepEqual(names, new Set(block.modules.flatMap(rowsOfModule).map((/** @type {any} */ { name }) => name)));
    }
  }
});
