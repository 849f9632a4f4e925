// Texts of the block drawing.

import { plural } from '../support/numbers.ts';

export const title = (name: string, copies: string) =>
  `${copies === '1' ? 'The layer' : `One of the ${copies} layers`} ${name}: its modules, tensors and shapes, from input to output`;
export const copies = (copies: string) => `× ${copies}`;
/** Names the blocks of a kind that are not drawn. After the first four, the rest are only counted. */
export const alike = (names: readonly string[]) =>
  `the same modules, with other sizes: ${names.slice(0, 4).join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`;
export const kernel = (size: string, channels: string) => `kernel ${size}, ${channels}`;
export const biased = ' + bias';
export const caption = 'Data flows upwards. A matrix is as wide as its input and as high as its output, so its area shows its parameters.';
export const unsettled = 'Part of the layer is shown as a list, because its data flow is not known.';
export const list = 'a list, not a flow';
export const empty = (part: string) => `${part}: no parameters`;
export const share = (part: string, size: string, percent: string) => `${part}: ${size}, ${percent} of the layer`;
export const scale = (count: string) => `this area: ${count} parameters`;
export const attention = 'attention: softmax(QKᵀ)·V';
export const heads = (queries: number, keys: number) =>
  keys > 0 && keys < queries ? `${plural(queries, 'query head')}, ${plural(keys, 'key-value head')}` : plural(queries, 'head');
export const sameMatrix = (name: string) => `V: the output of ${name}, too`;
export const outputOf = (name: string) => `output of ${name}`;
export const gateOf = (name: string) => `z from ${name}`;
export const indexer = 'picks the keys that attention sees';
export const relative = 'relative positions';
export const sampling = 'weighted sum of sampled values';
export const softmax = 'softmax';
export const rotary = 'RoPE';
export const elsewhere = 'the other sequence';
export const queryGate = '× sigmoid of the other half of the queries’ matrix';
export const scan = 'selective scan';
export const mambaGate = 'gate z';
export const deltaRule = 'gated delta rule';
export const thirds = 'first third × last third';
export const third = '× middle third';
export const activation = 'activation';
export const product = '×';
export const halves = 'activation of one half × the other';
export const gated = '×';
export const sum = '+';
export const picks = (used: string, count: string) => `picks ${used} of ${count}`;
export const picksAndScales = (used: string, count: string) => `${picks(used, count)}, scales its input`;
export const lit = (used: string, count: string) => `for one token ${used} of ${count}`;
export const weighted = 'weighted sum';
export const weightedShared = 'weighted sum + shared';
export const more = (n: number) => `… and ${plural(n, 'more kind')} of layers, not drawn`;
export const unlisted = (n: number) => `… and ${n} more, in the table`;
export const none = 'This model has no repeated layers.';
export const module = (name: string, part: string) => `${name}, ${part}`;
export const tensor = (name: string, shape: string) => `${name}: ${shape}`;
