// Tests explanations of blocks and tensors. Their shapes must be true for every model type's default configuration and every model of the
// catalogue. Other statements are tested for selected models.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(read('web/data/models.json'));
const defaults = read('tests/data/oracle.jsonl')
  .split('\n')
  .filter((line) => /^\{"id": "[^"]*\/default"/.test(line))
  .map((line) => JSON.parse(line));

/** @typedef {import('../../../web/types/index.ts').DerivedStep} Step */

/** @param {object} config @returns {Step[]} */
function stepsOf(config) {
  const answer = ledger.derive(config);
  assert.ok(answer.ok, answer.ok ? '' : answer.error.message);
  return answer.sections.flatMap(({ steps }) => steps);
}

/** The configuration of a model in the catalogue. */
const model = (/** @type {string} */ id) => models.find((one) => one.id === id)?.config ?? assert.fail(id);
const step = (/** @type {Step[]} */ steps, /** @type {RegExp} */ says) =>
  steps.find((one) => says.test(one.says)) ?? assert.fail(`${says}: ${steps.map((one) => one.says).join('; ')}`);
const tensor = (/** @type {Step[]} */ steps, /** @type {RegExp} */ name) =>
  steps.flatMap(({ tensors }) => tensors).find((one) => name.test(one.name)) ?? assert.fail(String(name));

/** Finds the shapes in a sentence, such as `q_proj and o_proj: 4,096 × 4,096`. */
function* shapesIn(/** @type {string} */ why) {
  for (const [, names, shape] of why.matchAll(
    /(?<=^|[;.] )([\w.[\],–-]+(?:, [\w.[\]-]+)*(?: and [\w.[\]-]+(?: more)?)?): (\d[\d,]*(?: × \d[\d,]*)*|one scalar)(?=[;.])/g,
  ))
    yield { names: names.replace(/ and \d+ more$/, '').split(/, (?!\d)| and /), shape };
}

function checkShapes(/** @type {string} */ id, /** @type {Step[]} */ steps) {
  let known = 0;
  for (const { why = '', tensors, kind } of steps) {
    if (kind !== 'part') continue;
    for (const { names, shape } of shapesIn(why))
      for (const name of names) {
        const bare = (/** @type {{ name: string }} */ one) => one.name.replace(/\.weight$/, '');
        const exact = tensors.filter((one) => bare(one) === name);
        const meant = exact.length > 0 ? exact : tensors.filter((one) => bare(one).endsWith(`.${name}`));
        assert.ok(meant.length > 0, `${id}: ${name} is no tensor of: ${why}`);
        for (const one of meant) {
          const own = one.shape.map((side) => BigInt(side).toLocaleString('en')).join(' × ') || 'one scalar';
          assert.equal(own, shape, `${id}: ${one.name} in: ${why}`);
          ++known;
        }
      }
  }
  return known;
}

test('each shape in a sentence is that of every tensor that the sentence names, in every default and every published model', () => {
  let known = 0;
  for (const { id, config } of defaults) {
    const answer = ledger.derive(config);
    if (answer.ok) known += checkShapes(id, answer.sections.flatMap(({ steps }) => steps)); // prettier-ignore
  }
  assert.ok(known > 10_000, String(known));
  for (const { id, config } of models) assert.ok(checkShapes(id, stepsOf(config)) > 0, id);
});

test('each "k of n experts" agrees with the active parameters', () => {
  for (const { id, config } of models) {
    const steps = stepsOf(config);
    const total = ledger.totals(config);
    assert.ok(total.ok);
    const used = steps.filter(({ kind, part }) => kind === 'part' && part === 'experts');
    const said = used.flatMap(({ why = '' }) => [...why.matchAll(/has ([\d,]+) experts; a token uses ([\d,]+) of them/g)]);
    if (used.length !== 1) continue;
    assert.equal(said.length, 1, id);
    const [experts, active] = said[0].slice(1).map((digits) => BigInt(digits.replaceAll(',', '')));
    if (experts === active) continue;
    const layers = steps
      .filter(({ kind, formula }) => kind === 'layer' && /\bexperts\b/.test(formula))
      .reduce((sum, { copies }) => sum + BigInt(copies ?? 0), 0n);
    const idle = step(steps, /^Inactive experts/);
    assert.equal((BigInt(used[0].value) * layers * (experts - active)) / experts, BigInt(idle.value), id);
    assert.ok(idle.why?.includes(`${active} of ${experts} experts`), id);
  }
});

test('every attention and feed-forward block of the catalogue has its paper’s name', () => {
  for (const { id, config } of models)
    for (const { kind, part, says, mechanism, tensors } of stepsOf(config))
      if (
        kind === 'part' &&
        (part === 'attention' || part === 'feed_forward' || part === 'experts') &&
        tensors.some(({ task }) => task !== '' && task !== 'gate of the shared expert')
      )
        assert.ok(mechanism, `${id}: ${says}`);
});

test('routers: a training rule changes their bias, which is not a parameter', () => {
  const steps = stepsOf(model('deepseek-ai/DeepSeek-V3'));
  assert.doesNotMatch(step(steps, /^Buffers/).why ?? '', /does not change/);
  assert.match(step(steps, /^Buffers/).why ?? '', /transformers registers them as buffers/);
  assert.match(tensor(steps, /e_score_correction_bias/).says, /A rule updates it in training/);
  assert.match(step(steps, /^Router/).why ?? '', /A token goes to 8 of 256 experts/);
});

test('poolers, MLM heads and mask decoders are not said to give a score per row', () => {
  const bert = stepsOf({ model_type: 'bert', architectures: ['BertForMaskedLM'] });
  assert.match(step(bert, /^MLM head/).why ?? '', /dense: 768 × 768/);
  assert.match(step(stepsOf({ model_type: 'bert', architectures: ['BertModel'] }), /^Pooler/).why ?? '', /first position.*768 × 768/);
  assert.match(step(stepsOf({ model_type: 'vit' }), /^Pooler/).why ?? '', /first position/);
  for (const one of [...bert, ...stepsOf({ model_type: 'sam' })]) assert.doesNotMatch(one.why ?? '', /score for each|to 768 logits/);
});

test('SAM has no text model', () => {
  const answer = ledger.derive({ model_type: 'sam' });
  assert.ok(answer.ok);
  assert.ok(!answer.sections.some(({ title }) => title === 'Text model'));
});

test('each embedding table has its own size', () => {
  const gpt2 = step(stepsOf({ model_type: 'gpt2' }), /^Embeddings/).why ?? '';
  assert.match(
    gpt2,
    /wte: one 768-dimensional vector for each of 50,257 vocabulary entries\. wpe: 1,024 position vectors of 768 dimensions\./,
  );
  const bert = step(stepsOf({ model_type: 'bert' }), /^Embeddings/).why ?? '';
  assert.match(bert, /30,522 vocabulary entries.*512 position vectors.*2 token-type vectors/);
  const clip = stepsOf({ model_type: 'clip' });
  assert.match(step(clip, /^Patch embedding/).why ?? '', /patch_embedding: 768 × 3 × 32 × 32/);
  assert.match(
    step(
      clip.filter(({ name }) => name.endsWith('_v')),
      /^Embeddings/,
    ).why ?? '',
    /position_embedding: 50 position vectors of 768 dimensions\. class_embedding: 768\./,
  );
});

test('wav2vec2 has a projection, a convolution and a mask vector, and no mixer', () => {
  const steps = stepsOf({ model_type: 'wav2vec2' });
  assert.doesNotMatch(steps.map(({ why }) => why).join(' '), /for each token|mixer|causal/);
  assert.match(step(steps, /^Input modules/).why ?? '', /projection: 768 × 512/);
  assert.match(step(steps, /^Convolutional stem/).why ?? '', /conv/);
});

test('where only some matrices have a bias, they are named', () => {
  assert.match(
    step(stepsOf({ model_type: 'nemotron3_5_transcribe_asr_audio' }), /^Attention/).why ?? '',
    /Of the matrices(?: and kernels)?, only o_proj has a bias: one value per output\./,
  );
  assert.match(step(stepsOf({ model_type: 'bert' }), /^Multi-head attention/).why ?? '', /Each bias has one value per output\./);
});

test('tables of one shape are told apart', () => {
  const tables = step(stepsOf({ model_type: 'vilt' }), /^Embeddings/).why ?? '';
  assert.match(
    tables,
    /text_embeddings\.token_type_embeddings: 2 token-type vectors.* embeddings\.token_type_embeddings: 2 token-type vectors/,
  );
});

test('a scale that is learned is not said to have no parameters', () => {
  const why = step(stepsOf({ model_type: 'timesfm2_5' }), /attention/).why ?? '';
  assert.match(why, /Softmax has no parameters\..*scaling: 80/);
  assert.doesNotMatch(why, /scaling have no parameters/);
});

test('RWKV-7 has a delta rule, and its channel mixing has no receptance', () => {
  const steps = stepsOf({ model_type: 'rwkv7' });
  assert.match(step(steps, /^RWKV-7 time mixing/).why ?? '', /delta rule/);
  assert.doesNotMatch(step(steps, /^RWKV channel mixing/).why ?? '', /[Rr]eceptance/);
  assert.ok(step(steps, /^GroupNorm/).tensors.every(({ name }) => name.includes('g_norm')));
  assert.match(tensor(steps, /v_lora\.lora\.0\.weight$/).says, /first layer’s values/);
});

test('a feed-forward block with a convolution says so', () => {
  assert.match(step(stepsOf({ model_type: 'pvt_v2' }), /^Feed-forward/).why ?? '', /Between them are a convolution and the activation\./);
});

test('buffers are not said to be learned', () => {
  const said = stepsOf({ model_type: 'kyutai_speech_to_text' }).find(({ kind }) => kind === 'buffers');
  assert.ok(said.tensors.length > 0);
  for (const { says } of said.tensors) assert.doesNotMatch(says, /learned/);
});

test('a step of several lists of layers names its list', () => {
  const titles = stepsOf({ model_type: 'hiera' }).map(({ says }) => says);
  assert.ok(titles.includes('LayerNorm, in layer 0 of encoder.stages.2.layers'));
  assert.ok(titles.includes('Attention, in a layer of encoder.stages.2.layers'));
});

test('transposed matrices are described as such', () => {
  const attention = step(stepsOf({ model_type: 'gpt2' }), /^Multi-head attention/).why ?? '';
  assert.match(attention, /c_attn: 768 × 2,304; c_proj: 768 × 768\..*inputs × outputs/);
  assert.doesNotMatch(step(stepsOf({ model_type: 'llama' }), /attention/).why ?? '', /transposed/);
});

test('a layer norm has a scale and a shift', () => {
  const steps = stepsOf({ model_type: 'gpt2' });
  assert.match(step(steps, /^LayerNorm/).why ?? '', /scale and a learned shift per dimension/);
  assert.match(tensor(steps, /ln_1\.bias$/).says, /shift/);
  assert.match(step(stepsOf(model('meta-llama/Llama-3.1-8B')), /^RMSNorm/).why ?? '', /no shift/);
});

test('gpt-oss stores gate and up in one matrix for each of 32 experts, and widens nothing', () => {
  const why = step(stepsOf(model('openai/gpt-oss-20b')), /^Routed experts/).why ?? '';
  assert.match(why, /Each of these mixture-of-experts layers has 32 experts; a token uses 4 of them\..*2,880 → 2,880.*g·sigmoid/);
  assert.match(why, /gate_up_proj: 32 × 2,880 × 5,760; down_proj: 32 × 2,880 × 2,880/);
});

test('RWKV-7 has no receptance in its channel mixing', () => {
  const why = (/** @type {string} */ type) => step(stepsOf({ model_type: type }), /^RWKV channel mixing/).why ?? '';
  assert.match(why('rwkv'), /receptance gates the result/);
  assert.doesNotMatch(why('rwkv7'), /eceptance/);
});

test('one matrix widens in RWKV, and its receptance gates', () => {
  const why = step(stepsOf({ model_type: 'rwkv' }), /^RWKV channel mixing/).why ?? '';
  assert.match(why, /key projection maps to the inner dimension.*receptance gates/);
  assert.match(why, /receptance: 4,096 × 4,096/);
});

test('Qwen3-Next has Gated DeltaNet, and queries that share a matrix with the output gate', () => {
  const steps = stepsOf({ model_type: 'qwen3_next' });
  assert.match(step(steps, /^Gated DeltaNet/).why ?? '', /Linear attention/);
  assert.match(tensor(steps, /self_attn\.q_proj\.weight$/).says, /half.*output gate/);
  assert.match(step(steps, /^Shared expert/).why ?? '', /every token/);
  assert.ok(!steps.some(({ says }) => /ffn_2|State space/.test(says)));
});

test('latent attention compresses keys and values for the cache', () => {
  const steps = stepsOf(model('deepseek-ai/DeepSeek-V3'));
  assert.match(
    step(steps, /^Multi-head latent attention/).why ?? '',
    /latent vector per token\. For attention, a cache needs only this vector/,
  );
  for (const name of [/q_b_proj\.weight$/, /kv_b_proj\.weight$/]) assert.doesNotMatch(tensor(steps, name).says, /stream|hidden state/);
  const copies = steps.filter(
    ({ kind, tensors }) => kind === 'beside' && tensors.some(({ name }) => /embed_tokens|shared_head\.head/.test(name)),
  );
  assert.equal(copies.length, 2);
  for (const { why } of copies) assert.match(why ?? '', /stored copy/);
});

test('the norm of an MLM head is not the final norm of the layers', () => {
  const steps = stepsOf({ model_type: 'bert', architectures: ['BertForMaskedLM'] });
  assert.doesNotMatch(tensor(steps, /transform\.LayerNorm\.weight$/).says, /last layer|final norm/);
  assert.ok(!steps.some(({ says }) => says === 'Final norm'));
});

test('queries, keys and values mean the same in towers', () => {
  const steps = stepsOf({ model_type: 'siglip' });
  assert.match(tensor(steps, /vision_model.*q_proj\.weight$/).says, /Query projection/);
});

test('a scalar is one parameter, and its shape is not empty', () => {
  const clip = stepsOf({ model_type: 'clip' });
  assert.equal(tensor(clip, /logit_scale$/).value, '1');
  assert.match(step(clip, /^Projections/).why ?? '', /logit_scale: one scalar/);
});

test('Whisper’s encoder has fixed sinusoids', () => {
  assert.match(step(stepsOf({ model_type: 'whisper' }), /^Positions/).why ?? '', /Fixed sinusoids/);
});

test('queries of a wider input are not said to fill the hidden dimension', () => {
  // Zamba 2 concatenates the hidden state and the embedding: attention reads 5,120 dimensions and writes 2,560.
  assert.doesNotMatch(step(stepsOf({ model_type: 'zamba2' }), /^Multi-head attention/).why ?? '', /hidden dimension/);
  assert.match(step(stepsOf({ model_type: 'llama' }), /^Multi-head attention/).why ?? '', /= 4,096, the hidden dimension/);
});

test('group norms, stems, patches, merging and shortcuts have their own names', () => {
  for (const [type, title] of /** @type {const} */ ([
    ['janus', 'GroupNorm'],
    ['moonshine', 'GroupNorm'],
    ['deformable_detr', 'GroupNorm'],
    ['parakeet_ctc', 'Convolutional stem'],
    ['speech_to_text', 'Convolutional stem'],
    ['hgnet_v2', 'Convolutional stem'],
    ['qwen2_5_vl', 'Patch embedding'],
    ['sam', 'Patch embedding'],
    ['wav2vec2', 'Convolutional positions'],
    ['swin', 'Patch merging'],
    ['sam2', 'Shortcut'],
  ]))
    step(stepsOf({ model_type: type }), new RegExp(`^${title}(, in (a|one) (layer|copy)|, in layer \\d+)?( of \\S+)?$`));
  // The last attention block of SAM 2's mask decoder is cross-attention, too: it reads the image.
  const last = stepsOf({ model_type: 'sam2' }).filter(({ tensors }) =>
    tensors.some(({ name }) => name.includes('final_attn_token_to_image')),
  );
  assert.deepEqual([...new Set(last.map(({ says }) => says))], ['Cross-attention']);
});

/** The step that has the tensor. */
const stepWith = (/** @type {Step[]} */ steps, /** @type {RegExp} */ name) =>
  steps.find(({ kind, tensors }) => kind === 'part' && tensors.some((one) => name.test(one.name))) ?? assert.fail(String(name));

test('each norm has the name of its own kind, also in towers', () => {
  for (const [type, name, title] of /** @type {const} */ ([
    // torch's LayerNorm with bias=False, or a class that subtracts the mean
    ['mpt', /norm_1/, 'LayerNorm without bias'],
    ['moonshine', /encoder\.layers.*input_layernorm/, 'LayerNorm without bias'],
    ['gemma4_audio', /subsample_conv_projection\.layer0\.norm/, 'LayerNorm without bias'],
    ['cohere2_moe', /input_layernorm/, 'LayerNorm without bias'],
    // ImageGPT's LayerNorm does not subtract the mean.
    ['imagegpt', /ln_1/, 'RMSNorm'],
    ['switch_transformers', /encoder.*layer_norm/, 'RMSNorm'],
    ['qwen2_5_vl', /blocks.*norm1/, 'RMSNorm'],
    ['pix2struct', /pre_attention_layer_norm/, 'RMSNorm'],
    ['bit', /norm1/, 'GroupNorm'],
    ['poolformer', /before_norm/, 'GroupNorm'],
    // Llama's norms beside norms of each head with shifts
    ['chameleon', /q_norm/, 'Norms'],
    ['axk2', /W_down/, 'Gated RMSNorm'],
    ['qwen2_5_omni', /attn_norm\.linear/, 'Adaptive norm'],
    ['voxtral_realtime', /ada_rms_norm\.linear1/, 'Adaptive norm'],
    ['neomme', /lambdas/, 'Weights of the residual connection'],
    ['zaya', /residual_bias/, 'Weights of the residual connection'],
  ]))
    assert.match(stepWith(stepsOf({ model_type: type }), name).says, new RegExp(`^${title}(, in|$)`), type);
  const streaming = stepsOf({ model_type: 'moonshine_streaming', num_key_value_heads: 8 });
  assert.match(stepWith(streaming, /encoder\.layers.*input_layernorm/).says, /^LayerNorm without bias/);
  assert.match(step(stepsOf({ model_type: 'cohere2_moe', rms_norm_eps: 1e-5 }), /Norm, in/).says, /^RMSNorm/);
  // The bias of a layer that computes a shift is not itself the shift.
  assert.equal(tensor(stepsOf({ model_type: 'qwen2_5_omni' }), /attn_norm\.linear\.bias/).says, 'A bias: one value per output.');
});

test('transposed convolutions, fixed values and other modules are not taken for more common ones', () => {
  const says = (/** @type {string} */ type, /** @type {RegExp} */ name, more = {}) =>
    tensor(stepsOf({ model_type: type, ...more }), name).says;
  assert.equal(
    says('dac', /block\.0\.conv_t1\.weight/),
    'A transposed convolution with kernels of length 16, for upsampling. Its shape begins with the input channels.',
  );
  assert.match(says('sam_hq', /compress_vit_conv1\.weight/), /^A transposed convolution with kernels of 2 × 2, for upsampling/);
  assert.equal(
    says('d_fine', /decoder\.reg_scale/, { architectures: ['DFineForObjectDetection'] }),
    'Stored as a parameter but not trained.',
  );
  assert.match(step(stepsOf({ model_type: 'hrm_text' }), /^Fixed values/).tensors[0].name, /z_L_init$/);
  assert.equal(
    says('wav2vec2', /objective/, { architectures: ['Wav2Vec2ForXVector'] }),
    'One column for each speaker. The loss of training compares the embedding with each column.',
  );
  assert.equal(says('wav2vec2-bert', /feature_projection\.projection\.weight/), 'Maps the audio features to the hidden dimension.');
  assert.match(says('sam3', /dot_product_scoring\.query_proj\.weight/), /^Maps the object queries to the space/);
  assert.match(says('axk2', /q_b_proj/), /^Computes the queries of all heads and the gate/);
  assert.match(says('convbert', /attention\.output\.dense\.weight/), /outputs of attention and convolution/);
});

test('what stands beside attention or a recurrence has its own name', () => {
  for (const [type, name, title] of /** @type {const} */ ([
    ['axk2', /q_b_proj/, 'Multi-head latent attention (MLA)'],
    ['convbert', /query\.weight/, 'Mixed attention'],
    ['convbert', /key_conv_attn_layer/, 'Span-based dynamic convolution'],
    ['nsa', /g_proj/, 'Gates of the branches'],
    ['focalnet', /projection_in/, 'Focal modulation'],
    ['parakeet_tdt', /decoder_projector/, 'Projection of the prediction network'],
    ['layoutlmv3', /rel_pos_bias/, 'Relative position bias'],
    ['sam3', /box_rpb_embed_x/, 'Modules of attention'],
    ['speecht5', /pe_k/, 'Modules of attention'],
    ['dab-detr', /decoder\.query_scale/, 'Modules of attention'],
    ['dab-detr', /cross_attn_query_content_proj/, 'Cross-attention'],
    ['idefics', /alpha_cross_attn/, 'Cross-attention'],
  ]))
    assert.ok(stepWith(stepsOf({ model_type: type }), name).says.startsWith(title), `${type} ${name}`);
});

test('a matrix or a table without a name of its own is explained by its sizes', () => {
  const llama = stepsOf({ model_type: 'llama4' });
  assert.equal(tensor(llama, /patch_embedding\.linear/).says, 'A linear layer: maps 588 values to 768.');
  // The input of the adapter is four adjacent patches, not the hidden state.
  assert.equal(tensor(llama, /vision_adapter\.mlp\.fc1/).says, 'A linear layer: maps 5,632 values to 4,096.');
  assert.equal(
    tensor(stepsOf({ model_type: 'mllama' }), /pre_tile_positional_embedding\.embedding/).says,
    'A table: 9 vectors of 5,120 dimensions.',
  );
  // This parameter is stored as inputs × outputs, unlike the weight of a linear layer.
  assert.match(tensor(stepsOf({ model_type: 'gemma3' }), /mm_input_projection_weight/).says, /Stored transposed: inputs × outputs\.$/);
});

test('norms of BERT’s layers stand after the blocks, those of Megatron’s before them', () => {
  assert.match(
    step(stepsOf({ model_type: 'bert' }), /^LayerNorm, in a layer/).why ?? '',
    /A layer has norms after attention and after feed-forward \(post-norm\)/,
  );
  assert.match(step(stepsOf({ model_type: 'megatron-bert' }), /^LayerNorm, in a layer/).why ?? '', /\(pre-norm\)/);
  assert.equal(
    tensor(stepsOf({ model_type: 'bert' }), /embeddings\.LayerNorm\.weight/).says,
    'The norm after the embeddings: one learned scale per dimension.',
  );
  assert.match(step(stepsOf({ model_type: 'bart' }), /LayerNorm, in a layer.*decoder|LayerNorm, in a layer/).why ?? '', /after/);
});

test('tensors that one mechanism alone has are explained', () => {
  const says = (/** @type {string} */ type, /** @type {RegExp} */ name) => tensor(stepsOf({ model_type: type }), name).says;
  assert.equal(says('mamba', /mixer\.in_proj\.weight$/), 'Computes the input of the state-space model and the gate, in one matrix.');
  assert.equal(says('mamba2', /mixer\.in_proj\.weight$/), 'Computes the gate, the input, B, C and the step sizes, in one matrix.');
  assert.equal(says('encodec', /weight_hh_l1$/), 'Maps the previous hidden state to the four gates.');
  assert.equal(says('xlnet', /rel_attn\.r$/), 'Projects the encodings of relative positions to keys.');
  assert.equal(
    says('mimo_v2_flash', /attention_sink_bias$/),
    'An attention sink: one learned logit per head, which joins the softmax without a value.',
  );
  assert.equal(says('mlcd_vision_model', /class_pos_emb$/), 'The learned rotary angles of the class token.');
  assert.equal(
    says('longformer', /query_global\.weight$/),
    'Query projection of global attention: computes the queries of tokens that attend to all tokens.',
  );
  assert.equal(says('clip', /logit_scale$/), 'The logarithm of the factor that similarities are multiplied by.');
});

test('what a second reader found false is said as it is', () => {
  const why = (/** @type {object} */ config, /** @type {RegExp} */ says) => step(stepsOf(config), says).why ?? '';
  const kimi = stepsOf({ model_type: 'kimi_linear' });
  assert.match(step(kimi, /^Kimi Delta Attention/).why ?? '', /each channel decay at its own rate/);
  assert.match(step(kimi, /latent attention/).why ?? '', /a part of the key, which all 32 heads share/);
  assert.doesNotMatch(step(kimi, /latent attention/).why ?? '', /rotary|not the hidden dimension/);
  assert.match(tensor(kimi, /dt_bias/).says, /softplus/);
  assert.match(
    why({ model_type: 'falcon' }, /^LayerNorm, in a layer/),
    /A layer has one norm\. Attention and feed-forward both read its output, in parallel \(pre-norm\)/,
  );
  assert.match(
    why({ model_type: 'cohere2' }, /^LayerNorm without bias, in a layer/),
    /has one norm\. Attention and feed-forward both read its output/,
  );
  assert.match(
    why({ model_type: 'olmo2' }, /^RMSNorm, in a layer/),
    /^Norms normalise the outputs|Norms normalise the outputs of attention/,
  );
  assert.match(tensor(stepsOf({ model_type: 'rwkv' }), /attention\.key\.weight/).says, /how strongly the token’s value is written/);
  assert.match(tensor(stepsOf({ model_type: 'sam' }), /shared_image_embedding\.positional_embedding/).says, /^A random matrix/);
  const nemotron = stepsOf({ model_type: 'nemotron_h', moe_latent_size: 1024 });
  assert.match(tensor(nemotron, /fc1_latent_proj/).says, /^Compresses the hidden state/);
});

test('T5’s position bias is said to serve every layer, because only the first one stores it; each layer of UMT5 has its own', () => {
  const bias = (/** @type {object} */ config) => tensor(stepsOf(config), /relative_attention_bias/).says;
  assert.match(bias({ model_type: 't5' }), /^Relative position bias: .* every layer adds them to its scores\.$/);
  assert.equal(bias({ model_type: 'umt5' }), 'Relative position bias: one value per head for each bucket.');
});

test('what a fourth reader found false is said as it is', () => {
  const says = (/** @type {string} */ model_type, /** @type {RegExp} */ name) => tensor(stepsOf({ model_type }), name).says;
  assert.match(says('convbert', /key_conv_attn_layer\.bias$/), /^(?!.*experts)/);
  assert.match(says('retnet', /k_proj\.weight$/), /under which the values are written to the state/);
  assert.match(says('xlstm', /mlstm_layer\.k\.weight$/), /written to the memory/);
  assert.match(says('gemma3n_text', /post_per_layer_input_norm\.weight$/), /^Normalises the projected input of the layer/);
  assert.match(says('convnextv2', /grn\.weight$/), /^Global Response Normalization/);
  const segmenter = stepsOf({ model_type: 'segformer', architectures: ['SegformerForSemanticSegmentation'] });
  assert.match(tensor(segmenter, /decode_head\.batch_norm\.weight$/).says, /^Batch norm of the decode head/);
  assert.match(says('gemma3n_text', /altup_projections\.\[0-2\]\.weight$/), /^AltUp: maps the embeddings/);
  assert.match(says('gemma3n_text', /laurel\.linear_left\.weight$/), /^LAuReL/);
  assert.match(says('groupvit', /stages\.0\.group_token$/), /^The group tokens/);
  assert.match(says('gemma4_vision', /position_embedding_table$/), /^Two position tables/);
  assert.equal(says('zaya', /residual_bias$/), 'One learned shift per dimension, for the residual connection.');
});

test('attention that reuses keys or values says so', () => {
  const why = (/** @type {object} */ config) => stepsOf(config).flatMap((step) => (step.part === 'attention' ? [step.why ?? ''] : []));
  const [own, reused] = why({ model_type: 'gemma3n_text' });
  assert.match(own, /KV cache stores/);
  assert.match(reused, /no key and value projections: they reuse the keys and values of an earlier layer/);
  assert.doesNotMatch(reused, /KV cache/);
  assert.ok(why(model('google/gemma-4-26B-A4B')).some((text) => /no value projection: the key projection’s output/.test(text)));
});

test('Reformer says which layers have one projection for queries and keys', () => {
  const steps = stepsOf({ model_type: 'reformer', is_decoder: true, architectures: ['ReformerModelWithLMHead'] });
  const [local, hashed] = steps.filter(({ part }) => part === 'attention');
  assert.match(local.why ?? '', /^Queries, keys and values are computed by projections/);
  assert.match(tensor(steps, /layers\.\[0,2,4\]\.attention\.self_attention\.key\.weight$/).says, /^Key projection/);
  assert.match(hashed.why ?? '', /^One projection computes queries and keys, another the values/);
});

test('an encoder has no key-value cache', () => {
  const steps = stepsOf({ model_type: 't5gemma' });
  assert.deepEqual(
    steps.filter(({ mechanism }) => mechanism === 'grouped_query_attention').map(({ why = '' }) => /KV cache/.test(why)),
    [false, true, true], // encoder, decoder, cross-attention
  );
});

test('captions of experts, routers and norms are true of latent, skipping and parallel kinds', () => {
  const latent = stepsOf({ model_type: 'nemotron_h', moe_latent_size: 1024, hybrid_override_pattern: 'ME*' });
  assert.match(tensor(latent, /experts.*down_proj/).says, /back to the input dimension of the experts/);
  assert.match(tensor(stepsOf({ model_type: 'zaya' }), /router_mlp\.out_proj\.weight/).says, /and one for skipping the experts/);
  assert.match(tensor(stepsOf({ model_type: 'zaya' }), /balancing_biases/).says, /A rule updates it in training/);
  assert.match(step(stepsOf({ model_type: 'granitemoeshared', shared_intermediate_size: 8 }), /^Shared expert/).why ?? '', /every token/);
  // LongCat-Flash has gate and up projections for 768 experts, but down projections for 512.
  for (const { why = '' } of stepsOf({ model_type: 'longcat_flash' }).filter(({ kind }) => kind === 'idle'))
    assert.doesNotMatch(why, /512|768/);
  assert.match(step(stepsOf({ model_type: 'rwkv6' }), /^GroupNorm/).why ?? '', /ln_x/);
  assert.match(step(stepsOf({ model_type: 't5' }), /^RMSNorm/).why ?? '', /norms before attention and before feed-forward \(pre-norm\)/);
});

test('convolutions are described by their kernels', () => {
  const says = (/** @type {string} */ type, /** @type {RegExp} */ name) => tensor(stepsOf({ model_type: type }), name).says;
  assert.equal(says('whisper', /encoder\.conv1\.weight/), 'A convolution with kernels of length 3.');
  assert.equal(says('convnext', /stages\.0\.layers\..*dwconv\.weight/), 'A convolution: each output channel reads one input channel, with a kernel of 7 × 7.'); // prettier-ignore
  assert.equal(says('efficientnet', /expand_conv\.weight/), 'A pointwise convolution: maps the channels at each position.');
  assert.equal(says('vit', /patch_embeddings\.projection\.weight/), 'Maps each patch of the input to a vector.');
  assert.equal(says('llava', /projector\.linear_1\.weight/), 'The first layer of the projector: reads the tower’s output.');
});

test('hyper-connections, RG-LRU and DeepSeek-V4’s attention are explained', () => {
  const v4 = stepsOf({ model_type: 'deepseek_v4' });
  assert.match(step(v4, /^Multi-query attention/).why ?? '', /All 64 query heads share one key-value head/);
  assert.match(step(v4, /^Hyper-connections/).why ?? '', /hc_attn_fn and hc_ffn_fn: 24 × 16,384/);
  assert.match(step(v4, /^Sparse attention indexer/).why ?? '', /weights_proj: 64 × 4,096/);
  assert.match(tensor(v4, /attn\.wkv\.weight/).says, /the key and the value that all query heads share/);
  const gemma = stepsOf({ model_type: 'recurrent_gemma' });
  assert.match(tensor(gemma, /input_gate_weight/).says, /block-diagonal/);
  assert.doesNotMatch(step(gemma, /^Real-gated/).why ?? '', /only/); // each matrix has a bias
});

test('activations, titles and facts are those of the model’s own code and text model', () => {
  assert.match(step(stepsOf({ model_type: 'apertus' }), /^Feed-forward/).why ?? '', /The activation between them has learned parameters/);
  // The text model of InstructBLIP is a Llama here, not an OPT.
  assert.ok(stepsOf(model('Salesforce/instructblip-vicuna-7b')).some(({ says }) => /^SwiGLU/.test(says)));
  assert.match(
    step(stepsOf({ model_type: 'glm5_next_text' }), /latent attention/).why ?? '',
    /For attention, a cache needs only this vector\. A second/,
  );
  const answer = ledger.derive({ model_type: 'grounding-dino' });
  // The text's self-attention and the attention between image and text are separate steps.
  const fusion = step(stepsOf({ model_type: 'grounding-dino' }), /^Cross-attention, in a layer.*encoder/);
  assert.ok(fusion.tensors.some(({ name }) => name.endsWith('values_vision_proj.weight')));
  assert.ok(answer.ok && answer.sections.some(({ title }) => title === 'The rest of the model'));
});

const why = (/** @type {object} */ config, /** @type {RegExp} */ says) => step(stepsOf(config), says).why ?? '';

test('positions that are stored but not trained', () => {
  const fixed = /^Fixed sinusoids\. They are stored as a parameter but not trained\./;
  for (const type of ['vit_mae', 'marian', 'pegasus', 'fsmt', 'informer', 'autoformer', 'time_series_transformer', 'patchtst'])
    assert.match(why({ model_type: type, ...(type.includes('former') && { prediction_length: 24 }) }, /^Positions/), fixed, type);
  assert.match(why(model('openbmb/MiniCPM-V-2'), /^Positions/), fixed);
  assert.match(why({ model_type: 'roformer' }, /^Positions/), /^Fixed sinusoids, which rotate queries and keys \(RoPE\)\. They are stored/);
  assert.ok(!stepsOf({ model_type: 'patchtst', positional_encoding_type: 'random' }).some(({ says }) => /^Positions/.test(says)));
});

test('gates that are clamped', () => {
  const scaled = /The gate g, clamped, becomes g·sigmoid\(α·g\), with a constant α/;
  const clamped = /Both outputs are clamped\. After the activation/;
  for (const type of ['gpt_oss', 'openai_privacy_filter', 'minimax_m3_vl', 'minimax_m3'])
    assert.match(why({ model_type: type }, /^Routed experts/), scaled, type);
  for (const says of [/^Shared expert/, /^(SwiGLU|Gated)/]) {
    const config = { model_type: 'minimax_m3_vl_text', mlp_layer_types: ['dense', 'sparse'], num_hidden_layers: 2 };
    assert.match(why(config, says), scaled);
  }
  for (const type of ['hy_v4', 'glm5_next', 'glm5_next_text', 'deepseek_v4'])
    assert.match(why({ model_type: type }, /^Routed experts/), clamped, type);
  // Hunyuan 4 clamps only in its routed experts.
  assert.doesNotMatch(why({ model_type: 'hy_v4' }, /^Shared expert/), /clamped/);
  assert.match(why({ model_type: 'deepseek_v4' }, /^Shared expert/), clamped);
  assert.doesNotMatch(why({ model_type: 'deepseek_v3' }, /^Routed experts/), /clamped/);
});

test('an indexer caches its keys, and other layers may reuse its selection', () => {
  const reuse = /Layers with attention but without an indexer of their own reuse the selection of the last layer that has one\./;
  assert.match(why({ model_type: 'hy_v4' }, /indexer/), reuse);
  assert.match(why({ model_type: 'deepseek_v32' }, /indexer/), /each query attends to\. Its keys are cached, too\./);
  // Layers without an indexer have a window.
  assert.doesNotMatch(why({ model_type: 'dots3_note_text' }, /indexer/), reuse);
});

test('several shared experts in one layer', () => {
  assert.match(
    why({ model_type: 'deepseek_v2' }, /^Shared experts \(SwiGLU\)/),
    /^2 shared experts, stored as one MLP that is 2 times as wide\. They are applied to every token, in addition/,
  );
  assert.match(why({ model_type: 'deepseek_v3' }, /^Shared expert \(SwiGLU\)/), /^Applied to every token/);
  assert.match(why({ model_type: 'inkling_text' }, /^Shared experts/), /^2 shared experts, stored side by side in each tensor\./);
});

test('heads of classes for a task', () => {
  const head = (/** @type {string} */ architecture, /** @type {object} */ rest = {}) => {
    const { says, why } = stepsOf({ model_type: 'bert', architectures: [architecture], ...rest }).findLast(
      ({ part, kind }) => kind === 'part' && part === 'output_head',
    ) ?? { says: '', why: '' };
    return `${says}: ${why?.split('. ')[0]}`;
  };
  assert.equal(head('BertForQuestionAnswering'), 'Question-answering head: Scores each token as the start and as the end of the answer');
  assert.equal(
    head('BertForTokenClassification'),
    'Token-classification head: Maps the final hidden state of each token to one score per label',
  );
  assert.equal(head('BertForMultipleChoice'), 'Multiple-choice head: Gives each choice one score');
});
