// Texts of the table of models.

/** The label and the meaning of each column. */
export const columns: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  name: ['Model', 'The name of the model.'],
  id: ['Id', 'Its id on the Hub.'],
  publisher: ['Publisher', 'The owner of its repository on the Hub.'],
  type: ['Type', 'The model type.'],
  class: ['Class', 'The class of the model type.'],
  parameters: ['Parameters', 'All parameters; a tied tensor counts once.'],
  active: ['Active', 'Parameters that one token uses.'],
  non_embedding: ['Without embeddings', 'Parameters without embedding tables and output head.'],
  embedding: ['Embedding', 'The share of the parameters in embedding tables.'],
  attention: ['Attention', 'The share of the parameters in attention.'],
  feed_forward: ['Feed-forward', 'The share of the parameters in feed-forward blocks, experts and routers.'],
  in_experts: ['In experts', 'The share of the parameters in routed experts.'],
  layers: ['Layers', 'The number of layers.'],
  width: ['Width', 'The hidden size: the width of the residual stream.'],
  heads: ['Heads', 'Query heads in a layer.'],
  kv_heads: ['Key-value heads', 'Key-value heads in a layer, if the configuration gives them.'],
  experts: ['Experts', 'Routed experts in a layer.'],
  experts_per_token: ['Experts per token', 'Routed experts that one token uses.'],
  vocabulary: ['Vocabulary', 'The number of tokens in the vocabulary.'],
  context: ['Context', 'The context length in the configuration.'],
  released: ['Released', 'The release date according to the linked source: a day, or only a month. Blank if not known.'],
  license: ['License', 'The license on its Hub page or in its repository. Blank if not known.'],
  bytes: ['Bytes', 'Bytes of the weights as published.'],
  cache: ['Cache per token', 'Bytes that each further token adds to the cache, in 16 bits.'],
  operations: ['Operations per token', 'Operations with weights for each token: two per multiply-add.'],
};

export const noColumn = (name: string, near: string | undefined) => `there is no column ${name}${near ? `. Did you mean ${near}?` : ''}`;
export const wantsValue = (column: string, operator: string) => `expected a value after ${column} ${operator}`;
export const wantsNumber = (column: string, value: string) => `${column} is a number, such as 10B or 4096, not ${value}`;
export const wantsShare = (column: string, value: string) => `${column} is a share, such as 20%, not ${value}`;
export const wantsDate = (column: string, value: string) => `${column} is a date, such as 2024 or 2024-07 or 2024-07-23, not ${value}`;
export const wantsEqual = (column: string) => `${column} is text: compare it with :, = or !=`;
export const wantsCondition = 'expected a condition or a word here';
export const open = 'this parenthesis is not closed';
export const stray = 'this closing parenthesis has no opening one';
export const openQuote = 'this quotation does not end';
export const tooDeep = 'too many parentheses';

// Texts of the Models view.

export const title = 'Models';
export const lead = (models: string) => `${models} published models, each counted in your browser.`;
export const where = 'Conditions on models';
export const whereHint = 'qwen active < 10B, type:llama, released >= 2025 …';
export const found = (some: string, all: string) => `${some} of ${all} models`;
export const choose = 'Columns';
export const types = 'All model types, and how each is verified';
export const own = 'yours';
export const visited = 'visited';
export const ownNote = 'Your own models and those that you visited are marked.';
export const compare = (count: string) => (count === '0' ? 'Compare' : `Compare ${count}`);
export const compareTitle = 'Compares the two to four models that are ticked in the table, or the first ones in it';
export const compareFirst = (count: string) => `Compare the first ${count}`;
export const select = (name: string) => `Compare ${name}`;
export const selectHead = 'Compare';
export const sorted = (label: string) => `Sort by ${label}`;
export const picture = 'Picture';
export const shares = 'where the parameters sit';
export const against = (label: string) => `parameters and ${label.toLowerCase()}`;
export const pointsTitle = (label: string) =>
  `Parameters on the horizontal axis, ${label.toLowerCase()} on the vertical axis, both logarithmic. Each publisher with many models has a colour.`;
export const sharesTitle =
  'For each model, in the order of the table: the share of its parameters in embeddings, attention, feed-forward and the rest';
export const drawnFrom = 'The picture shows the models of the table below, which has its numbers.';
export const exported = { csv: 'CSV', markdown: 'Markdown' } as const;
export const copyTitle = (format: string) => `The table as ${format}`;
export const paste = 'Add models of your own';
export const pasteHint = 'One configuration per line: {"id": …, "config": {…}} or the configuration alone';
export const pasted = (counted: string, refused: string) => `${counted} added, ${refused} refused`;
export const tableLabel = 'The models, with their numbers';
export const rest = 'the rest';
export const otherPublishers = 'others';
export const publishers = 'Publishers';
export const completions = 'Columns that conditions compare';
