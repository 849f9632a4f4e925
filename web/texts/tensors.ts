// Describes what a single tensor does, by its task, its name or its dimensions. For names whose meaning depends on the mechanism see
// mechanism-tensors.ts, for sentences about whole blocks see mechanisms.ts.

import { hyphenated, vectors } from './mechanisms.ts';

/** What a single tensor does, keyed by its task. */
export const tasks: Readonly<Record<string, string>> = {
  'token embedding': 'The embedding table: one vector per vocabulary entry.',
  'position embedding': 'The position table: one vector per position.',
  'segment embedding': 'One vector per token type.',
  query: 'Query projection: computes the queries of all heads.',
  key: 'Key projection: computes the keys, which queries are matched against.',
  value: 'Value projection: computes the values, which attention averages.',
  'query, key and value': 'Queries, keys and values in one matrix.',
  output: 'Output projection: maps the concatenated heads back to the hidden state.',
  'query norm': 'Normalises the queries before their dot product with the keys.',
  'key norm': 'Normalises the keys before their dot product with the queries.',
  gate: 'Gate projection: its output, after the activation, scales each dimension of the up projection’s output.',
  up: 'Up projection: maps the input to the inner dimension.',
  'gate and up': 'Gate and up projections in one matrix.',
  down: 'Down projection: maps the inner dimension back to the hidden state.',
  router: 'Router: one score per expert.',
  head: 'Output head: one logit per vocabulary entry.',
  'attention gate': 'Gate on the output of attention.',
  'query down': 'Compresses the queries to the query rank.',
  'query up': 'Expands the compressed queries to the rotary and non-rotary dimensions of all heads.',
  'key and value down': 'Compresses keys and values to the latent, and computes the part of the key that all heads share.',
  'key and value up': 'Expands the latent to the keys and values of all heads.',
  'gate of the shared expert': 'Gate of the shared expert: one value per token.',
  'last norm': 'The final norm, after the last layer.',
  'embedding norm': 'The norm after the embeddings: one learned scale per dimension.',
};
export const queryAndGate = 'Query projection: half of its outputs are the queries, the other half is the output gate.';
export const normOf = (place: string) => `The norm ${hyphenated(place)}: one learned scale per dimension.`;
export const expertDown = 'Down projection: maps the inner dimension back to the input dimension of the experts.';
export const shift = 'The shift: one learned value per dimension.';
export const scale = 'One learned scale per dimension.';
export const bias = 'A bias: one value per output.';
export const expertBias = 'The biases of all experts: one value per output of each expert.';

/** Describes a matrix without a task by its dimensions. */
export const linear = (inputs: string, outputs: string) =>
  `A linear layer: maps ${inputs} ${inputs === '1' ? 'value' : 'values'} to ${outputs}.`;
export const vectorTable = (rows: string, width: string) =>
  `A table: ${rows} ${vectors(rows)} of ${width} ${width === '1' ? 'dimension' : 'dimensions'}.`;

export const pointwise = 'A pointwise convolution: maps the channels at each position.';
/** `size`: "3 × 3", or "7" along one axis. */
const measured = (size: string) => (size.includes('×') ? size : `length ${size}`);
/** Describes a convolution by the size of its kernels. */
export const kernels = (size: string) => `A convolution with kernels of ${measured(size)}.`;
export const singleChannel = (size: string) =>
  `A convolution: each output channel reads one input channel, with a kernel of ${measured(size)}.`;
export const transposedKernels = (size: string) =>
  `A transposed convolution, for upsampling, with kernels of ${measured(size)}. The first dimension of its shape is that of the input channels.`;
export const patch = 'Maps each patch of the input to a vector.';

/** Describes a tensor without a task if its dimensions do not reveal its use. */
export const storages: Readonly<Record<string, string>> = {
  matrix: 'A weight matrix.',
  table: 'A tensor of learned values.',
  kernel: 'A convolution kernel.',
  vector: 'A vector of learned values.',
};
export const buffer = 'Stored in the checkpoint as a buffer, so not counted as a parameter.';
/** Describes a key or value projection whose heads are shared by several query heads. */
export const sharedHeads = (task: 'key' | 'value', kv: string, queries: string) =>
  `${task === 'key' ? 'Key' : 'Value'} projection: has fewer outputs, because ${queries} query heads share ${kv} ${task} ${kv === '1' ? 'head' : 'heads'}.`;
