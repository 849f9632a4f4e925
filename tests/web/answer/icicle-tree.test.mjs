import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { counted } from '../ledger.mjs';
import {
  formatCellName,
  layOutLeaders,
  listDivision,
  sizeOf,
  shortenLabel,
  layOutCells,
  buildIcicleTree,
  listRows,
  findEnclosingPath,
} from '../../../web/answer/icicle-tree.ts';
import { drawIcicle } from '../../../web/drawings/icicle-drawing.ts';

/** @type {any[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));
const llama = counted({ model_type: 'llama', architectures: ['LlamaForCausalLM'] });
const tree = buildIcicleTree(llama);

test('shared experts are a group of their own, whatever the model calls them', () => {
  for (const model_type of ['deepseek_v3', 'step3p7']) {
    const groups = buildIcicleTree(counted({ model_type })).filter(({ part }) => part === 'feed_forward');
    const shared = groups.find(({ id }) => id.endsWith(':shared')) ?? assert.fail(model_type);
    assert.ok(
      listRows(shared).every(({ name }) => /shared?_expert/.test(name)),
      model_type,
    );
  }
});

test('the parts fill the width in order, with their contents below', () => {
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

test('names are short and say how often a module occurs', () => {
  const attention = tree[1];
  assert.equal(shortenLabel(attention.children[0]), 'self_attn × 32');
  assert.equal(shortenLabel(attention.children[0].children[0]), 'q_proj');
});

test('the path to some tensors ends at the smallest group that contains them', () => {
  const mlp = llama.tensors.filter(({ name }) => name.includes('.mlp.'));
  assert.equal(findEnclosingPath(tree, mlp).at(-1).label, 'model.layers.[0-31].mlp');
  assert.equal(findEnclosingPath(tree, [mlp[0], llama.tensors[0]]).length, 0, 'only all of the model holds these');
  assert.equal(findEnclosingPath(tree, []).length, 0);
});

test('as a picture it has labels and keeps its width', () => {
  const { width, shapes } = drawIcicle(llama, 'Llama');
  for (const shape of shapes) if (shape.is === 'box') assert.ok(shape.x + shape.width <= width + 1);
  const words = shapes.flatMap((/** @type {any} */ shape) => (shape.is === 'text' ? [shape.text] : []));
  assert.ok(words.includes('Feed-forward') && words.includes('gate_proj') && words[0] === 'Llama');
});

const deepseek = counted(models.find((/** @type {any} */ { id }) => id === 'deepseek-ai/DeepSeek-V3').config);

test('a mixture divides its feed-forward networks; idle experts are separate; what only files store comes last', () => {
  const cells = layOutCells(buildIcicleTree(deepseek)).filter(({ depth }) => depth === 0);
  assert.deepEqual(
    cells.map((cell) => [formatCellName(cell), cell.size]),
    [
      ['Embedding', 926_679_040n],
      ['Attention', 61n * 187_105_280n],
      ['Dense feed-forward', 3n * 3n * 7_168n * 18_432n],
      ['Shared experts', 58n * 44_040_192n],
      ['Routed experts, used', 58n * 8n * 44_040_192n],
      ['Routed experts, idle', 58n * 248n * 44_040_192n],
      ['Router', 58n * 256n * 7_168n],
      ['Norm', 61n * (2n * 7_168n + 1_536n + 512n) + 7_168n],
      ['Output head', 926_679_040n],
      ['Prediction layer, in files', 13_463_426_304n],
    ],
  );
  for (const [i, { left }] of cells.entries()) {
    const { left: from, width } = cells[i - 1] ?? { left: 0, width: 0 };
    assert.ok(Math.abs(left - from - width) < 1e-5, 'side by side');
  }
  const model = cells.slice(0, -1).reduce((sum, { size }) => sum + size, 0n);
  assert.equal(model, BigInt(deepseek.totals.parameters));
  assert.equal(sizeOf(buildIcicleTree(deepseek).at(-1)), 13_463_426_304n);
});

test('a part too thin for its name has a leader line that crosses no other name', () => {
  const cells = layOutCells(buildIcicleTree(deepseek));
  const leaders = layOutLeaders(
    cells,
    ({ width }) => width > 0.1,
    () => 0.1,
  );
  assert.equal(leaders.length, 9);
  for (const one of leaders)
    for (const other of leaders) {
      const passes = one.side === other.side && (one.side === 'right' ? other.at > one.at : other.at < one.at);
      if (passes) assert.ok(other.row < one.row, `${formatCellName(other.cell)} ends below ${formatCellName(one.cell)}`);
    }
});

test('names on both sides of their lines share rows only if there is room for both', () => {
  const cells = layOutCells(buildIcicleTree(deepseek));
  for (const length of [0.1, 0.3, 0.6]) {
    const leaders = layOutLeaders(
      cells,
      ({ width }) => width > 0.1,
      () => length,
    );
    const [right, left] = ['right', 'left'].map((side) => leaders.filter((one) => one.side === side));
    for (const one of right)
      for (const other of left) if (one.row === other.row) assert.ok(one.at + length <= other.at - length, `${length}, row ${one.row}`);
    const shared = right.some(({ row }) => left.some((other) => other.row === row));
    assert.equal(shared, length < 0.6, `${length}`);
    assert.equal(Math.min(...leaders.map(({ row }) => row)), 1);
  }
});

test('feed-forward parameters are divided by use, also if all experts are routed', () => {
  const mixtral = counted(models.find(({ id }) => id === 'mistralai/Mixtral-8x7B-v0.1').config);
  const expert = 3n * 4_096n * 14_336n;
  assert.deepEqual(listDivision(mixtral), [
    { name: 'Routed experts, used', size: 32n * 2n * expert },
    { name: 'Routed experts, idle', size: 32n * 6n * expert },
  ]);
  assert.deepEqual(listDivision(llama), []);
});
