// Texts of the page and of its first view.

import { plural } from '../support/numbers.ts';

export const product = 'Param Ledger';
export const promise = 'Every parameter of a model, accounted for.';
export const title = 'Param Ledger: every parameter of a model, counted exactly';
export const description =
  'Paste a config.json and see every tensor of the model with its formula, its numbers and its exact count. Works offline.';
export const previewAlt = 'The 8,030,261,248 parameters of Llama 3.1 8B by part, and one of its layers drawn to scale';
export const skip = 'Skip to the answer';
export const noScript = 'The count runs in your browser, as a WebAssembly program: please allow scripts for this page.';
export const notStarted = (why: string) => `The counting program did not start: ${why}`;
export const drawingFailed = 'The page could not draw this because of a bug in Param Ledger. Choose another model or reload the page.';
export const pageTitle = (count: string, name: string) => `${count} parameters: ${name}, Param Ledger`;
export const refusedTitle = (name: string) => `Not counted: ${name}, Param Ledger`;

export const configName = 'config.json';
export const edited = (name: string) => `${name}, edited`;
export const ownConfiguration = 'your configuration';
export const typeDefaults = 'model type with its defaults';
export const recognisedAs = (owner: string) => `your configuration, the same as ${owner}’s`;

export const total = {
  parameters: (short: string) => `${short} parameters`,
  notCounted: 'not counted',
  before: 'before: ',
  lastValid: 'last valid answer',
  lastValidOf: (name: string) => `last valid answer: ${name}`,
  copy: 'Copy the exact number',
  wait: 'The current configuration is not counted, so there is nothing to copy yet',
  announced: (count: string, change: string) => `${count} parameters${change && `, ${change}`}`,
  architecture: 'Architecture',
  notes: 'Notes',
  moreNotes: (n: number) => `and ${plural(n, 'more note')}`,
};

/** Describes where the catalogue's count comes from: the publisher of the model, or somebody else. */
const whose = (source: string) => (/; .*\bpublished\b/.test(source) ? 'the published count' : 'a count by others');

export const published = {
  equal: (source: string) => `✓ equals ${whose(source)}`,
  withBuffers: (source: string, count: string) => `✓ equals ${whose(source)} of ${count}, buffers included`,
  derived: (stored: string, beyond: string) => `✓ equals what the published files hold${stored && ` (${stored})`} without ${beyond}`,
  other: (count: string) => `published: ${count}`,
  source: (source: string, recorded: string) => `${source}; recorded ${recorded}`,
};

/** The line below the parameter count, which also says what the published files contain if that differs. */
export const headline = {
  total: (short: string) => `${short} total`,
  active: (short: string) => `${short} active`,
  held: (short: string) => `${short} in the files`,
  parameters: 'Parameters of the model',
  buffers: 'Buffers, which are not parameters',
  label: 'In the published files',
};

export const link = {
  copy: 'Copy link',
  copyTitle: 'Copy the address of this page as it is now',
  fragment: 'Copy state',
  fragmentTitle:
    'Nobody else can open the address of a file on your disk. This copies the part after #, for the hosted page or another copy of this file.',
  tooLongToCopy: 'This configuration is too long for a link',
  tooLong: 'The configuration in this link is too long.',
  tooLarge: 'The configuration in this link unpacks to more than 1 MB.',
  damaged: 'The configuration in this link is damaged: perhaps its end was cut off.',
  unknownModel: (id: string) => `This link names ${id.slice(0, 80)}, which is not in the catalogue.`,
  nothing: 'This link does not name a model or a view.',
  without: (why: string) => `${why} The rest is shown.`,
  instead: (why: string, name: string) => `${why} ${name} is shown instead.`,
  models: 'Models of this link',
};

export const copied = 'Copied';
export const notAllowed = 'Not allowed';
export const notAllowedSpoken = 'The browser does not allow copying';

/** The text on the overlay while something is dragged over the page. */
export const drop = 'Drop it to count it';

/** The name of a pasted configuration. */
export const pasted = 'Pasted configuration';

export const picker = {
  hub: 'huggingface.co',
  howTo: (id: string) => `How to get config.json of ${id}`,
  loadOf: (id: string) => `Load config.json of ${id} from huggingface.co`,
  label: 'Model',
  adds: 'Another model to compare',
  placeholder: 'Search models, or paste a config.json',
  list: 'Models',
  types: 'model types with their defaults',
  alike: 'model types of the same architecture',
  visited: 'visited',
  none: 'No such model here: paste or drop its config.json.',
  loading: 'Loading the list of models …',
  notLoaded: (why: string) => `The list of models could not be loaded: ${why}`,
  open: 'Open config.json',
  openTitle: 'Or drop the file anywhere on the page',
};

export const panel = {
  title: 'Configuration',
  fields: 'Fields',
  text: 'config.json',
  undo: 'Undo',
  redo: 'Redo',
  ignored: (n: number) => `${plural(n, 'field')} ignored`,
  moreIgnored: (n: number) => `and ${plural(n, 'more field')}`,
  use: (name: string) => `use ${name}`,
  groups: {
    size: 'Size',
    layers: 'Layers',
    attention: 'Attention',
    state_space: 'State space',
    feed_forward: 'Feed-forward',
    experts: 'Experts',
    vocabulary: 'Vocabulary',
    head: 'Output head',
    other: 'Other',
  } as Readonly<Record<string, string>>,
};

