// What the steps of a derivation say. The numbers are the core's.

import { partLabel } from '../texts/part-names.ts';

export const title = (name: string) => `The parameters of ${name}`;
export const begins = (architecture: string, parameters: string, address?: string) =>
  `${architecture} has ${parameters} parameters. Each step is a formula in its fields and in the steps before; Param Ledger wrote it from the tensors${address === undefined ? '' : ` (${address})`}.`;
export const source = 'Param Ledger';
export const total = 'The total';

export const sections: Readonly<Record<string, string>> = {
  vision: 'Vision tower',
  audio: 'Audio tower',
  projector: 'Projector',
  text: 'Text model',
  total: 'Total',
  active: 'What a token uses',
  files: 'What the files hold',
  device: 'On one device',
};
/** Of a model without towers. */
export const whole = 'The model';

export const sources = { given: 'given', default: 'by default', derived: 'derived' } as const;
export const setting = 'The setting';
export const columns = { symbol: 'Symbol', field: 'Field', value: 'Value', source: 'From', tensor: 'Tensor', shape: 'Shape', why: 'Why', elements: 'Elements' }; // prettier-ignore

const own: Readonly<Record<string, string>> = { experts: 'Experts', projection: 'Projections', norm: 'Norms', embedding: 'Embeddings' };
const labelOf = (part: string) => own[part] ?? partLabel(part);

/** What a step is about. */
export const parts = (part: string) => labelOf(part);
export const inLayer = (part: string) => `${labelOf(part)} in a layer`;
export const layer = (layers: string) => `A layer (${layers})`;
export const layers = (list: string) => `All layers of ${list}`;
export const section = (name: string) => `${sections[name] ?? name}, all together`;
export const subtotal = 'A part of this sum';
export const tied = (part: string) => `${labelOf(part)}: not counted again`;
export const tiedTo = (names: string) => `It shares the storage of ${names}, which is counted there.`;
export const parameters = 'All parameters';
export const idle = 'Experts that a token does not use';
export const idleWhy = 'The router sends a token to a few experts of each layer; the others rest.';
export const active = 'Active parameters';
export const activeWhy = 'All parameters without the experts that rest.';
export const buffers = 'Buffers';
export const buffersWhy = 'Files hold them; training does not change them, so they are no parameters.';
export const beside = (part: string) => `${labelOf(part)} beside the model`;
export const files = 'All elements of the files as published';
export const sum = 'The sum of its parts.';
export const times = 'Each kind of layers, times how many there are.';

/** What one device holds: by the kind of step, its part, the device's rank and how many devices there are. */
export function device(kind: string, part: string, rank: string, devices: string): { readonly says: string; readonly why?: string } {
  switch (kind) {
    case 'device':
      return { says: `Device ${rank}, all together`, why: sum };
    case 'share':
      return { says: 'An even share of the model', why: `All parameters, divided by ${devices} devices and rounded down.` };
    case 'beyond':
      return { says: 'More than an even share', why: 'Tensors that stand whole on several devices are held more than once.' };
    default:
      return { says: `${labelOf(part)} on this device` };
  }
}

/** What parts are for, where their tensors do not tell it better. */
export const why: Readonly<Record<string, string>> = {
  attention:
    'Matrices between the stream and the heads of attention: each has a row for each number that it gives, and a column for each that it takes.',
  state_space: 'Mixes tokens through a state that it carries along, in the place of attention.',
  convolution: 'A kernel slides over its input: one number for each place, each channel in and each channel out.',
  projection: 'Brings one width to another.',
  adapter: 'A small addition to the weights.',
};

/** Why a tensor of that task has its shape: the stream is what passes through all layers. */
const does: Readonly<Record<string, string>> = {
  'token embedding': 'A row for each token, as wide as the stream.',
  'position embedding': 'A row for each position.',
  'segment embedding': 'A row for each kind of segment.',
  query: 'From the stream to the queries of all heads.',
  key: 'From the stream to the keys of the key-value heads.',
  value: 'From the stream to the values of the key-value heads.',
  'query, key and value': 'From the stream to queries, keys and values, in one matrix.',
  output: 'From all heads back to the stream.',
  'query norm': 'Scales queries before they meet keys.',
  'key norm': 'Scales keys before they meet queries.',
  gate: 'From the stream to the inner width: decides how much passes.',
  up: 'From the stream to the inner width.',
  'gate and up': 'From the stream to the inner width twice: one decides how much of the other passes.',
  down: 'From the inner width back to the stream.',
  router: 'A score for each expert.',
  head: 'A score for each token.',
  'attention gate': 'From the stream to what each head, or each of its numbers, may give.',
  'query down': 'From the stream down to the rank of queries.',
  'query up': 'From that rank up to the queries of all heads: of each a part without and a part with rotary position.',
  'key and value down': 'From the stream down to the rank of keys and values, and to the rotary part of keys, which all heads share.',
  'key and value up': 'From that rank up to keys and values of all heads.',
  'gate of the shared expert': 'How much of what the shared expert gives is added: one number for each token.',
  'norm before attention': 'A scale for each number of the stream, before attention.',
  'norm before feed-forward': 'A scale for each number of the stream, before the feed-forward.',
  'last norm': 'A scale for each number of the stream, after the last layer.',
};

