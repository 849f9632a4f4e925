import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { cases, files } from '../../node/oracle.mjs';
import { counted, ledger } from '../ledger.mjs';
import { findBlocks, listModuleRows } from '../../../web/answer/layer-blocks.ts';
import { findSteps, ownerOf } from '../../../web/answer/layer-flow.ts';
import { drawBlock, isSettled } from '../../../web/drawings/block-drawing.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));
const byId = (/** @type {string} */ id) => counted(models.find((model) => model.id === id)?.config ?? {});
const texts = (/** @type {import('../../../web/drawings/drawing.ts').Drawing} */ { shapes }) =>
  shapes.flatMap((shape) => (shape.is === 'text' ? [shape.text] : []));

test('the drawing stays inside its bounds, and its boxes have every tensor', () => {
  const types = ['resnet', 'convnext', 'swin', 'wav2vec2', 'mamba', 't5', 'whisper', 'gpt_oss', 'falcon'].map((model_type) =>
    counted({ model_type }),
  );
  for (const answer of [...['meta-llama/Llama-3.1-8B', 'deepseek-ai/DeepSeek-V3', 'openai-community/gpt2-xl'].map(byId), ...types])
    for (const block of findBlocks(answer))
      for (const wide of [false, true]) {
        const { width, height, shapes } = drawBlock(block, answer, wide);
        const boxes = shapes.flatMap((shape) => (shape.is === 'box' ? [shape] : []));
        for (const box of boxes)
          assert.ok(
            box.x >= -3 && box.y >= 0 && box.x + box.width <= width + 3 && box.y + box.height <= height,
            `${answer.model_type}: ${box.title} ${[box.x, box.y, box.width, box.height, width, height]}`,
          );
        const names = new Set(boxes.flatMap(({ rows = [] }) => rows.map(({ name }) => name)));
        assert.deepEqual(names, new Set(block.modules.flatMap(listModuleRows).map(({ name }) => name)), answer.model_type);
      }
});

test('every case of the oracle can be drawn, also with experts without elements and lists of norms', () => {
  let drawn = 0;
  for (const { id, config } of files().flatMap(cases)) {
    const answer = ledger.count(config);
    if (!answer.ok) continue;
    for (const block of findBlocks(answer)) {
      assert.ok(drawBlock(block, answer).shapes.length > 0, id);
      drawn += 1;
    }
  }
  assert.ok(drawn > 5000, `${drawn} blocks`);
});

test('areas are parameters: k_proj has a quarter of q_proj, whatever the scale', () => {
  const answer = byId('meta-llama/Llama-3.1-8B');
  const { shapes } = drawBlock(findBlocks(answer)[0], answer);
  const area = (/** @type {string} */ name) => {
    const [box] = shapes.flatMap((shape) => (shape.is === 'box' && shape.title?.includes(name) ? [shape] : []));
    return box.width * box.height;
  };
  assert.ok(Math.abs(area('k_proj') / area('q_proj') - 1 / 4) < 1e-9);
  assert.ok(Math.abs(area('down_proj') / area('q_proj') - 3.5) < 1e-9);
  const [queries] = shapes.flatMap((shape) => (shape.is === 'box' && shape.title?.includes('q_proj') ? [shape] : []));
  assert.ok(Math.abs(queries.width - queries.height) < 1e-9);
});

/** The ratio of width to height of the first box with this name. @param {import('../../../web/types/index.ts').CountAnswer} answer */
function sides(answer, /** @type {string} */ name) {
  const block = findBlocks(answer).find(({ modules }) => modules.flatMap(listModuleRows).some((row) => row.name.endsWith(name)));
  assert.ok(block, name);
  const { shapes } = drawBlock(block, answer);
  const [box] = shapes.flatMap((shape) => (shape.is === 'box' && shape.rows?.[0].name.endsWith(name) ? [shape] : []));
  return box.width / box.height;
}

test('a matrix is as wide as its input and as high as its output, also in a list and where a type stores it otherwise', () => {
  assert.equal(sides(counted({ model_type: 'convnext' }), 'pwconv2.weight'), 4); // maps 4·d to d
  assert.equal(sides(counted({ model_type: 'segformer' }), 'dense2.weight'), 4);
  assert.equal(sides(counted({ model_type: 'gpt2' }), 'mlp.c_fc.weight'), 1 / 4);
  assert.equal(sides(counted({ model_type: 'xlnet' }), 'rel_attn.q'), 1); // d × 16 heads × 64 = d × d
});

test('what has no parameters says so, and a long list is cut', () => {
  const detr = counted({ model_type: 'deformable_detr' });
  const frozen = findBlocks(detr).find(({ modules }) => modules.some(({ name }) => name === 'bn1'));
  assert.ok(frozen);
  assert.ok(texts(drawBlock(frozen, detr)).includes('Norm: no parameters'));
  const zamba = counted({ model_type: 'zamba2' });
  const cut = findBlocks(zamba).map((block) => texts(drawBlock(block, zamba)).filter((text) => /in the table$/.test(text)));
  assert.ok(cut.some(({ length }) => length === 1));
});

test('shares of one layer, heads and experts are stated', () => {
  const llama = byId('meta-llama/Llama-3.1-8B');
  const said = texts(drawBlock(findBlocks(llama)[0], llama));
  assert.ok(said.includes('32 query heads, 8 key-value heads'), said.join('; '));
  assert.ok(said.some((text) => /^Feed-forward: .*80\.77% of the layer$/.test(text)));
  const deepseek = byId('deepseek-ai/DeepSeek-V3');
  const mixture = texts(drawBlock(findBlocks(deepseek)[1], deepseek));
  assert.ok(
    mixture.includes('picks 8 of 256') && mixture.some((text) => /^Attention: .*1\.63% of the layer$/.test(text)),
    mixture.join('; '),
  );
});

