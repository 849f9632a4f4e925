// The words of the table of models.

/** Of each column, what stands above it and what it says. */
export const columns: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  name: ['Model', 'The name of the model.'],
  id: ['Id', 'Its id on the Hub.'],
  publisher: ['Publisher', 'Who publishes it there.'],
  type: ['Type', 'The model type.'],
  class: ['Class', 'The class of the model type.'],
  parameters: ['Parameters', 'All parameters, tied ones once.'],
  active: ['Active', 'Parameters that one token uses.'],
  non_embedding: ['Without embeddings', 'Parameters without embedding tables and output head.'],
  embedding: ['Embedding', 'The share of embedding tables.'],
  attention: ['Attention', 'The share of attention.'],
  feed_forward: ['Feed-forward', 'The share of feed-forward blocks, experts and routers.'],
  in_experts: ['In experts', 'The share of experts of which a token uses some.'],
  layers: ['Layers', 'How many layers.'],
  width: ['Width', 'The width of the model.'],
  heads: ['Heads', 'Heads of queries in a layer.'],
  kv_heads: ['Key-value heads', 'Heads of keys and values, where the configuration says that.'],
  experts: ['Experts', 'Experts in a layer, without shared ones.'],
  experts_per_token: ['Experts per token', 'Of these, what one token is routed to.'],
  vocabulary: ['Vocabulary', 'Tokens that there are.'],
  context: ['Context', 'Tokens that it is made for, as its configuration says.'],
  bytes: ['Bytes', 'Bytes of the weights as published.'],
  cache: ['Cache per token', 'Bytes that each further token keeps in the cache, in 16 bits.'],
  operations: ['Operations per token', 'Operations with weights for each token, two for each multiply-add.'],
};

export const noColumn = (name: string, near: string | undefined) => `there is no column ${name}${near ? `: perhaps ${near}?` : ''}`;
export const wantsValue = (column: string, operator: string) => `a value is wanted behind ${column} ${operator}`;
export const wantsNumber = (column: string, value: string) => `${column} is a number, as 10B or 4096, not ${value}`;
export const wantsShare = (column: string, value: string) => `${column} is a share, as 20%, not ${value}`;
export const wantsEqual = (column: string) => `${column} is a word, which is found by : or = or !=`;
export const wantsCondition = 'a condition or a word is wanted here';
export const open = 'this parenthesis is not closed';
export const stray = 'this parenthesis closes none';
export const openQuote = 'this quotation does not end';
export const tooDeep = 'too many parentheses';
