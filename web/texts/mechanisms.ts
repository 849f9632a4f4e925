// Explains blocks of tensors: the name of each mechanism and what it does, with the model's own numbers. Also has sentences about norms,
// heads, embedding tables and shapes.

import { grouped } from '../support/numbers.ts';

/** What is known about a block of tensors. A member is undefined if it is unknown or differs within the block. */
export interface Facts {
  readonly tensors?: readonly { readonly name: string; readonly role?: string; readonly task?: string }[];
  readonly heads?: string;
  readonly kv_heads?: string;
  readonly experts?: string;
  /** The number of experts that one token uses. */
  readonly active?: string;
  /** How a gated feed-forward block clamps its gate and up projection: types/derivation.ts. */
  readonly gate?: 'clamped' | 'scaled';
  /** Whether layers without an indexer reuse this one’s selection. */
  readonly reused?: true;
  /** The dimensions of a feed-forward block: of its input and of its inner layer. */
  readonly width?: string;
  readonly inner?: string;
  /** The activation function as in `config.json`. */
  readonly activation?: string;
  /** Whether the class predicts masked tokens. */
  readonly masked?: boolean;
  /** The task of a class with a head for question answering, token classification or multiple choice. */
  readonly task?: 'answers' | 'tokens' | 'choices';
  /** Whether the model uses rotary position embeddings. */
  readonly rotary?: boolean;
  /** The model type of the text model. */
  readonly type?: string;
  /** Whether the class generates tokens with a key-value cache. */
  readonly caches?: boolean;
}

export interface Mechanism {
  readonly name: (facts: Facts) => string;
  readonly does: (facts: Facts) => string;
  /** The paper that introduced the mechanism or its name. */
  readonly paper?: string;
}

/** Model types with latent attention whose keys come from the latent alone. */
const NO_SHARED_KEY = /^glm5_next/;

/** Activation functions with learned parameters. */
const LEARNED = /^(xielu|prelu)$/;

const is = (name: string, does: string, paper?: string): Mechanism => ({ name: () => name, does: () => does, paper });

const nothing = 'Softmax has no parameters.';

/** Whether a block is differential attention, which stores its λ as four vectors. */
const isDifferential = ({ tensors = [] }: Facts) => tensors.some(({ name }) => name.endsWith('lambda_q1'));
const subtracted =
  'The values of two heads are joined, and a head of each half of the query heads reads them. The result of the second half, times λ, is subtracted from that of the first.';

/** Names of gated feed-forward blocks by activation function (Shazeer 2020). */
const GATED: readonly (readonly [activation: RegExp, name: string])[] = [
  [/silu|swish|swiglu/, 'SwiGLU'],
  [/gelu/, 'GeGLU'],
  [/^(gated-)?relu$/, 'ReGLU'],
];
const gatedName = ({ activation = '' }: Facts) => GATED.find(([pattern]) => pattern.test(activation))?.[1] ?? 'Gated feed-forward';

const maps = ({ width, inner }: Facts) => (width && inner ? ` (${grouped(width)} → ${grouped(inner)})` : '');

/** How a gated feed-forward block combines the outputs of its gate and up projections. */
const combines = {
  activated: 'After the activation, the gate multiplies the output of the up projection elementwise',
  clamped: 'Both outputs are clamped. After the activation, the gate multiplies the output of the up projection elementwise',
  scaled:
    'The gate g, clamped, becomes g·sigmoid(α·g), with a constant α; it multiplies the clamped output of the up projection, plus 1, elementwise',
};

/** Whether a tensor of a feed-forward block is a convolution between its two matrices: a kernel without a task. */
const isConvolution = ({ role, task }: { readonly role?: string; readonly task?: string }) => role === 'kernel' && task === '';