test('an unsettled layer has no sum, and is drawn as a list', () => {
  const xlnet = counted({ model_type: 'xlnet' });
  const [block] = findBlocks(xlnet);
  assert.ok(!isSettled(block, 'xlnet'));
  const drawing = drawBlock(block, xlnet);
  assert.ok(texts(drawing).includes('1,024 × 16 × 64') && texts(drawing).includes('a list, not a flow'));
  assert.ok(!drawing.shapes.some((shape) => shape.is === 'sum' || (shape.is === 'line' && shape.arrow)));
});

/** Whether a line, with or without an arrowhead, ends at the lower edge of a tensor's box. */
const isFed = (/** @type {import('../../../web/drawings/drawing.ts').Drawing} */ { shapes }, /** @type {string} */ name) => {
  const [box] = shapes.flatMap((shape) => (shape.is === 'box' && shape.title?.includes(name) ? [shape] : []));
  assert.ok(box, name);
  return shapes.some(
    (shape) =>
      shape.is === 'line' &&
      !shape.stripe &&
      Math.abs(shape.points[shape.points.length - 1] - (box.y + box.height)) < 0.1 &&
      shape.points[shape.points.length - 2] >= box.x - 1 &&
      shape.points[shape.points.length - 2] <= box.x + box.width + 9,
  );
};

test('Llama 4 scales the input of an expert: its router has no arrow to the sum', () => {
  const arrowsAboveRouter = (/** @type {string} */ type) => {
    const answer = counted({ model_type: type });
    const shapes = findBlocks(answer).flatMap((block) => (block.list.includes('vision') ? [] : drawBlock(block, answer).shapes));
    const boxes = shapes.flatMap((shape) => (shape.is === 'box' && /(router|gate)\.weight: /.test(shape.title ?? '') ? [shape] : []));
    const { x, y } = boxes[0] ?? assert.fail(type);
    return shapes.flatMap((shape) => {
      if (shape.is !== 'line' || !shape.arrow) return [];
      const [fromX, fromY, toX] = shape.points;
      return fromX === x + 8 && toX === fromX && fromY < y ? [shape] : [];
    }).length;
  };
  assert.equal(arrowsAboveRouter('mixtral'), 3, 'to the choice, from there to the sum, and from the sum');
  assert.equal(arrowsAboveRouter('llama4'), 2);
});

test('heads that no formula names are drawn where all fields agree on them', () => {
  const said = (/** @type {object} */ config) => {
    const answer = counted(config);
    return findBlocks(answer).flatMap((block) => texts(drawBlock(block, answer)));
  };
  assert.equal(said({ model_type: 'bart' }).filter((text) => text === '16 heads').length, 3);
  assert.equal(said({ model_type: 'bart', decoder_attention_heads: 8 }).filter((text) => text === '16 heads').length, 0);
});

test('what has no input has no arrow to it: sinks, position tables, the state of a scan', () => {
  const draw = (/** @type {string} */ type) => {
    const answer = counted({ model_type: type });
    return drawBlock(findBlocks(answer)[0], answer);
  };
  assert.ok(isFed(draw('gpt_oss'), 'v_proj') && !isFed(draw('gpt_oss'), 'sinks'));
  assert.ok(isFed(draw('swin'), 'value') && !isFed(draw('swin'), 'relative_position_bias_table'));
  assert.ok(isFed(draw('mamba'), 'dt_proj') && !isFed(draw('mamba'), 'A_log'));
});

test('operations without parameters are small nodes, named if the configuration names them', () => {
  const node = (/** @type {object} */ config) => {
    const answer = counted(config);
    return findBlocks(answer).flatMap((block) => texts(drawBlock(block, answer, false, /** @type {any} */ (config))));
  };
  const llama = node({ model_type: 'llama', hidden_act: 'silu' });
  assert.equal(llama.filter((text) => text === 'RoPE').length, 2, 'of queries and keys');
  assert.ok(llama.includes('SiLU'));
  const gpt = node({ model_type: 'gpt2' });
  assert.ok(!gpt.includes('RoPE') && gpt.includes('activation'));
  const across = node({ model_type: 'whisper' });
  assert.equal(across.filter((text) => text === 'the other sequence').length, 2, 'keys and values');
});

test('the language model of a composite model is drawn by its own type and settings', () => {
  const config = models.find(({ id }) => id === 'llava-hf/llava-1.5-7b-hf')?.config ?? assert.fail();
  const answer = counted(config);
  const language = findBlocks(answer).find(({ list }) => list.includes('language_model')) ?? assert.fail();
  assert.equal(texts(drawBlock(language, answer, false, config)).filter((text) => text === 'RoPE').length, 2);
  const tower = findBlocks(answer).find(({ list }) => list.includes('vision_tower')) ?? assert.fail();
  assert.ok(!texts(drawBlock(tower, answer, false, config)).includes('RoPE'));
  const opt = { model_type: 'blip-2', text_config: { model_type: 'opt', do_layer_norm_before: false } };
  const after = findBlocks(counted(opt)).find(({ list }) => list.startsWith('language_model.')) ?? assert.fail();
  const { type, settings } = ownerOf(after, 'blip-2', opt);
  assert.deepEqual(
    findSteps(after, type, settings)?.map((step) => step.after.length),
    [1, 1],
  );
});
