// Describes individual tensors whose names have a meaning only within one mechanism, or different meanings in several.

import { layerScale, mix, rankDown, rankUp, tasks } from './tensors.ts';

const causal = 'A depthwise causal convolution: each channel reads only its own current and previous positions.';
const fromInner = 'Maps the inner dimension back to the hidden state.';
const fromHeads = 'Maps the concatenated heads back to the hidden state.';
const writes = 'Computes the write strength of each head.';
const firstToken = 'Maps the hidden state of the first token to the pooled output.';
const classLogits = 'One logit per class.';

const writtenKeys = 'Key projection: computes the keys, under which the values are written to the state.';
const writtenValues = 'Value projection: computes the values, which are written to the state.';
const linearAttention: Readonly<Record<string, string>> = {
  q_proj: 'Query projection: computes the queries, which read the state.',
  k_proj: writtenKeys,
  v_proj: writtenValues,
};

const deltaNet: Readonly<Record<string, string>> = {
  in_proj_qkv: tasks['query, key and value'],
  in_proj_z: 'Computes the output gate.',
  in_proj_a: 'Computes the decay of each head.',
  in_proj_b: writes,
  b_proj: writes,
  f_a_proj: rankDown('the decay'),
  f_b_proj: rankUp('the decay'),
  g_a_proj: rankDown('the output gate'),
  g_b_proj: rankUp('the output gate'),
  ...linearAttention,
  conv1d: causal,
  q_conv1d: causal,
  k_conv1d: causal,
  v_conv1d: causal,
  out_proj: fromHeads,
  o_proj: fromHeads,
  dt_bias: 'Added before the softplus that gives the decay.',
};

/**
 * Describes a tensor by its mechanism (or, without a mechanism, its part of the model), then by the end of its name. Other names are in
 * `named` in tensors.ts.
 */