/** The same by the last words of a name, where its task has no other. */
const named: Readonly<Record<string, string>> = {
  r_proj: 'From the stream to a short vector for each head, which scores distances.',
  wr_du: 'From the stream to a short vector for each head, which scores distances.',
  gqkv_proj: 'From the stream to gates, queries, keys and values, in one matrix.',
  q_a_layernorm: 'Scales the compressed queries.',
  kv_a_layernorm: 'Scales the compressed keys and values.',
  wk: 'From the stream to the indexer’s keys.',
  wq_b: 'From the rank of queries to the indexer’s heads.',
  in_proj: 'From the stream to all that the mixer works with.',
  in_proj_qkvz: 'From the stream to queries, keys, values and gates.',
  in_proj_ba: 'From the stream to what is written and what is forgotten, for each head.',
  x_proj: 'From the mixer’s width to what it selects: the time step, what enters the state, what is read from it.',
  dt_proj: 'From the compressed time step to the mixer’s width.',
  out_proj: 'Back to the stream.',
  conv1d: 'A convolution over the last tokens, channel by channel.',
  A_log: 'How fast the state fades.',
  D: 'How much passes beside the state.',
  dt_bias: 'The time step’s offset.',
  e_score_correction_bias: 'Balances the experts: a number for each.',
  weight_scale_inv: 'A scale for each block of a matrix that is stored in few bits.',
  eh_proj: 'Joins the stream and the embedding of the next token.',
  enorm: 'Scales the embedding of the next token.',
  hnorm: 'Scales the stream.',
};

/** By what a tensor is, where nobody knows what it does. */
const is: Readonly<Record<string, string>> = {
  matrix: 'A matrix from one width to another.',
  table: 'A table of which rows are looked up.',
  kernel: 'A kernel: channels out, channels in, places.',
  vector: 'A number for each of what it scales or shifts.',
};

const BIAS = ' bias';

/** `task`: what the core takes it for: `expert gate`, `query bias`. */
export function tensor(name: string, task: string, role: string): string {
  if (task.endsWith(BIAS) || name.endsWith('.bias')) return 'A bias: one number for each output.';
  const bare = task.replace(/^((shared )?expert|cross|encoder) /, '');
  const last = name.replace(/\.weight$/, '').replace(/.*\./, '');
  const said = does[task] ?? does[bare] ?? named[last] ?? is[role] ?? '';
  if (task.startsWith('shared expert ')) return `Of the shared expert. ${said}`;
  if (task.startsWith('expert ')) return `Of each expert. ${said}`;
  if (task.startsWith('cross ')) return `Of cross-attention. ${said}`;
  return said;
}

export const shown = {
  heading: 'Derivation',
  lead: 'How the count comes about, step by step, in the order in which data passes. Each step opens to its tensors; a change in the form changes it at once.',
  judged: (steps: string) => `The judge of worked articles finds all ${steps} steps right, and the total equal.`,
  steps: 'Steps',
  judgeIt: 'Change and judge it',
  judgeItTitle: 'Opens it as a worked article of your own',
  tensors: (count: string) => `${count} tensors`,
  oneTensor: '1 tensor',
  formats: 'Format',
  refused: 'There is nothing to derive: the configuration is refused.',
};

export const formats: Readonly<Record<string, string>> = {
  markdown: 'Markdown',
  plain: 'Markdown, plain',
  html: 'HTML',
  latex: 'LaTeX',
  article: 'Article',
};
export const meanings: Readonly<Record<string, string>> = {
  markdown: 'With formulas in LaTeX, as GitHub and notebooks set them.',
  plain: 'With formulas as plain text, for wherever no mathematics is set.',
  html: 'A page that stands alone, with formulas as MathML.',
  latex: 'A document to set or to include.',
  article: 'The JSON of a worked article: change it, and have it judged.',
};