const latentAttention: Mechanism = {
  name: () => 'Multi-head latent attention (MLA)',
  does: ({ heads = '1', rotary, type = '' }) =>
    `Keys and values are compressed to one latent vector per token. For attention, a cache needs only this vector${NO_SHARED_KEY.test(type) ? '' : ` and ${rotary === false ? 'a part of the key' : 'the rotary key'}, which all ${grouped(heads)} heads share`}. A second matrix expands the latent to the keys and values of all heads. ${nothing}`,
  paper: 'DeepSeek-AI 2024',
};

/** Keyed by the core's names of mechanisms (core/builder/blocks.hpp). */
export const mechanisms: Readonly<Record<string, Mechanism>> = {
  attention: {
    name: () => 'Attention',
    does: ({ tensors = [] }) =>
      `${tensors.some(({ name }) => name.endsWith('query_key.weight')) ? 'One projection computes queries and keys, another the values' : 'Queries, keys and values are computed by projections'}; the output projection combines the heads. ${nothing}`,
    paper: 'Vaswani et al. 2017',
  },
  multi_head_attention: {
    name: (facts) =>
      isDifferential(facts) ? 'Differential attention' : facts.heads === '1' ? 'Single-head attention' : 'Multi-head attention',
    does: ({ heads = '1', tensors }) =>
      heads === '1'
        ? `One head, with projections to queries, keys and values and an output projection. ${nothing}`
        : isDifferential({ tensors })
          ? `${grouped(heads)} heads, each with its own queries and keys. ${subtracted} ${nothing}`
          : `${grouped(heads)} heads, each with its own queries, keys and values. Each projection matrix contains all heads, side by side. ${nothing}`,
    paper: 'Vaswani et al. 2017',
  },
  grouped_query_attention: {
    name: (facts) => (isDifferential(facts) ? 'Differential attention with grouped queries' : 'Grouped-query attention'),
    does: ({ heads = '1', kv_heads = '1', caches, tensors }) =>
      `${grouped(heads)} query heads share ${grouped(kv_heads)} key-value heads${BigInt(heads) % BigInt(kv_heads) === 0n ? `, ${grouped(BigInt(heads) / BigInt(kv_heads))} query heads to each` : ''}.${caches ? ` A KV cache stores keys and values of ${grouped(kv_heads)} heads only.` : ''}${isDifferential({ tensors }) ? ` ${subtracted}` : ''} ${nothing}`,
    paper: 'Ainslie et al. 2023',
  },
  multi_query_attention: {
    name: () => 'Multi-query attention',
    does: ({ heads = '1' }) => `All ${grouped(heads)} query heads share one key-value head. ${nothing}`,
    paper: 'Shazeer 2019',
  },
  gated_attention: {
    name: () => 'Gated attention',
    does: ({ heads = '1', kv_heads = '1' }) =>
      `${grouped(heads)} query heads and ${grouped(kv_heads)} key-value heads. Half of the query projection’s outputs are not queries but a gate on the attention output. ${nothing}`,
    paper: 'Qiu et al. 2025',
  },
  latent_attention: latentAttention,
  gated_latent_attention: {
    name: () => latentAttention.name({}),
    does: (facts) => `${latentAttention.does(facts)} The up projection of the queries also computes a gate on the output of attention.`,
    paper: latentAttention.paper,
  },
  mixed_attention: {
    name: () => 'Mixed attention',
    does: ({ heads = '1' }) =>
      `${heads === '1' ? 'One head computes' : `${grouped(heads)} heads, each with its own queries, keys and values, compute`} one half of the output. The other half comes from span-based dynamic convolution, which computes a kernel for each token. ${nothing}`,
    paper: 'Jiang et al. 2020',
  },
  branch_gates: is(
    'Gates of the branches',
    'Native sparse attention has three branches: compressed blocks, selected blocks and a sliding window. These gates weight the branches of each head.',
    'Yuan et al. 2025',
  ),
  span_convolution: is(
    'Span-based dynamic convolution',
    'A depthwise and a pointwise convolution read neighbouring tokens. Their output times the queries gives the kernels of the dynamic convolution.',
    'Jiang et al. 2020',
  ),
  focal_modulation: is(
    'Focal modulation',
    'Instead of attention: convolutions of growing size gather context, gates weight their levels, and the result multiplies the query.',
    'Yang et al. 2022',
  ),
  sparse_indexer: {
    name: () => 'Sparse attention indexer',
    does: ({ reused }) =>
      `A small module that scores the cached entries and selects those that each query attends to. Its keys are cached, too.${reused ? ' Attention layers without an indexer reuse the selection of the last layer that has one.' : ''}`,
    paper: 'DeepSeek-AI 2025',
  },
  gated_feed_forward: {
    name: gatedName,
    does: (facts) =>
      `The gate and up projections both map the input to the inner dimension${maps(facts)}. ${combines[facts.gate ?? 'activated']}; the down projection maps back. A plain MLP has two matrices instead of three, because it has no gate projection.`,
    paper: 'Shazeer 2020',
  },
  feed_forward: {
    name: () => 'Feed-forward',
    does: (facts) =>
      `A two-layer MLP: the first matrix maps the input to the inner dimension${maps(facts)}, and the second maps back. ${facts.tensors?.some(isConvolution) ? 'Between them are a convolution and the activation.' : LEARNED.test(facts.activation ?? '') ? 'The activation between them has learned parameters.' : 'The activation between them has no parameters.'}`,
    paper: 'Vaswani et al. 2017',
  },
  router: {
    name: () => 'Router',
    does: ({ experts, active }) =>
      `Scores each expert for each token.${experts && active ? ` A token goes to ${grouped(active)} of ${grouped(experts)} experts.` : ''}`,
    paper: 'Shazeer et al. 2017',
  },
  mamba: is('Mamba mixer', 'A selective state-space model: it mixes information across tokens through a recurrent state. Its step size Δ and its matrices B and C depend on the token.', 'Gu and Dao 2023'), // prettier-ignore
  mamba_2: is('Mamba-2 mixer', 'A state-space model with one scalar decay per head: it mixes information across tokens through a recurrent state.', 'Dao and Gu 2024'), // prettier-ignore
  short_convolution: is('Gated short convolution', 'A short causal convolution between two gates, instead of attention.', 'Liquid AI 2025'),
  gated_delta_net: is('Gated DeltaNet', 'Linear attention, with a recurrent state instead of a cache of all keys and values. The delta rule corrects what the state holds, and a gate makes the state decay.', 'Yang et al. 2024'), // prettier-ignore
  kimi_delta_attention: is('Kimi Delta Attention (KDA)', 'Linear attention, with a recurrent state instead of a cache of all keys and values. The delta rule corrects what the state holds, and a gate makes each channel decay at its own rate.', 'Kimi Team 2025'), // prettier-ignore
  lightning_attention: is('Lightning attention', 'Linear attention with a fixed decay, and with a recurrent state instead of a cache of all keys and values.', 'Qin et al. 2024'), // prettier-ignore
  rwkv: is('RWKV time mixing', 'A recurrence instead of attention: the state accumulates values, weighted by their keys, and decays over time. The receptance selects what is passed on.', 'Peng et al. 2023'), // prettier-ignore
  rwkv_7: is('RWKV-7 time mixing', 'A recurrence instead of attention: the state of each head is a matrix that maps keys to values. The delta rule corrects it for each token, with a decay and a learning rate that depend on the token. The receptance reads from the state, and a gate scales the result.', 'Peng et al. 2025'), // prettier-ignore
  rwkv_channel_mixing: {
    name: () => 'RWKV channel mixing',
    does: ({ tensors = [] }) =>
      `A feed-forward block: the key projection maps to the inner dimension, and the value projection maps back.${tensors.some(({ name }) => name.includes('receptance')) ? ' The receptance gates the result.' : ''}`,
    paper: 'Peng et al. 2023',
  },
  rg_lru: is(
    'Real-gated linear recurrent unit (RG-LRU)',
    'A gated linear recurrence after a short convolution, instead of attention.',
    'De et al. 2024',
  ),
  deformable_attention: is('Deformable attention', 'Each query attends to a few points near its reference point instead of to all positions. One linear layer predicts the offsets of the points, another their weights.', 'Zhu et al. 2020'), // prettier-ignore
  lstm: is('LSTM', 'Recurrent layers. Each of the four gates has one matrix for the input, one for the previous hidden state, and two biases.', 'Hochreiter and Schmidhuber 1997'), // prettier-ignore
  prediction_projection: is('Projection of the prediction network', 'A linear layer on the output of the LSTM.'),
  hyper_connection: is('Hyper-connections', 'Several parallel residual streams replace a single one. For each token, these matrices compute the weights with which the streams are combined.', 'Zhu et al. 2024'), // prettier-ignore
  mlstm: is(
    'mLSTM',
    'A recurrent matrix memory with an exponential input gate and a forget gate, instead of attention.',
    'Beck et al. 2024',
  ),
  rms_norm: is('RMSNorm', 'RMSNorm: one learned scale per dimension, and no shift.', 'Zhang and Sennrich 2019'),
  gated_rms_norm: is(
    'Gated RMSNorm',
    'RMSNorm with one learned scale per dimension. Two low-rank matrices compute a gate from the normalised vector, and the gate multiplies it.',
  ),
  unbiased_layer_norm: is(
    'LayerNorm without bias',
    'LayerNorm without bias: one learned scale per dimension, and no shift.',
    'Ba et al. 2016',
  ),
  layer_norm: is('LayerNorm', 'LayerNorm: a learned scale and a learned shift per dimension.', 'Ba et al. 2016'),
  group_norm: is(
    'GroupNorm',
    'GroupNorm: each group of channels is normalised separately; there may be only one group. Each channel has a learned scale and a learned shift.',
    'Wu and He 2018',
  ),
  cumulative_norm: is(
    'Cumulative group norm',
    'The mean and the variance are taken over all positions so far. Each channel has a learned scale, and no shift.',
  ),
  adaptive_norm: is(
    'Adaptive norm',
    'Linear layers compute from a condition, such as the time step, how the normalised hidden state is scaled. They may also compute a shift and a gate.',
    'Perez et al. 2017',
  ),
  residual_weights: is(
    'Weights of the residual connection',
    'The hidden state and what is added to it are scaled by learned values before they are summed.',
  ),
  response_norm: is(
    'Global Response Normalization',
    'Each channel is multiplied by its norm over all positions, relative to the mean norm of the channels. Each channel has a learned scale and a learned shift.',
    'Woo et al. 2023',
  ),
  batch_norm: is(
    'Batch norm',
    'Batch norm: a learned scale and shift per channel. Its running statistics are buffers.',
    'Ioffe and Szegedy 2015',
  ),
  relative_position_bias: is('Relative position bias', 'A learned value for each head and each bucket of distances, added to the attention scores.', 'Raffel et al. 2020'), // prettier-ignore
  sinusoidal_positions: {
    name: () => 'Positions',
    does: ({ rotary }) =>
      `Fixed sinusoids${rotary ? ', which rotate queries and keys (RoPE)' : ''}. They are stored as a parameter but not trained.`,
    paper: 'Vaswani et al. 2017',
  },
  fixed_values: is('Fixed values', 'Stored as parameters but not trained.'),
  patch_embedding: is('Patch embedding', 'A convolution that maps each patch of the input to a vector.', 'Dosovitskiy et al. 2020'),
  patch_merging: is(
    'Patch merging',
    'Between two stages, four neighbouring patches are merged into one. A matrix maps their concatenated vectors to twice the previous width.',
    'Liu et al. 2021',
  ),
  stage_shortcut: is('Shortcut', 'The hidden dimension changes here, so the residual connection needs a projection, too.'),
  convolutional_stem: is(
    'Convolutional stem',
    'The first convolutions: they reduce the input to fewer vectors or to a smaller feature map.',
  ),
  convolutional_positions: is(
    'Convolutional positions',
    'The output of a convolution over neighbouring vectors is added to them, instead of position embeddings.',
    'Baevski et al. 2020',
  ),
  pooler: is(
    'Pooler',
    'A dense layer on the hidden state of the first position, for tasks that need one vector for the whole input.',
    'Devlin et al. 2018',
  ),
  masked_prediction: {
    name: ({ masked }) => (masked ? 'MLM head' : 'Language-model head'),
    does: () => 'Maps the final hidden state of each token to logits over the vocabulary.',
    paper: 'Devlin et al. 2018',
  },
  classifier: {
    name: ({ task }) => (task === 'tokens' ? taskHeads.tokens.name : 'Classification head'),
    does: ({ task }) => (task === 'tokens' ? taskHeads.tokens.does : 'Maps a vector to one score per label.'),
  },
  quantization_scales: is('Scales of quantized weights', 'The file stores weights in few bits, with one scale for each block of weights. The scales restore the range of the weights and are not parameters of the model.'), // prettier-ignore
  prediction_layer: is('Multi-token-prediction layer', 'An extra layer that predicts one more token, used in training and for speculative decoding. It is stored in the published files but is not part of the main model.', 'DeepSeek-AI 2024'), // prettier-ignore
};