export const field = {
  missing: 'missing',
  given: 'given',
  givenAs: (name: string) => `given as ${name}`,
  default: 'default',
  derived: 'derived',
  derivation: (formula: string) => `Derived: ${formula}.`,
  reset: (name: string) => `Remove ${name}, so that its default is used`,
  resetSpoken: (name: string) => `remove ${name}, so that its default is used`,
  was: (value: string) => `was ${value}`,
  usually: (value: string) => `default ${value}`,
  back: (name: string, value: string) => `Put ${name} back to ${value}`,
  backSpoken: (name: string, value: string) => `put ${name} back to ${value}`,
  wouldDo: (value: string) => `use ${value}`,
  wouldDoSpoken: (values: readonly string[]) => (values.length > 0 ? ` ${values.join(' or ')} would do.` : ''),
  none: 'none',
  noChoice: '(none)',
  taken: (typed: string, digits: string, how: string) => `${typed} read as ${digits}${how}`,
  layers: (n: number, kinds: string) => `${plural(n, 'layer')}: ${kinds}`,
  layersDerived: 'derived from the other fields',
  layer: (i: number, kind: string) => `layer ${i}: ${kind}`,
  removeLayer: 'Remove the last layer',
  addLayer: 'Add a layer like the last one',
};

export const picture = {
  save: (what: string, format: string) => `Save this picture as ${format}: ${what}`,
  title: (parts: string) => `Parts of the model: ${parts}`,
  slab: (label: string, count: string, share: string) => `${label}: ${count} parameters, ${share}`,
  account: 'Where they sit',
  part: 'Part',
  parameters: 'Parameters',
  share: 'Share',
  total: 'Total',
  show: 'Show in the table',
  otherTotals: 'Other totals',
  totals: {
    active: 'Active per token',
    active_non_embedding: 'Active without embedding tables',
    non_embedding: 'Without embedding and head',
    embedding: 'Embedding tables',
    output_head: 'Output head',
    buffers: 'Buffers',
    stored: 'Stored in a checkpoint',
    published: 'In the published files',
  } as Readonly<Record<string, string>>,
};

export const formula = {
  hint: 'Point at a term, or press Tab, to see where it comes from.',
  title: 'In one line',
  writing: 'Write the formulas with',
  copy: 'Copy the formula as text',
  legend: 'Symbols',
};

export const table = {
  title: 'Tensor by tensor',
  headings: {
    tensor: 'tensor',
    shape: 'shape',
    formula: 'formula',
    numbers: 'with numbers',
    copies: 'copies',
    total: 'total',
    share: 'share',
  },
  groupBy: 'Group the tensors by',
  byModule: 'by module',
  byPart: 'by part',
  filter: 'Filter tensors by name',
  filterHint: 'filter: q_proj, layers 3 …',
  openAll: 'Open all',
  closeAll: 'Close all',
  none: (filter: string) => `No tensor name matches “${filter}”. Words match parts of names, and numbers match indices: q_proj, layers 3.`,
  shown: 'Shown here',
  parameters: 'Parameters',
  buffers: 'Buffers, stored but not counted',
  tied: (target: string) => `= ${target}`,
  tiedTitle: (target: string) => `Shares the storage of ${target}, which is already counted`,
  notAgain: 'not counted again',
  beside: {
    published: 'Also in the published files',
    possible: 'Also in some published files',
  },
  heldBeside: 'Also in the files, not counted',
  scalar: 'scalar',
  tensorsOf: (label: string, n: string) => `${label}: its ${n} tensors`,
  before: (count: string) => `before the last edit: ${count}`,
  isNew: 'new after the last edit',
  notPrinted: (n: string) => `… and ${n} more rows (not printed)`,
};

export const block = { heading: 'One layer', loading: 'Loading the picture …' };
export const exports = { open: 'Export', openTitle: 'The model as text, table, formula or program' };

export const views = {
  label: 'Views',
  pin: 'Pin',
  pinTitle: 'Keep the model as it is now, and compare later edits with it',
  count: 'Count',
  derive: 'Derive',
  compare: 'Compare',
  more: 'More',
  check: 'Check a number',
  lessons: 'Lessons',
  articles: 'Articles',
  target: 'Target size',
  memory: 'Memory',
  read: 'Read tensors',
  models: 'Models',
  supported: 'What is supported',
  design: 'Design your own',
  embed: 'Embed',
  title: (view: string, models: readonly string[]) => `${view}: ${models.join(', ')}, Param Ledger`,
  notLoaded: (view: string, why: string) => `${view} could not be loaded: ${why}`,
  partNotLoaded: (why: string) => `A part of this page could not be loaded: ${why}`,
  again: 'Try again',
};

/** Texts of the card that shares a model as a picture. */
export const card = {
  parameters: 'parameters',
  what: (name: string) => `${name}, as a card`,
  copy: 'Copy picture',
  copyTitle: 'Copy a card of this model as a picture',
  layer: (copies: string) => (copies === '1' ? 'One layer, to scale' : `One of ${copies} layers, to scale`),
};

/** Questions of first-time visitors, with links to views that answer them. */
export const questions = {
  title: 'Questions to start with',
  asked: [
    ['Why is Llama 3 bigger than Llama 2?', '#compare;m=meta-llama/Llama-2-7b-hf;m=meta-llama/Meta-Llama-3-8B'],
    ['Is 37B active right?', '#check?37B%20active;m=deepseek-ai/DeepSeek-V3'],
    ['Does a 70B model fit into 80 GB?', '#memory;m=meta-llama/Llama-3.1-70B'],
    ['Where do 671 billion parameters sit?', '#m=deepseek-ai/DeepSeek-V3'],
    ['How is this number derived?', '#derive;m=meta-llama/Llama-3.1-8B'],
  ] as readonly (readonly [question: string, hash: string])[],
};

export const theme = { label: 'Colours', auto: 'auto', light: 'light', dark: 'dark' };
export const moreCopies = (n: string) => `… and ${n} more, not listed`;