export const learnedScalar = 'One learned scalar.';
export const fixedValue = 'Stored as a parameter but not trained.';
export const blockScale = 'One scale for each block of a quantized matrix.';

export const rankDown = (what: string) => `The first of two low-rank matrices that compute ${what}.`;
export const rankUp = (what: string) => `The second of two low-rank matrices that compute ${what}.`;
const tokenMixing = 'the part of the mixing that depends on the token';
const tokenDecay = 'the part of the decay that depends on the token';
const firstNorm = 'Normalises the embeddings before the first layer.';
const distanceKeys = 'Projects the encodings of relative positions to keys.';
const beforeKeys = 'Added to every query before its dot product with the keys.';
const beforeLogits = 'Transforms the hidden state before the logits are computed.';
const beforeDistances = 'Added to every query before its dot product with the encodings of relative positions.';
export const layerScale = 'LayerScale: one learned factor per dimension.';
const queryScale = 'A learned scale of the queries: one value per head dimension.';
const sink = 'An attention sink: one learned logit per head, which joins the softmax without a value.';
const classToken = 'The class token: a learned vector that joins those of the patches.';
const maskToken = 'A learned vector that replaces masked patches.';
const pooledQuery = 'The learned query of the attention pooling.';
const residualGate = 'A gate on what is added to the hidden state: one learned value.';
const learnedGate = 'A learned gate on what is added to the hidden state.';
const snake = 'The snake activation: one learned frequency per channel.';
const differential = 'Four such vectors give the factor λ with which the second attention map is subtracted from the first.';
const routerBias = 'Router bias: added to the scores only to choose experts. A rule updates it in training, so that all experts are used.';
const relativeVectors = 'Relative positions: one vector for each distance.';
export const mix = 'Mixes the current token with the previous one: one learned weight per dimension.';

const frequencies = 'A random matrix: multiplied by coordinates, it gives the angles whose sines and cosines encode a position.';

