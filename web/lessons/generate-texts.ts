// What a lesson made from a derivation says.

export const title = (name: string) => `Count ${name} by hand`;
export const lead = 'Made from this model’s own derivation. Each number is asked before it is shown.';

export const fieldsTitle = 'What the file says';
export const fieldsSays =
  'Some fields of the configuration are dimensions of tensors. The others say how the model computes, and no tensor depends on them.';
export const fieldsAsks = 'Which of these fields change the number of parameters?';
export const fieldsHint = 'Ask of each field: does some tensor have that many rows or columns?';
export const fieldsReveals = 'The screens that follow show where each dimension stands.';
export const counts = (meaning: string) => meaning || 'Some tensor has this dimension.';
export const countsNot = (reason: string) => reason || 'No tensor has a dimension that depends on it.';

/** By the kind of step. */
export const asks: Readonly<Record<string, string>> = {
  part: 'How many parameters does this part have?',
  inLayer: 'How many parameters does this part have in one layer?',
  layer: 'How many parameters does one such layer have?',
  layers: 'How many parameters do all of these layers have?',
  section: 'How many parameters does all of this have?',
  subtotal: 'What does this sum come to?',
  total: 'How many parameters does the model have?',
  active: 'How many parameters does a token use?',
};
export const plain = 'Multiply the dimensions of each tensor and add.';
export const formula = (text: string) => `The formula is ${text}.`;
export const shapes = (list: string) => `The tensors: ${list}.`;
export const shareOf = (expression: string) => `That is {(${expression}) / parameters|percent} of the model.`;
export const adds = (parts: string) => `Its parts: ${parts}.`;
export const part = (title: string, name: string) => `${title.replace(/, in (a layer|one copy)$/, '')} {${name}}`;
export const exact = 'To the last parameter.';
/** Where a norm is not known to be one or the other, neither is named. */
export const unnamedNorm = (why: string) => why.replace(': RMSNorm, or LayerNorm without bias.', '.');
export const copies = (n: string) => `There are ${n} such layers.`;
export const bookedLayer = 'Add the lines of your ledger.';
export const total = 'All of the model is the sum of what you have computed.';

export const either = (names: readonly string[]) => (names.length > 3 ? `one of ${names.slice(0, 3).join(', ')} …` : names.join(' or '));

export const wrong = {
  forgot: (name: string) => `You left out ${name}.`,
  alone: (name: string) => `This is ${name} alone. There is more in this step.`,
  allLayers: (n: string) => `These are all ${n} layers. Asked is one.`,
  oneExpert: (experts: string) => `This is one expert. A layer has ${experts}.`,
  allParameters: 'These are all parameters. Some experts are inactive.',
  allExperts: (experts: string) => `These are all ${experts} experts of a layer.`,
  oneOfUsed: (active: string) => `This is one expert. A token uses ${active} in a layer.`,
  usedExperts: (active: string, experts: string) => `These are the ${active} experts that a token uses. The layer has ${experts}.`,
  asQueries: 'This gives each query head keys and values of its own. Here several query heads share them.',
  twice: 'This counts everything twice.',
  rows: (columns: string) => `These are the rows alone. Each has ${columns} entries.`,
  columns: (rows: string) => `This is one row. There are ${rows}.`,
  added: 'Dimensions are multiplied, not added.',
  square: 'This is a square matrix. The two sides differ here.',
  vectorSquare: 'This is a vector, not a matrix.',
  oneLayer: 'This is one layer. The model has more.',
  oneMore: 'This is one layer too many.',
  oneLess: 'This is one layer too few.',
  half: 'This is half of it. Is a matrix or a part missing?',
  wholeModel: 'This is the whole model. Asked is a part of it.',
  sumTwice: (name: string) => `You counted ${name} twice.`,
  again: (name: string) => `You added ${name}. It is not in this step.`,
  quarter: 'This is a quarter of it.',
  triple: 'This is three times as much.',
};

