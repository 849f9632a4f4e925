import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { formatLabel, layOutRuns, findLine, MAX_COPIES, listNodes, sumRows, buildTree, findPath } from '../../../web/answer/breakdown.ts';
import { filterTensors } from '../../../web/answer/tensor-filter.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));

/** @param {string} wanted */
const published = (wanted) => models.find(({ id }) => id === wanted)?.config;
const deepseek = counted({ model_type: 'deepseek_v3' });

/** @param {import('../../../web/types/index.ts').CountAnswer} answer @param {string} query */
const narrow = (answer, query) => buildTree(answer, 'module', filterTensors(answer.tensors, query, answer.symbols));

test('every grouping adds up to the total, for every model type', () => {
  for (const { model_type } of ledger.catalog().families) {
    const answer = ledger.count({ model_type });
    if (!answer.ok) {
      // The type's defaults are incomplete, contradict each other or are not supported.
      assert.match(answer.error.code, /^(missing_field|inconsistent|unsupported)$/, model_type);
      continue;
    }
    for (const view of /** @type {const} */ (['module', 'part'])) {
      const tree = buildTree(answer, view);
      assert.equal(String(tree.reduce((sum, { total }) => sum + total, 0n)), answer.totals.parameters, `${model_type} by ${view}`);
      for (const { children, total, row } of listNodes(tree))
        if (!row)
          assert.equal(
            children.reduce((sum, child) => sum + child.total, 0n),
            total,
          );
      assert.equal(listNodes(tree).filter(({ row }) => row).length, answer.tensors.length);
      assert.equal(new Set(listNodes(tree).map(({ id }) => id)).size, listNodes(tree).length, `${model_type}: ids are unique`);
    }
  }
});

test('a group belongs to a part if all of it does', () => {
  const nodes = listNodes(buildTree(counted({ model_type: 'llama' }), 'module'));
  const partOf = (/** @type {string} */ id) => nodes.find((node) => node.id === id)?.part;
  assert.deepEqual(['model', 'model.layers.[0-31]', 'model.layers.[0-31].mlp'].map(partOf), [undefined, undefined, 'feed_forward']);
  assert.equal(nodes.filter(({ row, part, children }) => !row && part && children.some((child) => child.part !== part)).length, 0);
});

test('buffers and tied tensors are not summed', () => {
  const [row] = deepseek.tensors;
  assert.equal(sumRows([row, ...['buffer', 'tied', 'published', 'possible'].map((kind) => ({ ...row, kind }))]), BigInt(row.total));
});

test('what files also store is separate, by reason, and in no sum', () => {
  // DeepSeek-V3's files contain 684,531,386,000 elements, the model with its buffers only 671,026,419,200.
  const answer = counted({ ...published('deepseek-ai/DeepSeek-V3') });
  for (const view of /** @type {const} */ (['module', 'part'])) {
    const tree = buildTree(answer, view);
    const [held] = tree.filter(({ id }) => id === 'published');
    assert.equal(held.beside, 684_531_386_000n - 671_026_419_200n);
    assert.equal(held.total, 0n);
    assert.ok(held.children.length > 1 && held.children.every(({ label, wide }) => wide && label.endsWith('.')));
    const others = listNodes(tree.filter(({ id }) => id !== 'published' && id !== 'possible'));
    assert.ok(others.every(({ row, beside }) => beside === undefined && row?.kind !== 'published' && row?.kind !== 'possible'));
    assert.ok(listNodes([held]).every(({ row }) => !row || row.kind === 'published'));
  }
});

test('modules are named as in the checkpoint, a chain of single ones on one line', () => {
  const labels = listNodes(buildTree(deepseek, 'module')).map(({ label }) => label);
  for (const label of [
    'model',
    'embed_tokens.weight',
    'layers.[0-60]',
    'self_attn',
    'layers.[3-60].mlp',
    'experts.[0-255]',
    'lm_head.weight',
  ])
    assert.ok(labels.includes(label), label);
  const experts = findPath(buildTree(deepseek, 'module'), ({ label }) => label === 'experts.[0-255]')?.pop();
  assert.equal(experts?.copies, 58n * 256n);
});

test('an opened row lists its tensors one by one, and hidden ones cost nothing', () => {
  const tree = narrow(deepseek, 'layers.[3-60] mlp.experts.[0-255].up_proj');
  const { runs, count } = layOutRuns(tree, () => true);
  assert.equal(count, 1 + 58 * 256);
  assert.equal(runs.length, 2);
  assert.equal(formatLabel(findLine(runs, 1)), 'model.layers.3.mlp.experts.0.up_proj.weight');
  assert.equal(formatLabel(findLine(runs, count - 1)), 'model.layers.60.mlp.experts.255.up_proj.weight');
  assert.equal(layOutRuns(tree, () => false).count, 1);
  assert.equal(formatLabel(findLine(layOutRuns(tree, () => false).runs, 0)), tree[0].label);
});

test('copies beyond the limit of a list are counted', () => {
  const many = counted({ model_type: 'llama', num_hidden_layers: 1_000_000, vocab_size: 8, hidden_size: 32, intermediate_size: 8 });
  const { runs, count } = layOutRuns(narrow(many, 'q_proj'), () => true);
  assert.equal(count, MAX_COPIES + 2);
  assert.match(formatLabel(findLine(runs, count - 1)), /not listed/);
});

test('copies beyond 2^53 are counted exactly', () => {
  const many = counted({ model_type: 'llama', num_hidden_layers: 99_999_999_999, vocab_size: 8, hidden_size: 32, intermediate_size: 8 });
  const tree = narrow(many, 'q_proj');
  const [leaf] = listNodes(tree).filter(({ row }) => row);
  assert.equal(leaf.copies, 99_999_999_999n);
  const { runs, count } = layOutRuns(tree, () => true);
  assert.equal(formatLabel(findLine(runs, count - 1)), '… and 99,999,899,999 more, not listed');
});