/** Descriptions of tensors by the last one or two parts of their names. They take precedence over `tasks`, but `namedIn` comes first. */
export const named: Readonly<Record<string, string>> = {
  fc1_latent_proj: 'Compresses the hidden state to the width at which the routed experts work.',
  fc2_latent_proj: 'Expands the sum of the routed experts’ outputs to the hidden size.',
  dt_layernorm: 'Normalises the low-rank step size Δ.',
  b_layernorm: 'Normalises B.',
  c_layernorm: 'Normalises C.',
  o_norm: 'Normalises each head’s output before a gate multiplies it.',
  'linear_attn.norm': 'Normalises each head’s output before a gate multiplies it.',
  mm_soft_emb_norm: 'Normalises the pooled patches: one learned scale per dimension.',
  mm_input_projection_weight: 'Maps the pooled patches to the hidden size of the text model. Stored transposed: inputs × outputs.',
  q_a_layernorm: 'Normalises the compressed queries.',
  kv_a_layernorm: 'Normalises the compressed keys and values.',
  sinks: sink,
  attn_sink: sink,
  attention_sink_bias: sink,
  learnable_sink_param: sink,
  cls_token: classToken,
  class_embedding: classToken,
  'head.cls_token': pooledQuery,
  class_pos_emb: 'The learned rotary angles of the class token.',
  distillation_token: 'The token that learns from the teacher’s output in distillation.',
  mask_token: maskToken,
  register_tokens: 'Register tokens: learned vectors that take part in attention and are then dropped.',
  in_proj_qkvz: 'Computes queries, keys, values and the output gate.',
  in_proj_ba: 'Computes the decay and the write strength of each head.',
  x_proj: 'Maps the inner dimension to the low-rank step size Δ and to B and C, which write to the state and read from it.',
  dt_proj: 'Expands the low-rank step size Δ to the inner dimension.',
  A_log: 'The logarithm of the rate at which the state decays.',
  D: 'The skip connection around the state.',
  dt_bias: 'The bias of the step size Δ.',
  eh_proj: 'Combines the hidden state and the embedding of the next token.',
  enorm: 'Normalises the embedding of the next token.',
  hnorm: 'Normalises the hidden state.',
  pre_fc_norm_embedding: 'Normalises the embedding of the next token.',
  pre_fc_norm_hidden: 'Normalises the hidden state.',
  'shared_head.norm': 'The final norm of the prediction layer.',
  'shared_head.head': 'The output head of the prediction layer: one logit per vocabulary entry.',
  'rel_attn.r': distanceKeys,
  r_kernel: distanceKeys,
  relative_k_proj: distanceKeys,
  linear_pos: distanceKeys,
  r_w_bias: beforeKeys,
  r_r_bias: beforeDistances,
  r_s_bias: 'Added to every query before its dot product with the segment embeddings.',
  seg_embed: 'Two vectors per head: one for tokens of the same segment, one for tokens of the other segment.',
  pe_k: relativeVectors,
  mask_emb: 'A learned vector that replaces the input at the positions to predict.',
  bias_u: beforeKeys,
  bias_v: beforeDistances,
  pos_bias_u: beforeKeys,
  pos_bias_v: beforeDistances,
  query_global: 'Query projection of global attention: computes the queries of tokens that attend to all tokens.',
  key_global: 'Key projection of global attention: computes, for all tokens, the keys that tokens with global attention attend to.',
  value_global: 'Value projection of global attention: computes, for all tokens, the values that tokens with global attention read.',
  relative_position_bias_table: 'Relative position bias: one value per head for each offset in a window.',
  q_bias: 'The bias of the queries: one value per output.',
  v_bias: 'The bias of the values: one value per output.',
  top_bn: 'The norm after the last convolution.',
  rel_pos_h: 'Relative positions: one vector for each vertical offset.',
  rel_pos_w: 'Relative positions: one vector for each horizontal offset.',
  lambda1: layerScale,
  lambda_1: layerScale,
  lambda_2: layerScale,
  'self_attn_layer_scale.scale': layerScale,
  'mlp_layer_scale.scale': layerScale,
  'layer_scale.gamma': layerScale,
  'layer_scale_1.gamma': layerScale,
  'layer_scale_2.gamma': layerScale,
  'ls1.gamma': layerScale,
  'ls2.gamma': layerScale,
  'ls_1.gamma': layerScale,
  'ls_2.gamma': layerScale,
  layer_scale_parameter: layerScale,
  ffn_gamma: layerScale,
  'snake1.alpha': snake,
  'snake2.alpha': snake,
  alpha_cross_attn: learnedGate,
  alpha_dense: learnedGate,
  gate_attn: residualGate,
  gate_ffn: residualGate,
  cross_attn_attn_gate: residualGate,
  cross_attn_mlp_gate: residualGate,
  time_mix_key: mix,
  time_mix_value: mix,
  time_mix_receptance: mix,
  time_mix_gate: mix,
  time_maa_x: mix,
  time_maa_w: mix,
  time_maa_k: mix,
  time_maa_v: mix,
  time_maa_r: mix,
  time_maa_g: mix,
  time_maa_w1: rankDown(tokenMixing),
  time_maa_w2: rankUp(tokenMixing),
  time_decay: 'Sets how fast the state decays: one learned value per dimension.',
  time_decay_w1: rankDown(tokenDecay),
  time_decay_w2: rankUp(tokenDecay),
  time_first: 'The extra weight of the current token: one learned value per dimension.',
  time_faaaa: 'The extra weight of the current token: one learned value per dimension.',
  'text_encoder.project': 'Computes the mean and the log-variance of the prior.',
  'router_mlp.out_proj': 'Router: one score per expert, and one for skipping the experts.',
  e_score_correction_bias: routerBias,
  expert_bias: routerBias,
  router_bias: routerBias,
  balancing_biases: routerBias,
  'gate.bias': routerBias,
  'multi_modal_projector.linear': 'Maps the tower’s output to vectors for the text model.',
  'multi_modal_projector.linear_1': 'The first layer of the projector: reads the tower’s output.',
  'multi_modal_projector.linear_2': 'The second layer of the projector: computes vectors for the text model.',
  'merger.linear_fc1': 'The first layer of the projector: reads the concatenated vectors of neighbouring patches.',
  'merger.linear_fc2': 'The second layer of the projector: computes vectors for the text model.',
  input_projection: 'Maps the feature map of the backbone to the hidden dimension.',
  'feature_projection.projection': 'Maps the audio features to the hidden dimension.',
  sr: 'Shortens the feature map from which keys and values are computed.',
  'cls.seq_relationship': 'Next-sentence prediction: two scores.',
  'mtp.fc': 'Combines the hidden state and the embedding of the next token.',
  'squeeze_excite.reduce': 'Squeeze-and-excitation: compresses the average of each channel.',
  'squeeze_excite.expand': 'Squeeze-and-excitation: computes a gate for each channel.',
  objective: 'One column for each speaker. The loss of training compares the embedding with each column.',
  'dot_product_scoring.query_proj': 'Maps the object queries to the space in which they are compared with the text.',
  logit_bias: 'Added to all similarities: one learned value.',
  layer_scale_1: layerScale,
  layer_scale_2: layerScale,
  wkv: 'Computes one vector for each token: the key and the value that all query heads share.',
  wo_a: 'The first of two output projections: compresses each group of heads to a low rank.',
  wo_b: 'The second of two output projections: maps the compressed groups back to the hidden state.',
  'compressor.wkv': 'Computes the vectors that are merged into compressed entries.',
  'compressor.wgate': 'Computes the weights with which vectors are merged.',
  'compressor.ape': 'Added to the merging weights: one vector for each position in a window.',
  lambda_q1: differential,
  lambda_k1: differential,
  lambda_q2: differential,
  lambda_k2: differential,
  lower_bounds: 'The lower bounds of the forget gates: one vector for each layer.',
  'resampler_model.after_norm': 'Normalises the output of the resampler.',
  after_rms: 'Normalises the projected image vectors.',
  'vision_model.layernorm2': 'The norm after the temporal layers.',
  gamma_1: layerScale,
  gamma_2: layerScale,
  'LayerNorm.beta': 'The shift: one learned value per dimension.',
  view_seperator: 'A learned vector at the end of the image features.',
  image_begin: 'A learned vector before the image features.',
  image_end: 'A learned vector after the image features.',
  post_proj_norm: 'Normalises the projected image features.',
  tid2eid: 'Selects the experts of a token by its ID: one row for each vocabulary entry.',
  pre_layrnorm: firstNorm,
  'attn.vision_proj': 'Projects the image features to queries, which are also the keys for the text.',
  'attn.text_proj': 'Projects the text features to keys, which are also the queries for the image.',
  values_vision_proj: 'Computes the values of the image features, which the text reads.',
  values_text_proj: 'Computes the values of the text features, which the image reads.',
  out_vision_proj: 'Output projection of the image features.',
  out_text_proj: 'Output projection of the text features.',
  vision_param: layerScale,
  text_param: layerScale,
  pre_ln: firstNorm,
  query_key: 'One projection for queries and keys.',
  rel_embeddings: 'Relative positions: one vector for each distance or bucket of distances, shared by all layers.',
  translate: 'The shift of an affine flow: one learned value per channel.',
  log_scale: 'The logarithm of the scale of an affine flow: one learned value per channel.',
  upscale_conv1: 'A transposed convolution that upscales the image features.',
  upscale_conv2: 'A transposed convolution that upscales the image features.',
  'self_attn.scaling': queryScale,
  per_dim_scale: queryScale,
  embedding_hidden_mapping_in: 'Maps the embedding to the hidden dimension.',
  language_projection: 'Maps the Q-Former’s output to the language model’s hidden dimension.',
  no_memory_embedding: 'Used instead of the memory of earlier frames if there is none.',
  no_object_pointer: 'Used as the object pointer if the object is not visible.',
  masked_spec_embed: 'Replaces the input at time steps that are masked in training.',
  image_newline: 'Ends each row of image features.',
  probe: pooledQuery,
  level_embed: 'One vector for each resolution of the image features.',
  query_position_embeddings: 'One vector for each object query.',
  iou_token: 'The token that estimates how good a mask is.',
  point_embed: 'One vector for each kind of point: background, foreground, corners of a box.',
  not_a_point_embed: 'Used for padding instead of a point embedding.',
  layer_norm_final_attn: 'Follows the last attention, from the tokens to the image.',
  'shared_image_embedding.positional_embedding': frequencies,
  'shared_embedding.positional_embedding': frequencies,
  no_mask_embed: 'Used instead of a mask embedding if no mask is given.',
  per_layer_model_projection: 'Projects the token embedding to one additional input for each layer.',
  per_layer_input_gate: 'Projects the hidden state to a gate for the layer’s additional input.',
  per_layer_projection: 'Projects the gated input back to the hidden state.',
  altup_projections: 'AltUp: maps the embeddings to one more copy of the residual stream.',
  altup_unembed_projections: 'AltUp: maps one of the additional copies back before all copies are averaged.',
  'altup.modality_router': 'AltUp: computes one value for each copy of the residual stream.',
  'altup.prediction_coefs': 'AltUp: maps these values to the weights with which each copy is predicted from all copies.',
  'altup.correction_coefs': 'AltUp: maps these values to the weight with which each copy follows the layer’s output.',
  'altup.correct_output_scale': 'AltUp: one learned scale per dimension, before the gate of the layer’s additional input.',
  'laurel.linear_left': 'LAuReL: the first matrix of a low-rank branch in parallel with attention.',
  'laurel.linear_right': 'LAuReL: the second matrix of a low-rank branch in parallel with attention.',
  group_token: 'The group tokens: learned vectors that pass through the layers together with the patches.',
  'mlp_inter.fc1': 'Maps the group tokens to the inner dimension, separately for each channel.',
  'mlp_inter.fc2': 'Maps the inner dimension to the output groups, separately for each channel.',
  original0: 'Weight normalization: the magnitudes (g) of the weight vectors.',
  original1: 'Weight normalization: the directions (v) of the weight vectors.',
  lambdas: 'Two learned weights: one for the hidden state, one for the embedding before the first layer.',
  W_down: 'Gated norm: the down projection for computing the gate.',
  W_up: 'Gated norm: the up projection to one gate value per dimension.',
  hidden_states_scale: 'One learned scale per dimension, for the output of a block.',
  residual_scale: 'One learned scale per dimension, for the residual connection.',
  hidden_states_bias: 'One learned shift per dimension, for the output of a block.',
  residual_bias: 'One learned shift per dimension, for the residual connection.',
  post_per_layer_input_norm: 'Normalises the projected input of the layer before it is added.',
  head_norm: 'Normalises the logits over the visual vocabulary.',
  'decode_head.batch_norm': 'Batch norm of the decode head, between the fusion of the feature maps and the classifier.',
  'mask_decoder.encoder_norm': 'Normalises the upscaled image features between two convolutions.',
  emb_rel_k: relativeVectors,
  emb_rel_v: relativeVectors,
  global_self_attn_layer_norm: 'Normalises the global tokens before attention.',
  q_input_norm: 'Normalises the input of the query projection.',
  k_input_norm: 'Normalises the input of the key projection.',
  v_input_norm: 'Normalises the input of the value projection.',
  speaker_norm: 'Normalises the activity of the speakers.',
  silence_embeds: 'Represents silence in the speaker cache.',
  temperature: 'The temperature that similarities are divided by.',
  w2e_query: 'Query projection from words to entities.',
  e2w_query: 'Query projection from entities to words.',
  e2e_query: 'Query projection from entities to entities.',
  entity_embedding_dense: 'Maps the entity embeddings to the hidden dimension.',
  spatial_reduction: 'Downsamples the feature map before keys and values are computed.',
  temporal_dense: 'A dense layer on the output of temporal attention, before spatial attention.',
  'codebook.initialized': 'A flag: whether the codebook has been initialised.',
  'codebook.inited': 'A flag: whether the codebook has been initialised.',
  'codebook.cluster_usage': 'How often each code was used, as a running average.',
  'codebook.cluster_size': 'How often each code was used, as a running average.',
  'codebook.embed_sum': 'For each code, a running sum of the vectors assigned to it.',
  'codebook.embed_avg': 'For each code, a running sum of the vectors assigned to it.',
  'codebook.embed': 'The codebook: one vector for each code.',
  'quantize.embedding': 'The codebook: one vector for each code.',
  'transform.dense': beforeLogits,
  'lm_head.dense': beforeLogits,
  vocab_transform: beforeLogits,
};