export const nothingTitle = 'What adds nothing';
export const nothingSays = 'A model also computes what has no parameters.';
export const nothingAsks = 'Which of these have parameters?';
export const hasParameters = (name: string) => `It has {${name}} parameters.`;
export const nothingHint = 'A fixed function learns nothing.';

export const largestTitle = 'Where most parameters are';
export const largestSays = 'Compare the lines of your ledger, over all layers.';
export const largestAsks = 'Which part has the most parameters?';
export const largestHint = 'Multiply what stands in a layer by the number of layers.';
export const largestBecause = (expression: string) => `It has {${expression}}, {(${expression}) / parameters|percent} of the model.`;

export const unusual = {
  title: (what: string) => `What is unusual: ${what}`,
  latent: {
    what: 'the latent',
    says: 'The cache keeps one latent vector and one rotary key for each token, instead of keys and values of all heads.',
    asks: 'How many numbers does the cache keep for one token in one layer?',
    hint: 'The widths of the latent and of the rotary key.',
    reveals: 'All heads compute their keys and values from these.',
  },
  experts: {
    what: 'a token uses some of the experts',
    says: (active: string, experts: string) => `A layer has ${experts} experts, and the router sends a token to ${active} of them.`,
    asks: 'How many parameters of the routed experts does a token use in one layer?',
    hint: 'Take the share that is used.',
    reveals: 'Memory goes with all experts, operations with those that are used.',
  },
  mixer: {
    what: (name: string) => lower(name),
    says: (name: string) => `${name} stands where other models have attention alone.`,
    asks: 'How many parameters is this in all of these layers together?',
    hint: 'The number of one layer, times the layers.',
    reveals: 'It keeps a state of fixed size instead of keys and values for each token.',
  },
  queryNorm: {
    what: 'queries and keys are normalised',
    says: 'Each head’s queries and keys pass a norm of their own before the scores.',
    asks: 'How many parameters have these norms in all of these layers together?',
    hint: 'One scale per dimension for the queries and one for the keys, in each layer.',
    reveals: 'They are few. They keep the scores from growing in training.',
  },
  norms: {
    what: 'more than two norms in a layer',
    says: (n: string) => `A layer has ${n} norms: before and after its blocks.`,
    asks: 'How many parameters have the norms of all of these layers together?',
    hint: 'The norms of one layer, times the layers.',
    reveals: 'The norms behind the blocks keep what is added to the residual stream small.',
  },
  positions: {
    what: 'positions are learned',
    says: 'Each position has a learned vector, which is added to that of the token.',
    asks: 'How many parameters has the table of positions?',
    hint: 'A row for each position.',
    reveals: 'So the context length stands in the formula here.',
  },
  biases: {
    what: 'biases in attention',
    says: 'The projections of attention have biases. Many newer models have none.',
    asks: 'How many parameters are these biases in all of these layers together?',
    hint: 'One value per output of each projection that has a bias.',
    reveals: 'They are few beside the matrices.',
  },
  tied: {
    what: 'the head is tied',
    says: 'The output head is the embedding table again, so it is counted once.',
    asks: 'How many more parameters would a head of its own add?',
    hint: 'As many as the embedding table of the tokens.',
    reveals: 'Tying saves most where the vocabulary is large and the model small.',
  },
  grouped: {
    what: 'query heads share keys and values',
    says: (kv: string, heads: string) => `${heads} query heads share ${kv} ${kv === '1' ? 'head' : 'heads'} of keys and values.`,
    asks: 'How many more parameters would the model have if each query head had its own?',
    hint: 'Count the key and value matrices with as many heads as the queries have.',
    reveals: 'Sharing makes the cache smaller. Fewer parameters come with it.',
  },
  deeper: {
    what: 'nothing, so make it deeper',
    says: 'This model has the plain form of its kind.',
    asks: 'How many parameters would one further layer add?',
    hint: 'What one layer has.',
    reveals: 'Depth costs in proportion: each layer as much as the one before.',
  },
};

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
