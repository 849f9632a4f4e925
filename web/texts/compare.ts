// Texts of the Compare view and of the command `compare`.

const SAME = 'the same';

export const title = 'Compare';
export const lead = 'Two to four models side by side: where their parameters differ, tensor by tensor, and which fields are the reason.';
export const besides = (name: string) =>
  `Compared with ${name} as an example. Choose another model instead, and see where the two differ, and why.`;
export const keep = 'Keep this one';
export const models = 'Models';
export const add = 'Add a model';
export const replace = (name: string) => `Another model instead of ${name}`;
export const remove = 'Remove';
export const removeSpoken = (name: string) => `Remove ${name} from the comparison`;
export const edit = 'Edit';
export const editSpoken = (name: string) => `Edit the fields of ${name}`;
export const undo = 'Undo';
export const redo = 'Redo';
export const notCompared = 'Not compared, because it is not counted:';
export const swap = 'Swap';
export const first = 'Put first';
export const firstSpoken = (name: string) => `Put ${name} first: the others are compared with it`;
export const enlarge = (times: string) => `${times} ×`;
export const enlargeSpoken = (name: string, times: string) => `Enlarge the bar of ${name} ${times} times`;
export const difference = 'Difference';
export const base = 'the others are compared with this one';
export const against = (change: string, base: string) => (change === SAME ? `as many as ${base}` : `${change} than ${base}`);
export const beneath = (base: string) => `Under each count: the difference from ${base}.`;
export const story = (from: string, to: string, change: string, causes: string) =>
  `${to} has ${change} parameters than ${from}.${causes && ` ${causes}.`}`;
export const cause = (name: string, change: string) => `${name}: ${change}`;
export const same = (from: string, to: string) => `${to} has exactly as many parameters as ${from}.`;
export const alike = SAME;
export const more = (count: string) => `${count} more`;
export const fewer = (count: string) => `${count} fewer`;
export const parts = 'On one scale';
export const partsOf = (name: string, parts: string) => `${name}: ${parts}`;
export const part = 'Part';
export const causes = 'Why';
export const order =
  'Fields are changed one at a time, in this order: vocabulary, width, depth, attention, state space, feed-forward, experts, head, others. The rest, which no field explains, is then divided by the purpose of the parameters. The amounts add up exactly; another order would split them differently.';
export const waterfall = (from: string, to: string) => `From ${from} to ${to}`;
export const architecture = 'Class';
export const rest = (from: string, to: string) => `Differences in architecture between ${from} and ${to} (no field in common)`;
/** Names of the purposes of parameters in a difference that no field explains, keyed by the core's names (core/compare/purposes.hpp). */
export const purposes = {
  embedding: 'Embedding tables',
  positions: 'Position embeddings',
  segments: 'Segment embeddings',
  attention: 'Attention projections',
  attention_gate: 'Gates of attention',
  latent_attention: 'Latent attention (MLA)',
  cross_attention: 'Cross-attention',
  state_space: 'Recurrent mixers',
  feed_forward: 'Feed-forward matrices without gates',
  gate: 'Gate projections',
  experts: 'Routed experts',
  shared_experts: 'Shared experts',
  router: 'Routers',
  norms: 'Norms',
  query_key_norms: 'Norms of queries and keys',
  biases: 'Biases',
  convolution: 'Convolutions',
  indexer: 'Indexer',
  other_embeddings: 'Other embeddings (class tokens, positions)',
  projections: 'Projections',
  adapter: 'Further modules',
  head: 'Output head',
  encoder: 'Encoder',
  vision: 'Vision tower',
  audio: 'Audio tower',
  projector: 'Projector',
  other: 'Other tensors',
  grouped_queries: 'Key-value heads shared by query heads',
} as Readonly<Record<string, string>>;
export const purpose = (id: string, tensors: readonly string[] = []) =>
  `${purposes[id] ?? id}${tensors.length > 0 ? ` (${tensors.join(', ')})` : ''}`;
export const restAlike = 'Not explained by a field';
export const causeNames = {
  V: 'Vocabulary',
  d: 'Width',
  L: 'Depth',
  n: 'Heads',
  n_kv: 'Grouped queries',
  h: 'Head width',
  f: 'Feed-forward',
} as Readonly<Record<string, string>>;
export const fields = 'Fields that differ';
export const fieldsAlike = 'Every field that affects the count has the same value.';
export const field = 'field';
export const absent = 'no such field';
export const long = 'derived';
export const matrices = 'Matrix by matrix';
export const which = 'Which tensors to show';
export const all = 'all';
export const differing = 'only differences';
export const tensor = 'tensor';
export const none = 'none';
export const total = 'Parameters';
export const statuses = {
  only: 'not in all',
  shape: 'other shape',
  kind: 'other kind',
  count: 'other number',
  same: 'same',
} as Readonly<Record<string, string>>;
export const moreShapes = 'and other shapes';
