import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { findBlocks } from '../../../web/answer/layer-blocks.ts';
import { findFlow, findSteps } from '../../../web/answer/layer-flow.ts';

/** @param {string} type @param {string} [architecture] */
const first = (type, architecture) => findBlocks(counted({ model_type: type, ...(architecture && { architectures: [architecture] }) }))[0];

/** @param {string} type */
const steps = (type) =>
  findSteps(first(type), type)?.map(({ before, lanes, after }) =>
    [before.map(({ name }) => name), lanes.map((lane) => lane.map(({ name }) => name).join(' ')), after.map(({ name }) => name)]
      .map((names) => names.join(' | '))
      .join(' > '),
  );

/** @param {string} type @param {string} name */
function flow(type, name) {
  const module = first(type).modules.find((one) => one.name === name);
  assert.ok(module, name);
  return findFlow(module);
}

test('norms stand where the code of the type has them', () => {
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

test('what names leave open is not settled: parallel or not in GPT-NeoX, before or after the sum in BART and Whisper', () => {
  for (const type of ['gpt_neox', 'bart', 'whisper', 'swinv2', 'minimax', 'resnet']) assert.equal(steps(type), undefined, type);
});

test('attention, networks and mixtures are told by what their tensors are called', () => {
  assert.equal(flow('llama', 'self_attn')?.kind, 'attention');
  assert.equal(flow('gpt2', 'attn')?.kind, 'attention');
  assert.equal(flow('llama', 'mlp')?.kind, 'network');
  assert.equal(flow('bitnet', 'self_attn'), undefined, 'a norm inside that nothing places');
  const mixture = flow('mixtral', 'block_sparse_moe') ?? flow('mixtral', 'mlp');
  assert.ok(mixture?.kind === 'mixture');
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
        assert.deepEqual(new Set([...found.units.values(), ...experts]), new Set(own), `${model_type} ${module.name}`);
      }
  }
});
