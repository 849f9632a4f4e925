// Tests what is said of mechanisms, norms, tables and single tensors: that it is true of the models that have them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { model, step, stepsOf, stepWith, tensor } from '../steps.mjs';

const why = (/** @type {object} */ config, /** @type {RegExp} */ says) => step(stepsOf(config), says).why ?? '';

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
    // Chameleon has RMSNorms, and norms of each head with shifts.
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
    'A transposed convolution, for upsampling, with kernels of length 16. The first dimension of its shape is that of the input channels.',
  );
  assert.match(says('sam_hq', /compress_vit_conv1\.weight/), /^A transposed convolution, for upsampling, with kernels of 2 × 2\./);
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

test('recurrent keys, shared keys, norms of parallel blocks and random matrices are explained', () => {
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

test('branches, group tokens, position tables and residual shifts are explained', () => {
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
  const listWhys = (/** @type {object} */ config) => stepsOf(config).flatMap((one) => (one.part === 'attention' ? [one.why ?? ''] : []));
  const [own, reused] = listWhys({ model_type: 'gemma3n_text' });
  assert.match(own, /KV cache stores/);
  assert.match(reused, /no key and value projections: they reuse the keys and values of an earlier layer/);
  assert.doesNotMatch(reused, /KV cache/);
  assert.ok(listWhys(model('google/gemma-4-26B-A4B')).some((text) => /no value projection: the key projection’s output/.test(text)));
  for (const type of ['gemma4_assistant', 'gemma4_unified_assistant']) {
    const noInputs = { hidden_size_per_layer_input: 0, vocab_size_per_layer_input: 0 };
    const draft = listWhys({ model_type: type, text_config: { num_kv_shared_layers: 0, ...noInputs } });
    assert.ok(draft.length > 0 && draft.every((text) => text.endsWith('they read the keys and values of the target model.')), type);
  }
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

test('learned queries, tokens and tables with more than two dimensions are not called lookup tables', () => {
  const says = (/** @type {string} */ type, /** @type {RegExp} */ name) => tensor(stepsOf({ model_type: type }), name).says;
  assert.match(says('dinat', /\.rpb$/), /^Relative position bias: one value per head for each vertical and horizontal offset/);
  assert.match(says('yolos', /detection_tokens$/), /^Detection tokens: .* Each predicts one object or none/);
  assert.match(says('yolos', /mid_position_embeddings$/), /^Position embeddings that are added between layers/);
  assert.match(says('videoprism', /pooling_attention_query$/), /^The learned query of the attention pooling/);
  assert.equal(says('seggpt', /type_token_semantic$/), 'A tensor of learned values.');
});

test('a norm after a stem, between towers or of a head is not called final', () => {
  for (const [type, name, more] of /** @type {const} */ ([
    ['dinat', /embeddings\.norm\.weight$/, {}],
    ['sew', /^layer_norm\.weight$/, {}],
    ['bridgetower', /cross_modal_text_layernorm\.weight$/, {}],
    ['granite_docling', /connector\.ln_out\.weight$/, {}],
    ['owlv2', /^layer_norm\.weight$/, { architectures: ['Owlv2ForObjectDetection'] }],
  ]))
    assert.equal(tensor(stepsOf({ model_type: type, ...more }), name).says, 'One learned scale per dimension.', type);
  assert.equal(tensor(stepsOf({ model_type: 'dinat' }), /^layernorm\.weight$/).says, 'The final norm, after the last layer.');
});

test('DiNAT’s reduction is a convolution, Swin’s a matrix', () => {
  const says = (/** @type {string} */ type) => tensor(stepsOf({ model_type: type }), /0\.downsample\.reduction\.weight$/).says;
  assert.equal(says('dinat'), 'A convolution with kernels of 3 × 3.');
  assert.equal(says('swin'), 'Maps the concatenated vectors of four patches to twice the previous width.');
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
  const reuse = /Attention layers without an indexer reuse the selection of the last layer that has one\./;
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
  assert.match(head('BertForMaskedLM'), /^MLM head/);
  assert.match(head('BertLMHeadModel', { is_decoder: true }), /^Language-model head/);
  const tokens = stepsOf({ model_type: 'apertus', architectures: ['ApertusForTokenClassification'] });
  assert.match(step(tokens, /^Token-classification head/).why ?? '', /of each token to one score per label/);
});

test('differential attention, lightning attention and biases of queries and values', () => {
  assert.match(why({ model_type: 'diffllama' }, /^Differential attention, in a layer/), /^32 heads, each with its own queries and keys\./);
  assert.match(why({ model_type: 'diffllama', num_key_value_heads: 8 }, /^Differential attention with grouped queries/), /^32 query heads share 8 key-value heads.*times λ, is subtracted/); // prettier-ignore
  const deberta = stepsOf({ model_type: 'deberta' });
  assert.doesNotMatch(step(deberta, /^Multi-head attention/).why ?? '', /only dense has a bias/);
  assert.equal(tensor(deberta, /v_bias$/).says, 'The bias of the values: one value per output.');
  assert.match(tensor(stepsOf({ model_type: 'minimax' }), /output_gate/).says, /^A gate on the output of attention/);
  assert.match(tensor(stepsOf({ model_type: 'layoutlmv3' }), /rel_pos_x_bias/).says, /^Relative position bias/);
  assert.equal(tensor(stepsOf({ model_type: 'efficientnet' }), /top_bn\.weight/).says, 'The norm after the last convolution.');
  assert.match(tensor(stepsOf({ model_type: 'poolformer' }), /after_norm\.weight/).says, /^The norm before feed-forward/);
  assert.match(tensor(stepsOf({ model_type: 'esm', vocab_size: 33 }), /attention\.LayerNorm\.beta/).says, /^The shift/);
});
