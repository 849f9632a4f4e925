import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../ledger.mjs';
import { shortenLabel, layOutCells, buildIcicleTree, listRows, findEnclosingPath } from '../../../web/answer/icicle-tree.ts';
import { drawIcicle } from '../../../web/drawings/icicle-drawing.ts';

const llama = counted({ model_type: 'llama', architectures: ['LlamaForCausalLM'] });
const tree = buildIcicleTree(llama);

test('the parts fill the width in their order, what they consist of stands beneath them', () => {
  const cells = layOutCells(tree);
  const parts = cells.filter((/** @type {any} */ { depth }) => depth === 0);
  assert.deepEqual(
    parts.map((/** @type {any} */ { node }) => node.label),
    ['Embedding', 'Attention', 'Feed-forward', 'Norm', 'Output head'],
  );
  const end = parts.reduce((/** @type {number} */ at, /** @type {any} */ { left, width }) => {
    assert.ok(Math.abs(left - at) < 1e-5);
    return left + width;
  }, 0);
  assert.ok(Math.abs(end - 1) < 1e-4);
  for (const { node, left, width } of cells.filter((/** @type {any} */ { depth }) => depth > 0)) {
    const around = parts.find((/** @type {any} */ part) => listRows(part.node).includes(listRows(node)[0]));
    assert.ok(around && left >= around.left - 1e-5 && left + width <= around.left + around.width + 1e-5, node.label);
  }
});

test('names are brief, with how often a module occurs', () => {
  const attention = tree[1];
  assert.equal(shortenLabel(attention.children[0]), 'self_attn × 32');
  assert.equal(shortenLabel(attention.children[0].children[0]), 'q_proj');
});

test('the way around some tensors ends at the smallest group that holds them', () => {
  const mlp = llama.tensors.filter(({ name }) => name.includes('.mlp.'));
  assert.equal(findEnclosingPath(tree, mlp).at(-1).label, 'model.layers.[0-31].mlp');
  assert.equal(findEnclosingPath(tree, [mlp[0], llama.tensors[0]]).length, 0, 'only all of the model holds these');
  assert.equal(findEnclosingPath(tree, []).length, 0);
});

test('as a picture it has its labels and no more than its width', () => {
  const { width, shapes } = drawIcicle(llama, 'Llama');
  for (const shape of shapes) if (shape.is === 'box') assert.ok(shape.x + shape.width <= width + 1);
  const words = shapes.flatMap((/** @type {any} */ shape) => (shape.is === 'text' ? [shape.text] : []));
  assert.ok(words.includes('Feed-forward') && words.includes('gate_proj') && words[0] === 'Llama');
});