export const namedIn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lightning_attention: {
    output_gate: 'A gate on the output of attention, after a sigmoid.',
    norm: 'Normalises the output of attention.',
  },
  mamba: {
    in_proj: 'Computes the input of the state-space model and the gate, in one matrix.',
    conv1d: causal,
    out_proj: fromInner,
  },
  patch_merging: { reduction: 'Maps the concatenated vectors of four patches to twice the previous width.' },
  mamba_2: {
    in_proj: 'Computes the gate, the input, B, C and the step sizes, in one matrix.',
    conv1d: causal,
    out_proj: fromInner,
  },
  rwkv: {
    key: 'Key projection: the key determines how strongly the token’s value is written to the state.',
    value: writtenValues,
    receptance: 'Receptance projection: selects what is passed on from the state.',
    gate: 'Computes the output gate.',
    output: 'Output projection: maps the result back to the hidden state.',
  },
  rwkv_channel_mixing: { x_k: mix, receptance: 'Receptance projection: it gates the result.' },
  rwkv_7: {
    x_r: mix,
    x_w: mix,
    x_k: mix,
    x_v: mix,
    x_a: mix,
    x_g: mix,
    k_k: 'Scales the removal key, which selects what the state forgets: one learned value per dimension.',
    k_a: 'How strongly the learning rate scales the key: one learned value per dimension.',
    r_k: 'The extra weight of the current token: one learned value per dimension of each head.',
    r_proj: 'Receptance projection: selects what is read from the state.',
    k_proj: writtenKeys,
    v_proj: writtenValues,
    o_proj: fromHeads,
    'w_lora.lora.0': rankDown('the decay'),
    'w_lora.lora.2': rankUp('the decay'),
    'a_lora.lora.0': rankDown('the learning rate'),
    'a_lora.lora.2': rankUp('the learning rate'),
    'v_lora.lora.0': rankDown('how much of the first layer’s values is mixed in'),
    'v_lora.lora.2': rankUp('how much of the first layer’s values is mixed in'),
    'g_lora.lora.0': rankDown('the output gate'),
    'g_lora.lora.2': rankUp('the output gate'),
  },
  // Mixers whose mechanism has no name here, such as RetNet's.
  state_space: {
    ...linearAttention,
    f_proj: 'Computes the forget gate.',
    i_proj: 'Computes the input of the state.',
    g_proj: 'Computes the output gate.',
  },
  gated_delta_net: deltaNet,
  kimi_delta_attention: deltaNet,
  mlstm: {
    q: tasks.query,
    k: 'Key projection: computes the keys, under which the values are written to the memory.',
    v: 'Value projection: computes the values, which are written to the memory.',
    ogate_preact: 'Computes the output gate.',
    igate_preact: 'Computes the input gate of each head.',
    fgate_preact: 'Computes the forget gate of each head.',
    out_proj: fromHeads,
  },
  short_convolution: {
    in_proj: 'Computes two gates and the input of the convolution, in one matrix.',
    out_proj: 'Maps the gated result back to the hidden state.',
  },
  deformable_attention: {
    sampling_offsets: 'Predicts where each head samples: offsets from a reference point.',
    attention_weights: 'Predicts the weight of each sampled point.',
    value_proj: 'Value projection: computes the values, which attention samples.',
    output_proj: tasks.output,
  },
  gated_latent_attention: {
    q_b_proj: 'Computes the queries of all heads and the gate, from the compressed queries with and without their norm.',
  },
  mixed_attention: {
    conv_out_layer: 'Computes the values that the dynamic convolution reads.',
    conv_kernel_layer: 'Computes the kernels of the dynamic convolution.',
    dense: 'Output projection: maps the concatenated outputs of attention and convolution back to the hidden state.',
  },
  branch_gates: { g_proj: 'Computes the gates: three values per head.' },
  focal_modulation: {
    projection_in: 'Computes the query, the context and the gates, in one matrix.',
    projection_context: 'Maps the gathered context to what the query is multiplied by.',
    projection_out: 'Output projection: maps the modulated query back to the hidden state.',
  },
  sparse_indexer: {
    wq_b: 'The indexer’s queries.',
    wk: 'The indexer’s key, which its heads share.',
    weights_proj: 'The weight of each head of the indexer.',
  },
  hyper_connection: Object.fromEntries(
    ['hc_attn_', 'hc_ffn_', 'hc_head_', 'hc_'].flatMap((prefix) => [
      [`${prefix}fn`, 'Maps all residual streams to their weights.'],
      [`${prefix}base`, 'The part of the weights that is the same for all tokens.'],
      [`${prefix}scale`, 'Scales the part of the weights that depends on the token.'],
    ]),
  ),
  rg_lru: {
    linear_x: 'Maps the hidden state to the input of the convolution and the recurrence.',
    linear_y: 'Maps the hidden state to the branch that multiplies the output of the recurrence.',
    conv_1d: causal,
    recurrent_param: 'Sets how fast the state decays: one learned value per dimension.',
    input_gate_weight: 'Computes the input gate. The matrix is block-diagonal: each head has a block of its own.',
    input_gate_bias: 'The bias of the input gate.',
    recurrent_gate_weight: 'Computes the recurrence gate. The matrix is block-diagonal: each head has a block of its own.',
    recurrent_gate_bias: 'The bias of the recurrence gate.',
    linear_out: fromInner,
  },
  lstm: {
    weight_ih: 'Maps the input to the four gates.',
    weight_hh: 'Maps the previous hidden state to the four gates.',
    bias_ih: 'The biases of the four gates, for the input.',
    bias_hh: 'The biases of the four gates, for the previous hidden state.',
  },
  response_norm: { grn: 'Global Response Normalization: one learned scale per channel.' },
  batch_norm: {
    running_mean: 'The mean of each channel, estimated from training data.',
    running_var: 'The variance of each channel, estimated from training data.',
    num_batches_tracked: 'The number of training batches seen.',
  },
  pooler: {
    dense: firstToken,
    pooler: firstToken,
  },
  classifier: {
    classifier: classLogits,
    'classifier.1': classLogits,
    cls_classifier: classLogits,
  },
  convolution: { gamma: layerScale },
  projection: {
    text_projection: 'Maps the text features to the dimension that text and image features share.',
    visual_projection: 'Maps the image features to the dimension that text and image features share.',
    logit_scale: 'The logarithm of the factor that similarities are multiplied by.',
  },
};
