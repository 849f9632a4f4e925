import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { findBlocks } from '../../../web/answer/layer-blocks.ts';
import { findFlow, findSteps } from '../../../web/answer/layer-flow.ts';

/** @param {string} type @param {string} [architecture] */
const first = (type, architecture) => findBlocks(counted({ model_type: type, ...(architecture && { architectures: [architecture] }) }))[0];

/** @param {import('../../../web/answer/layer-flow.ts').Item} item */
const nameOf = (item) => (item === 'activation' ? item : item.name);

/**
 * The steps of the last layer block whose list's name ends with `list`, as text. Without `list`, the steps of the model's first block.
 * @param {string} type @param {string} [list] @param {import('../../../web/answer/layer-flow.ts').Settings} [settings]
 */
const steps = (type, list, settings) =>
  findSteps(
    list
      ? (findBlocks(counted({ model_type: type }))
          .filter((block) => block.list.endsWith(list))
          .at(-1) ?? first(type))
      : first(type),
    type,
    settings,
  )?.map(({ before, lanes, after }) =>
    [before.map(nameOf), lanes.map((lane) => lane.map(nameOf).join(' ')), after.map(nameOf)].map((names) => names.join(' | ')).join(' > '),
  );

/** @param {string} type @param {string} name */
function flow(type, name) {
  const module = findBlocks(counted({ model_type: type }))
    .flatMap(({ modules }) => modules)
    .find((one) => one.name === name);
  assert.ok(module, name);
  return findFlow(module);
}

test('norms are where the type’s code has them', () => {
  assert.deepEqual(steps('llama'), [' > input_layernorm self_attn > ', ' > post_attention_layernorm mlp > ']);
  assert.deepEqual(steps('gptj'), ['ln_1 > attn | mlp > ']);
  assert.deepEqual(steps('olmo2'), [' > self_attn post_attention_layernorm > ', ' > mlp post_feedforward_layernorm > ']);
  assert.deepEqual(steps('gemma2'), [
    ' > input_layernorm self_attn post_attention_layernorm > ',
    ' > pre_feedforward_layernorm mlp post_feedforward_layernorm > ',
  ]);
  assert.deepEqual(steps('bert'), [
    ' > attention > attention.output.LayerNorm',
    ' > intermediate, output > intermediate, output.output.LayerNorm',
  ]);
  assert.deepEqual(steps('distilbert'), [' > attention > sa_layer_norm', ' > ffn > output_layer_norm']);
});

test('the convolutions of wav2vec 2.0 follow one another; SAM’s attention adds two tables to its scores', () => {
  assert.deepEqual(steps('wav2vec2', 'feature_extractor.conv_layers'), [' > conv activation > ']);
  assert.deepEqual(steps('wav2vec2'), [' > conv layer_norm activation > ']);
  assert.equal(steps('wav2vec2', 'feature_extractor.conv_layers', { feat_extract_activation: 'relu' }), undefined);
  const attention = flow('sam', 'attn');
  assert.ok(attention?.kind === 'attention' && attention.units.has('score_bias') && attention.units.has('score_bias_width'));
});

test('if names are ambiguous, the type or its settings decide, or nothing does', () => {
  assert.deepEqual(steps('gpt_neox'), [' > input_layernorm attention | post_attention_layernorm mlp > ']);
  assert.equal(findSteps(first('gpt_neox'), 'gpt_neox', { use_parallel_residual: false })?.length, 2);
  assert.deepEqual(steps('whisper')?.at(-1), ' > final_layer_norm fc1, fc2 > ');
  assert.deepEqual(steps('bart')?.at(-1), ' > fc1, fc2 > final_layer_norm');
  assert.deepEqual(steps('openai-gpt'), [' > attn > ln_1', ' > mlp > ln_2']);
  assert.deepEqual(steps('dinov2'), [' > norm1 attention layer_scale1 > ', ' > norm2 mlp, layer_scale2 > ']);
  assert.deepEqual(steps('glm4')?.at(-1), ' > post_attention_layernorm mlp post_mlp_layernorm > ');
  assert.equal(steps('bloom')?.length, 2);
  assert.equal(findSteps(first('bloom'), 'bloom', { apply_residual_connection_post_layernorm: true }), undefined);
  assert.equal(findSteps(first('llama'), 'chameleon', { swin_norm: true }), undefined);
  for (const type of ['swin2sr', 'swinv2', 'minimax', 'gemma4', 'lilt']) assert.equal(steps(type), undefined, type);
});

