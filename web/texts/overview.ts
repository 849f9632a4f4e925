// Sentences about a derivation as a whole.

import { list } from './mechanisms.ts';

/** Names of the parts of a model in sentences about shares. */
export const groups: Readonly<Record<string, string>> = {
  experts: 'routed experts',
  feed_forward: 'feed-forward blocks',
  attention: 'attention',
  state_space: 'mixers other than attention',
  embedding: 'embeddings',
  output_head: 'the output head',
  convolution: 'convolutions',
};
/** Like `groups`, but for blocks that their mechanism describes better than their part. */
export const groupsOf: Readonly<Record<string, string>> = {
  lstm: 'LSTMs',
  focal_modulation: 'focal modulation',
  pooler: 'the pooler',
  classifier: 'the classification head',
  patch_embedding: groups.convolution,
  convolutional_stem: groups.convolution,
  convolutional_positions: groups.convolution,
};

export const firstShare = (label: string, percent: string) => `${percent} of the parameters are in ${label}`;
export const share = (label: string, percent: string) => `${percent} in ${label}`;
export const shares = (said: readonly string[]) => `${list(said)}.`;
export const routed = (percent: string, all: string, active: string, experts: string, used: string, inText = false) =>
  `${percent} of the parameters sit in ${all} routed experts; ${inText ? 'in the text model, ' : ''}a token uses ${active} of ${experts} per layer with experts, so ${used} parameters are active.`;
export const sharedLayer = (value: string) => `All layers share the same ${value} parameters, which are counted once.`;
export const alike = (layers: string, value: string) => `Each of the ${layers} layers has ${value} parameters.`;
export const kind = (layers: string, value: string) =>
  layers === '1' ? `1 with ${value} parameters` : `${layers} with ${value} parameters each`;
export const unlike = (count: string, kinds: readonly string[]) => `There are ${count} kinds of layers: ${list(kinds)}.`;
export const tied = 'The output head is tied to the embedding, so the table is counted once.';
export const untied = 'The output head is not tied to the embedding, so both matrices are counted.';

export const nothing = 'What adds nothing';
export const softmax = 'Softmax and attention masks have no parameters.';
export const rotary = 'Rotary position embeddings (RoPE) are rotations by fixed angles; they have no learned parameters.';
export const rotaryOfPatches =
  'Rotary position embeddings (RoPE) rotate queries and keys. The angles of patches are fixed and have no parameters; those of the class token are learned.';
export const noPositions = (hasTowers: boolean) =>
  `${hasTowers ? 'The text model has' : 'There are'} no position embeddings: the mixers other than attention carry the order of the tokens.`;
export const recurrence = 'There are no position embeddings: a recurrence reads the tokens in order.';
/** What encodes positions without parameters, besides rotary positions, keyed by the core's fact (core/derivation/type_facts.hpp). */
export const positions: Readonly<Record<string, string>> = {
  sinusoidal: 'Sinusoidal position embeddings are computed from the position alone; they have no learned parameters.',
  relative: 'The encodings of relative positions are sinusoids, computed from the distance alone; they have no learned parameters.',
  convolution: 'There are no position embeddings: convolutions that pad the feature map with zeros carry the positions.',
};
/** Further sentences about what adds nothing to the count, by model type. */
export const fixed: readonly (readonly [type: RegExp, sentence: string])[] = [
  [/^fnet$/, 'A Fourier transform mixes the tokens instead of attention; it has no parameters.'],
  [/^poolformer$/, 'Average pooling mixes the positions instead of attention; it has no parameters.'],
  [/^(big_bird|bigbird_pegasus)$/, 'Block-sparse attention limits which keys a query sees; no tensor’s size depends on the blocks.'],
  [/^phi3small$/, 'Block-sparse attention in some layers limits which keys a query sees; no tensor’s size depends on the blocks.'],
  [/^(swin|swinv2|maskformer-swin|donut-swin)$/, 'Shifting the windows in every second layer moves positions; it has no parameters.'],
  [/^albert/, 'The number of layers (num_hidden_layers) is not in the formula: layers share their parameters.'],
  [/^perceiver$/, 'The number of blocks (num_blocks) is not in the formula: each block runs the same layers.'],
];
export const alibi = 'ALiBi adds a fixed bias for each distance to the attention scores; it has no learned parameters.';
/** Model types whose layers attend within chunks. */
export const CHUNKED = /^llama4/;
export const chunks = (layers: string, all: string, span: string) =>
  `${layers} of ${all} layers attend within chunks of ${span} tokens. A chunk limits which keys a query sees; no tensor’s size depends on it.`;
/** Model types whose windows are in addition to compressed entries. */
export const COMPRESSED = /^deepseek_v4/;
export const compressed = (span: string) =>
  `Besides compressed entries, each query sees a sliding window of ${span} tokens; no tensor’s size depends on the window.`;
export const windows = (layers: string, all: string, span: string | undefined) =>
  `${layers === all ? `All ${all}` : `${layers} of ${all}`} layers have a sliding window${span === undefined ? '' : ` of ${span} tokens`}. A window limits which keys a query sees; no tensor’s size depends on it.`;
export const activation = (name: string, hasTowers: boolean) =>
  `The activation ${hasTowers ? 'of the text model ' : ''}(${name}) is a fixed function without parameters.`;
export const context = (field: string, value: string) =>
  `The context length (${field} = ${value}) is not in the formula: no parameter’s size depends on it.`;
export const heads = (counts: readonly string[]) =>
  `${counts.length > 1 ? 'The numbers' : 'The number'} of heads (${list(counts)}) ${counts.length > 1 ? 'are' : 'is'} not in the formula: the heads split the hidden dimension, so more heads only make each head narrower.`;
export const always = 'Residual connections and dropout have no parameters.';

export const four = (inner: string) => `${inner} is four times the hidden dimension.`;
export const exactThirds = (inner: string) => `${inner} is 8/3 of the hidden dimension.`;
export const thirds = (inner: string, width: string, multiplier: string | undefined, multiple: string) =>
  `${inner} is 8/3 of the hidden dimension (${width})${multiplier === undefined ? '' : ` times ${multiplier}`}, rounded up to a multiple of ${multiple}.`;