const positions = tasks['position embedding'];

const axisTables = 'Two position tables: one vector per column, and one vector per row. A patch gets the sum of both.';

const bucketBias = 'Relative position bias: one value per head for each bucket.';

const sharedBucketBias = `${bucketBias} The first layer computes the biases, and every layer adds them to its scores.`;

/** `sides`: the number of the table's dimensions. `layer`: the first index in its name. */
type TableText = string | ((table: { readonly sides: number; readonly layer: string | undefined }) => string);

/** Descriptions of lookup tables, keyed by the last part of their names. They take precedence over `tasks`. */
export const namedTables: Readonly<Record<string, TableText>> = {
  position_embedding: positions,
  position_embeddings: positions,
  pos_embed: positions,
  pos_emb: positions,
  positional_embedding: positions,
  positional_embedding_vlm: positions,
  position_embedding_table: ({ sides }) => (sides === 3 ? axisTables : positions), // Gemma 4 stacks two tables
  position_embeds_layer: positions,
  text_position_embedding: positions,
  pos_embed_window: 'Position embeddings within a window, repeated over the image.',
  row_position_embeddings: 'One vector for each row.',
  row_embeddings: 'One vector for each row.',
  col_position_embeddings: 'One vector for each column.',
  column_embeddings: 'One vector for each column.',
  h_position_embeddings: 'One vector for each possible height of a bounding box.',
  w_position_embeddings: 'One vector for each possible width of a bounding box.',
  attention_biases: 'Relative position bias: one value per head for each offset.',
  bias_values: 'Relative position bias: one value per head for each distance.',
  rel_pos_bias: bucketBias,
  rel_pos_x_bias: 'Relative position bias: one value per head for each bucket of horizontal offsets.',
  rel_pos_y_bias: 'Relative position bias: one value per head for each bucket of vertical offsets.',
  x_position_embeddings: 'One vector for each horizontal coordinate.',
  y_position_embeddings: 'One vector for each vertical coordinate.',
  distance_embedding: relativeVectors,
  relative_attention_bias: ({ layer }) => (layer === '0' ? sharedBucketBias : bucketBias), // T5 stores it only in the first layer
  query_tokens: 'The learned queries of the Q-Former.',
  time_embeddings: 'One vector for each frame.',
  entity_embeddings: 'One vector for each entity.',
  char_position_embeddings: 'The position table for characters.',
  latents: 'The learned queries that attend to the input.',
  latent: pooledQuery,
  pooling_attention_query: pooledQuery,
  detection_tokens: 'Detection tokens: learned vectors that join the patches. Each predicts one object or none.',
  mid_position_embeddings: 'Position embeddings that are added between layers: one vector per position after each layer except the last.',
  rpb: 'Relative position bias: one value per head for each vertical and horizontal offset.',
  embed_tokens_per_layer: 'For each vocabulary entry, one vector for each layer.',
  mask_tokens: 'One learned token for each predicted mask.',
  obj_score_token: 'The token that predicts whether the object is visible.',
};