test('speech, detection and convolutions: norms, scales and shortcuts are where the code has them', () => {
  assert.deepEqual(steps('wav2vec2', 'encoder.layers'), [' > attention > layer_norm', ' > feed_forward > final_layer_norm']);
  assert.deepEqual(steps('wav2vec2', 'encoder.layers', { do_stable_layer_norm: true }), [
    ' > layer_norm attention > ',
    ' > final_layer_norm feed_forward > ',
  ]);
  assert.deepEqual(steps('seamless_m4t', 'text_decoder.layers')?.slice(1), [
    ' > cross_attention_layer_norm cross_attention > ',
    ' > ffn_layer_norm ffn > ',
  ]);
  assert.deepEqual(steps('opt'), [' > self_attn_layer_norm self_attn > ', ' > final_layer_norm fc1, fc2 > ']);
  assert.deepEqual(steps('opt', undefined, { do_layer_norm_before: false })?.[1], ' > fc1, fc2 > final_layer_norm');
  assert.deepEqual(steps('resnet'), [' > layer.0 activation layer.1 activation layer.2 | shortcut > activation']);
  assert.deepEqual(steps('resnet', 'encoder.stages.2.layers'), [' > layer.0 activation layer.1 activation layer.2 > activation']);
  assert.deepEqual(steps('convnextv2'), [' > dwconv layernorm pwconv1 activation grn pwconv2 > ']);
  assert.deepEqual(steps('albert'), [' > attention > attention.LayerNorm', ' > ffn, ffn_output > full_layer_layer_norm']);
  assert.deepEqual(steps('falcon_h1'), ['input_layernorm > mamba | self_attn > ', ' > pre_ff_layernorm feed_forward > ']);
  assert.deepEqual(steps('t5gemma', 'decoder.layers')?.[1], ' > pre_cross_attn_layernorm cross_attn post_cross_attn_layernorm > ');
  assert.deepEqual(steps('gemma4_vision'), [
    ' > input_layernorm self_attn post_attention_layernorm > ',
    ' > pre_feedforward_layernorm mlp post_feedforward_layernorm > ',
  ]);
});

test('cross-attention takes keys and values from the other sequence', () => {
  const [, decoder] = findBlocks(counted({ model_type: 't5' })).filter(({ list }) => list === 'decoder.block');
  const flows = decoder.modules.map((module) => findFlow({ ...module, units: module.units.filter(({ name }) => name !== 'layer_norm') }));
  assert.deepEqual(
    flows.map((found) => found?.kind === 'attention' && found.across),
    [false, true, false],
  );
});

test('state-space mixers, gated delta networks and short convolutions are recognised by all of their tensors', () => {
  assert.equal(flow('mamba', 'mixer')?.kind, 'mamba');
  assert.equal(flow('mamba2', 'mixer')?.kind, 'mamba_2');
  assert.equal(flow('qwen3_5', 'linear_attn')?.kind, 'gated_delta');
  assert.equal(flow('qwen3_next', 'linear_attn')?.kind, 'gated_delta');
  assert.equal(flow('jamba', 'mamba')?.kind, 'mamba');
  assert.equal(flow('falcon_h1', 'mamba')?.kind, 'mamba_2');
});

test('attention, networks and mixtures are recognised by tensor names', () => {
  assert.equal(flow('llama', 'self_attn')?.kind, 'attention');
  assert.equal(flow('gpt2', 'attn')?.kind, 'attention');
  assert.equal(flow('llama', 'mlp')?.kind, 'network');
  assert.equal(flow('bitnet', 'self_attn'), undefined, 'a norm inside that nothing places');
  const mixture = flow('mixtral', 'block_sparse_moe') ?? flow('mixtral', 'mlp');
  assert.ok(mixture?.kind === 'mixture');
  const biased = flow('gpt_oss', 'mlp');
  assert.ok(biased?.kind === 'mixture');
  assert.deepEqual([biased.experts.units.length, biased.experts.units[0].rows.length], [2, 2]);
  assert.deepEqual([mixture.experts.count, mixture.experts.used, mixture.shared], [8, 2, undefined]);
});

test('latent attention has its chains, a mixture its shared experts', () => {
  const [, block] = findBlocks(counted({ model_type: 'deepseek_v3' }));
  const [attention, mixture] = block.modules.filter(({ isNorm }) => !isNorm).map(findFlow);
  assert.ok(attention?.kind === 'attention' && mixture?.kind === 'mixture');
  assert.deepEqual(
    [...attention.units.keys()],
    ['query_down', 'query_down_norm', 'query_up', 'key_value_down', 'key_value_down_norm', 'key_value_up', 'output'],
  );
  assert.deepEqual([mixture.experts.count, mixture.experts.used, mixture.shared?.units.length], [256, 8, 3]);
});

test('a flow has every tensor of its module, in every model type', () => {
  for (const { model_type } of ledger.catalog().families) {
    const answer = ledger.count({ model_type });
    if (!answer.ok) continue;
    for (const { modules } of findBlocks(answer))
      for (const module of modules) {
        const found = findFlow(module);
        if (!found) continue;
        const experts = found.kind === 'mixture' ? [...found.experts.units, ...(found.shared?.units ?? [])] : [];
        const own = [...module.units, ...module.groups.flatMap(({ units }) => units)];
        const rows = (/** @type {readonly import('../../../web/answer/layer-blocks.ts').Unit[]} */ units) =>
          new Set(units.flatMap((unit) => unit.rows));
        assert.deepEqual(rows([...found.units.values(), ...experts]), rows(own), `${model_type} ${module.name}`);
      }
  }
});