/** Explains blocks without a recorded mechanism, keyed by the part of the model. */
export const parts: Readonly<Record<string, { readonly name: string; readonly does?: string }>> = {
  embedding: { name: 'Embeddings' },
  convolution: { name: 'Convolutions', does: 'The same kernel is applied at every position.' },
  attention: { name: 'Attention' },
  state_space: { name: 'Recurrent mixer', does: 'It mixes information across tokens through a recurrent state.' },
  feed_forward: { name: 'Feed-forward' },
  experts: { name: 'Experts' },
  router: { name: 'Router' },
  adapter: { name: 'Further modules' },
  norm: { name: 'Norms', does: 'Each norm has a learned scale per dimension.' },
  output_head: { name: 'Output head' },
  projection: { name: 'Projections' },
  scales: { name: 'Scales' },
};

export const cross = (name: string) =>
  `Cross-attention${name === 'Attention' || name === 'Multi-head attention' ? '' : ` (${name.toLowerCase()})`}`;
export const crossWhy = 'Queries come from one sequence; keys and values come from another.';
export const latentQueriesWhy = 'Learned latent queries attend to the image features and to themselves.';
export const experts = (name: string) => `Routed experts (${name})`;
export const expertsWhy = (count: string, active?: string) =>
  active === undefined
    ? `Each of these mixture-of-experts layers has ${count} experts.`
    : `Each of these mixture-of-experts layers has ${count} experts; a token uses ${active} of them.`;
