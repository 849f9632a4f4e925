// Tests the table of models: every column, calculated by hand for known models, the sort order, and the formats.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { loadPublishedModels } from '../../../web/models/catalogue.ts';
import { columns, columnLabel, columnMeaning } from '../../../web/models/model-columns.ts';
import { createCounting } from '../../../web/models/model-rows.ts';
import { formatCell, formatCsv, formatMarkdown, buildTable, toRecords, buildTableLeniently } from '../../../web/models/model-table.ts';

const models = await loadPublishedModels();
const known = createCounting(models, ledger);
const every = columns.map(({ name }) => name).join();

/** @param {Partial<import('../../../web/models/model-table.ts').TableSetting>} wish */
function table(wish) {
  const made = buildTable(known, { columns: '', where: '', sort: '', ...wish });
  assert.ok(made.ok, made.ok ? '' : made.error.message);
  return made;
}

test('experts per token are not the size of a kernel or of an indexer’s pool', () => {
  const tested = createCounting([{ id: 'glm', name: 'glm', config: { model_type: 'glm5_next' } }], ledger);
  const made = buildTable(tested, { columns: 'experts_per_token', where: '', sort: '' });
  assert.ok(made.ok);
  assert.equal(String(toRecords(made)[0].experts_per_token), '8');
});

test('each column for models with known numbers', () => {
  const [llama] = toRecords(table({ columns: every, where: 'id = meta-llama/Llama-3.1-8B' }));
  const [embedding, layer] = [128_256 * 4096, { attention: 2 * 4096 * 4096 + 2 * 4096 * 1024, feed: 3 * 4096 * 14_336 }];
  const share = (/** @type {number} */ some) => (some / 8_030_261_248).toFixed(6);
  assert.deepEqual(llama, {
    name: 'Llama 3.1 8B',
    id: 'meta-llama/Llama-3.1-8B',
    publisher: 'meta-llama',
    type: 'llama',
    class: 'LlamaForCausalLM',
    parameters: '8030261248',
    active: '8030261248',
    non_embedding: String(8_030_261_248 - 2 * embedding),
    embedding: share(embedding),
    attention: share(32 * layer.attention),
    feed_forward: share(32 * layer.feed),
    in_experts: '0.000000',
    layers: '32',
    width: '4096',
    heads: '32',
    kv_heads: '8',
    vocabulary: '128256',
    context: '131072',
    released: '2024-07-23',
    license: 'llama3.1',
    bytes: String(2 * 8_030_261_248),
    cache: String(2 * 32 * 8 * 128 * 2), // keys and values in 32 layers, 8 heads of 128 dimensions, two bytes each
    operations: String(2 * (8_030_261_248 - embedding - 65 * 4096)), // all matrices except the embedding table; 65 norms are not matrices
  });
  const [mixture] = toRecords(table({ columns: 'active,experts,experts_per_token,in_experts', where: 'id = mistralai/Mixtral-8x7B-v0.1' }));
  const expert = 3 * 4096 * 14_336;
  assert.deepEqual(mixture, {
    active: String(46_702_792_704 - 32 * 6 * expert),
    experts: '8',
    experts_per_token: '2',
    in_experts: ((32 * 8 * expert) / 46_702_792_704).toFixed(6),
  });
});

test('for models with towers, the text model’s dimensions', () => {
  const [vision] = toRecords(table({ columns: 'layers,width,heads,context', where: 'id = google/gemma-3-4b-it' }));
  assert.deepEqual([vision.layers, vision.width, vision.heads], ['34', '2560', '8']);
});

test('every model of the catalogue is a row with its published number', () => {
  const { rows, models: all } = table({ columns: 'id' });
  assert.equal(all, models.length);
  for (const [i, { model, cells }] of rows.entries()) {
    const { totals } = model.answer;
    assert.equal(cells[0], models[i].id);
    // Some publishers count buffers as parameters.
    assert.ok([totals.parameters, totals.stored].includes(models[i].parameters), models[i].id);
  }
  for (const column of columns) assert.ok(columnLabel(column) && columnMeaning(column).endsWith('.'));
});

test('sorted by several columns; unknown values come last in both directions', () => {
  const up = table({ columns: 'experts,parameters', sort: 'experts,-parameters' }).rows.map(({ cells }) => cells); // prettier-ignore
  const down = table({ columns: 'experts', sort: '-experts' }).rows.map(({ cells }) => cells[0]); // prettier-ignore
  const first = up.findIndex(([experts]) => experts === undefined);
  assert.ok(first > 10 && up.slice(first).every(([experts]) => experts === undefined));
  for (let i = 1; i < up.length; i++) {
    const [[a, parameters], [b, next]] = [up[i - 1], up[i]];
    assert.ok(a === b ? parameters >= next : b === undefined || a < b);
  }
  assert.deepEqual(down.filter((experts) => experts !== undefined), down.slice(0, first)); // prettier-ignore
  assert.ok(down[0] > down[1] || down[0] === down[1]);
  const names = table({ columns: 'name', sort: 'name' }).rows.map(({ cells }) => String(cells[0])); // prettier-ignore
  assert.deepEqual(
    names,
    [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' })),
  );
});

test('written as CSV, as Markdown, and for readers', () => {
  const made = table({ columns: 'name,parameters,embedding,context', where: 'id = meta-llama/Llama-3.1-8B' });
  assert.equal(formatCsv(made), 'name,parameters,embedding,context\nLlama 3.1 8B,8030261248,0.065420,131072\n');
  assert.equal(formatMarkdown(made), '| Model | Parameters | Embedding | Context |\n| --- | ---: | ---: | ---: |\n| Llama 3.1 8B | 8,030,261,248 | 6.54% | 131,072 |\n'); // prettier-ignore
  assert.deepEqual(made.rows[0].cells.map((cell, i) => formatCell(cell, made.columns[i])), ['Llama 3.1 8B', '8.03 billion', '6.54%', '131,072']); // prettier-ignore
  const odd = buildTable(createCounting([{ ...models[0], name: 'a, "b"|c' }], ledger), { columns: 'name', where: '', sort: '' });
  assert.equal(formatCsv(odd), 'name\n"a, ""b""|c"\n');
  assert.match(formatMarkdown(odd), /\| a, "b"\\\|c \|/);
});

test('an invalid part of a setting is reported with its position', () => {
  for (const [wish, part, from, to] of /** @type {const} */ ([
    [{ columns: 'name,nam' }, 'columns', 5, 8],
    [{ sort: 'name,-actve' }, 'sort', 5, 11],
    [{ where: 'layers <' }, 'where', 0, 8],
  ])) {
    const made = buildTable(known, { columns: '', where: '', sort: '', ...wish });
    assert.deepEqual([made.ok, made.error.part, made.error.from, made.error.to], [false, part, from, to]);
  }
});

test('the valid parts of a setting apply even if another part is invalid', () => {
  const asked = { columns: 'name,zzz', where: 'llama-3.1 not instruct aktive < 3', sort: '-zzz' };
  assert.equal(buildTable(known, asked).ok, false);
  const shown = buildTableLeniently(known, asked);
  assert.deepEqual(shown.rows, table({ where: 'llama-3.1 not instruct' }).rows);
  assert.equal(shown.rows.length, 3);
});
