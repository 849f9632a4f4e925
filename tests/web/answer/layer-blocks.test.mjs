import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { findBlocks, listModuleRows } from '../../../web/answer/layer-blocks.ts';
import { groupByKind } from '../../../web/answer/block-kinds.ts';
import { formatUnitName } from '../../../web/drawings/block-drawing.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));
const byId = (/** @type {string} */ id) => counted(models.find((model) => model.id === id)?.config ?? {});

/**
 * The names of the layer blocks that are drawn. Each is followed by the names of similar blocks, which are not drawn.
 * @param {string} type @param {string} [architecture]
 */
const drawn = (type, architecture) =>
  groupByKind(findBlocks(counted({ model_type: type, ...(architecture && { architectures: [architecture] }) }))).drawn.map(
    ({ block, alike }) => [formatUnitName(block), ...alike.map(formatUnitName)],
  );

test('equal layers are one block, others have their own', () => {
  const blocks = findBlocks(byId('deepseek-ai/DeepSeek-V3'));
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

test('a layer of each kind is drawn, also in towers, the text model first; of equal stages the longest', () => {
  assert.deepEqual(drawn('llava'), [['language_model.model.layers.[0-31]'], ['vision_tower.encoder.layers.[0-23]']]);
  assert.deepEqual(drawn('whisper', 'WhisperForConditionalGeneration'), [['model.decoder.layers.[0-3]'], ['model.encoder.layers.[0-3]']]);
  const stage = (/** @type {string} */ ...own) => own.map((one) => `encoder.layers.${one}`);
  assert.deepEqual(drawn('swin'), [stage('2.blocks.[0-5]', '0.blocks.[0-1]', '1.blocks.[0-1]', '3.blocks.[0-1]')]);
  const [first, rest] = drawn('resnet');
  assert.deepEqual(
    first,
    [0, 1, 2, 3].map((i) => `encoder.stages.${i}.layers.0`),
  ); // the first layer of each stage, with its shortcut
  assert.deepEqual(rest[0], 'encoder.stages.2.layers.[1-5]');
  const ears = [1, 2, 3, 4, 5, 6].map((i) => `feature_extractor.conv_layers.${i}`);
  assert.deepEqual(drawn('wav2vec2', 'Wav2Vec2Model'), [['feature_extractor.conv_layers.0'], ears, ['encoder.layers.[0-11]']]);
  assert.deepEqual(drawn('albert', 'AlbertModel'), [['encoder.albert_layer_groups.0.albert_layers.0']]);
});

test('a list of one layer is not repeated if there are others', () => {
  const lists = (/** @type {string} */ model_type) => [...new Set(findBlocks(counted({ model_type })).map(({ list }) => list))];
  assert.deepEqual(lists('canine'), ['encoder.layer']);
  assert.deepEqual(lists('nemotron_h'), ['backbone.layers'], 'nor is one of experts');
});

test('experts with names count as copies of one', () => {
  const sparse = findBlocks(counted({ model_type: 'nllb-moe' })).find(({ layers }) => layers === '[3,7,11]');
  const groups = sparse?.modules.at(-1)?.groups.map(({ name, copies, units }) => [name, copies, units.map((unit) => unit.name)]);
  assert.deepEqual(groups, [['experts', 128n, ['fc1', 'fc2']]]);
});

test('every model type has a layer to draw', () => {
  const none = ledger.catalog().families.flatMap(({ model_type }) => {
    const answer = ledger.count({ model_type });
    return answer.ok && groupByKind(findBlocks(answer)).drawn.length === 0 ? [model_type] : [];
  });
  // eagle3 has only one block, which is not in a list. glm_image_vqmodel consists of a table of codes and two convolutions. In the two
  // vocoders all blocks differ.
  assert.deepEqual(none, ['eagle3', 'fastspeech2_conformer_hifigan', 'glm_image_vqmodel', 'speecht5_hifigan']);
});

test('every tensor of a repeated layer is in exactly one place of its block, for every model type', () => {
  for (const { model_type } of ledger.catalog().families) {
    const answer = ledger.count({ model_type });
    if (!answer.ok) continue;
    for (const block of findBlocks(answer)) {
      const rows = block.modules.flatMap(listModuleRows);
      assert.equal(new Set(rows).size, rows.length, model_type);
    }
  }
});