export const ofEach = (sentence: string) => `In each expert: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
export const shared = (name: string, count = '1') => `Shared ${count === '1' ? 'expert' : 'experts'} (${name})`;
/** `isJoined`: whether the shared experts are stored as one MLP. Its inner dimension is then the sum of theirs. */
export const sharedWhy = (count: string, isJoined: boolean) =>
  count === '1'
    ? 'Applied to every token, in addition to the routed experts.'
    : `${count} shared experts, ${isJoined ? `stored as one MLP that is ${count} times as wide` : 'stored side by side in each tensor'}. They are applied to every token, in addition to the routed experts.`;
/** The name for modules whose outputs are not logits. */
export const outputModules = 'Output modules';
/** Heads of classes for a task, keyed by the task in `ConfigFacts`. */
export const taskHeads: Readonly<Record<string, { readonly name: string; readonly does: string }>> = {
  answers: { name: 'Question-answering head', does: 'Scores each token as the start and as the end of the answer.' },
  tokens: { name: 'Token-classification head', does: 'Maps the final hidden state of each token to one score per label.' },
  choices: { name: 'Multiple-choice head', does: 'Gives each choice one score.' },
};
/** The name of modules that precede the first layer and have no embedding table. */
export const inputModules = 'Input modules';
export const sharedGate = 'Gate of the shared expert';
export const finalNorm = 'Final norm';
/** The name of modules in the part `attention` that have no queries, keys or values, such as tables of relative positions. */
export const besideAttention = 'Modules of attention';
export const headsFill = (heads: string, size: string, _: string, width: string) =>
  `${heads} heads × ${size} dimensions = ${width}, the hidden dimension.`;
export const headsDiffer = (heads: string, size: string, wide: string, width: string) =>
  `${heads} heads × ${size} dimensions = ${wide}, not the hidden dimension of ${width}: the two need not be equal.`;
/** `isDraft`: whether no layer of the model computes keys and values. */
export const reusesKeys = (isDraft: boolean) =>
  `These layers have no key and value projections: they ${isDraft ? 'read the keys and values of the target model' : 'reuse the keys and values of an earlier layer'}.`;
export const keysAsValues = 'There is no value projection: the key projection’s output also gives the values.';
export const preNorm = 'pre-norm';
export const postNorm = 'post-norm';
export const sandwich = 'pre- and post-norm';
export const hyphenated = (place: string) => place.replace('cross attention', 'cross-attention');
/**
 * Of the model types with norms only after attention and feed-forward, those that normalise the output of each block before it is added to
 * the residual stream. The others are post-norm.
 */
export const OUTPUT_NORMS = /^(olmo[23]|exaone4)/;
export const outputNorms = 'Norms normalise the outputs of attention and feed-forward, before these are added to the residual stream.';
export const places = (where: readonly string[], kind: string) =>
  where.length === 1 && where[0].includes(' and ')
    ? `A layer has one norm. Attention and feed-forward both read its output, in parallel (${kind}).`
    : `A layer has ${where.length === 1 ? 'a norm' : 'norms'} ${list(where.map(hyphenated))} (${kind}).`;

/** Embedding tables that are known to be padded, and the number of tokens in their tokenizers. */
export const padded: readonly { readonly types: RegExp; readonly sizes: readonly string[]; readonly tokens: string }[] = [
  { types: /^qwen[23]/, sizes: ['151936', '152064'], tokens: 'at most 151,669' },
  { types: /^gpt_neox$/, sizes: ['50304', '50432'], tokens: '50,277' },
  { types: /^deepseek_v3/, sizes: ['129280'], tokens: '128,815' },
  { types: /^phi$/, sizes: ['51200'], tokens: '50,295' },
];
export const padding = (tokens: string, rows: string, multiple: string) =>
  `The tokenizer has ${tokens} tokens. The table has ${rows} rows, a multiple of ${multiple}; the rest are spare.`;

export const vectors = (rows: string) => (rows === '1' ? 'vector' : 'vectors');

/** Sentences about embedding tables, keyed by task. */
export const tables: Readonly<Record<string, (name: string, rows: string, width: string) => string>> = {
  'token embedding': (name, rows, width) => `${name}: one ${width}-dimensional vector for each of ${rows} vocabulary entries.`,
  'position embedding': (name, rows, width) => `${name}: ${rows} position ${vectors(rows)} of ${width} dimensions.`,
  'segment embedding': (name, rows, width) => `${name}: ${rows} token-type ${vectors(rows)} of ${width} dimensions.`,
};
export const logits = (name: string, rows: string, width: string) =>
  `${name} maps the final hidden state of ${width} dimensions to ${rows} logits, one per vocabulary entry.`;

export const scalar = 'one scalar';
export const list = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}` : (names[0] ?? '');
export const others = (names: readonly string[], more: number) => `${names.join(', ')} and ${more} more`;
export const shape = (names: string, size: string) => `${names}: ${size}`;
export const moreShapes = (count: number) => (count === 1 ? '1 more tensor of another shape' : `${count} more tensors of other shapes`);
export const biases = 'Each bias has one value per output.';
export const someBiases = (names: string, isOne: boolean, hasKernels: boolean) =>
  `Of the ${hasKernels ? 'matrices and kernels' : 'matrices'}, only ${names} ${isOne ? 'has a bias: one value' : 'have biases: one value'} per output.`;
export const transposed = 'The matrices are stored transposed: inputs × outputs.';
