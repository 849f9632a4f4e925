// Texts of the lessons that are generated from a derivation.

import { grouped } from '../support/numbers.ts';
import type { Count, DerivedStep } from '../types/index.ts';

export const title = (name: string) => `Count ${name} by hand`;
export const lead = 'Made from this model’s own derivation. You compute each number before you see it.';

export const fieldsTitle = 'What the file says';
export const fieldsSays =
  'Some fields of the configuration are dimensions of tensors. The others say how the model computes, and no tensor depends on them.';
export const fieldsAsks = 'Which of these fields change the number of parameters?';
export const fieldsHint = 'For each field, ask whether some tensor has that many rows or columns.';
export const fieldsReveals = 'The next screens show where each dimension appears.';
export const counts = (meaning: string) => meaning || 'Some tensor has this dimension.';
export const countsNot = (reason: string) => reason || 'No tensor has a dimension that depends on it.';

/** The question for each kind of step. */
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
/** States a step's share of the model, including all of its layers. */
export const shareOf = (step: DerivedStep) =>
  isInLayer(step)
    ? `In all ${grouped(step.copies as Count)} layers together that is {${step.name} * ${step.copies} / parameters|percent} of the model.`
    : `That is {${step.name} / parameters|percent} of the model.`;
export const exact = 'Exact, to the last parameter.';
export const lines = (parts: string) => `${parts}.`;
export const adds = (parts: string) => `It adds up: ${parts}.`;
export const part = (title: string, name: string) => `${lineName(title)} {${name}}`;
/** Removes the kind of a norm from a reason that gives two possible kinds. */
export const unnamedNorm = (why: string) => why.replace(': RMSNorm, or LayerNorm without bias.', '.');
export const copies = (n: string) => `There are ${n} such layers.`;
export const addLines = 'Add the lines of your ledger.';
/** The hint for each kind of step that is not just a sum of lines. */
export const hints: Readonly<Record<string, string>> = {
  layers: 'Multiply the parameters of each kind of layer by the number of its layers.',
  active: 'Subtract the inactive experts.',
};

/** Whether a lesson asks for a step's size in one of several layers. */
export const isInLayer = ({ copies, layers }: DerivedStep) => layers !== undefined && copies !== undefined && copies !== '1';

/** The name of a line in the learner's ledger, without "in a layer" or "in one copy". */
export const lineName = (says: string) => says.replace(/, in (a layer|one copy)$/, '');

export const wrong = {
  either: (names: readonly string[]) =>
    names.length > 3
      ? `one of ${names.slice(0, 3).join(', ')} …`
      : names.length > 1
        ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
        : names[0],
  forgot: (name: string) => `You left out ${name}.`,
  alone: (name: string) => `That is only ${name}. This part has more.`,
  allLayers: (n: string) => `That is all ${n} layers. The question is about one.`,
  oneHead: (n: string) => `That is one of ${n} heads. They stand side by side in each matrix.`,
  oneExpert: (experts: string) => `That is one expert. A layer has ${experts}.`,
  allParameters: 'Those are all parameters. A token does not use all experts.',
  idle: 'Those are the inactive experts. Subtract them from all parameters.',
  idleAdded: 'The inactive experts are subtracted, not added.',
  shareOfModel: 'This takes a share of the whole model. Only the experts are reduced.',
  allExpertsAway: (active: string) => `This subtracts all experts. A token uses ${active} in a layer.`,
  allExperts: (experts: string) => `That is all ${experts} experts of a layer.`,
  idleExperts: 'Those are the experts that the token does not use.',
  oneOfUsed: (active: string) => `That is one expert. A token uses ${active} in a layer.`,
  usedExperts: (active: string, experts: string) => `Those are the ${active} experts that a token uses. The layer has ${experts}.`,
  asQueries: 'This gives each query head keys and values of its own. Here several query heads share them.',
  fourTimes: (inner: string) => `This takes four times the hidden dimension for the inner one, which is ${inner}.`,
  squares: (inner: string) => `This takes square matrices. One side of each is ${inner}.`,
  biases: 'You counted biases. There are none here.',
  rows: (columns: string) => `That is the number of rows. Each has ${columns} entries.`,
  columns: (rows: string) => `That is one row. There are ${rows}.`,
  added: 'Rows and columns are multiplied, not added.',
  square: (rows: string) => `That is a square matrix. This one has ${rows} rows.`,
  onceTable: 'The model has this matrix once, not in each layer.',
  onceNorm: 'The model has this norm once, not in each layer.',
  perDimension: 'A norm has a scale for each dimension, not a single one.',
  vectorSquare: 'That is a square matrix. A norm is a vector: it scales each dimension by itself.',
  shift: 'That is a scale and a shift. RMSNorm has only a scale.',
  noShift: 'That is only the scale. LayerNorm also has a shift.',
  oneLayer: (n: string) => `That is one layer. There are ${n}.`,
  oneMore: 'That is one layer too many.',
  oneLess: 'That is one layer too few.',
  missingLine: (line: string) => `The line “${line}” is missing.`,
  missingInLayers: (line: string) => `The line “${line}” is missing in each layer.`,
  lineTwice: (line: string) => `The line “${line}” is counted twice.`,
  lineTooMuch: (line: string) => `The line “${line}” does not belong to this sum.`,
  twice: 'That is twice as much. Is something counted twice?',
  half: 'That is half of it. Is a matrix or a part missing?',
  wholeModel: 'That is the whole model. The question is about a part of it.',
  wholeOther: 'That is the whole of the other model. The question is about the difference.',
  triple: 'That is three times as much.',
  quarter: 'That is a quarter of it.',
};

export const nothingTitle = 'What adds nothing';
export const nothingSays = 'Not every operation of a model has parameters.';
export const nothingAsks = 'Which of these have parameters?';
export const hasParameters = (name: string) => `It has {${name}} parameters.`;
export const nothingHint = 'A fixed function has nothing to learn.';
export const nothingReveals = 'Computations without learned values add nothing to the files.';

export const largestTitle = 'Where most parameters are';
export const largestSays = 'Compare the lines of your ledger, over all layers.';
export const largestAsks = 'Which part has the most parameters?';
export const largestHint = 'Multiply each line of a layer by the number of layers.';
export const largestReveals = (name: string, expression: string) =>
  `${name}: {${expression}} parameters, {(${expression}) / parameters|percent} of the model.`;
export const largestBecause = (expression: string) => `It has {${expression}}, {(${expression}) / parameters|percent} of the model.`;

export const unusual = {
  title: (what: string) => `What is unusual: ${what}`,
  latent: {
    what: 'latent attention',
    key: 'the rotary key',
    latent: 'the latent',
    says: (rank: string, rope: string) =>
      `The cache keeps a latent of ${rank} dimensions and a rotary key of ${rope} for each token, instead of keys and values of all heads.`,
    asks: 'How many numbers does the cache keep for one token in one layer?',
    hint: 'Add the widths of the latent and of the rotary key.',
    once: 'Keys and values come from one latent. It is kept once.',
    reveals: 'Every head computes its keys and values from the latent.',
  },
  experts: {
    what: 'a token uses only some of the experts',
    says: (active: string, experts: string) => `A layer has ${experts} experts, and the router sends each token to ${active} of them.`,
    asks: 'How many parameters of these experts does a token use in one layer?',
    hint: 'Take the share of the experts that are used.',
    reveals: 'Memory grows with all experts. The operations for a token grow only with the experts that it uses.',
  },
  mixer: {
    says: (name: string, value: string, copies: string) =>
      `${copies} layers have ${name} instead of attention over all tokens, with ${value} parameters in a layer.`,
    asks: 'How many parameters does it have in all of these layers together?',
    hint: 'Multiply the number of one layer by the number of these layers.',
    reveals: 'It keeps a state of fixed size, instead of keys and values of each token.',
  },
  queryNorm: {
    what: 'queries and keys are normalised',
    says: (width: string) => `Queries and keys each pass through a norm of ${width} dimensions before the scores are computed.`,
    asks: 'How many parameters do these norms have in all of these layers together?',
    hint: 'One scale per dimension for the queries and one for the keys, in each layer.',
    one: 'That is the norm of the queries or that of the keys. There are both.',
    reveals: 'These norms add few parameters, and keep the attention scores from growing in training.',
  },
  norms: {
    what: 'more than two norms in a layer',
    says: (n: string) => `A layer has ${n} norms: before its blocks and after them.`,
    asks: 'How many parameters do the norms of all of these layers have together?',
    hint: 'Multiply the norms of one layer by the number of layers.',
    two: 'That is two norms in each layer, as most models have.',
    reveals: 'The norms after the blocks keep what is added to the residual stream small.',
  },
  positions: {
    what: 'positions are learned',
    says: (rows: string, width: string) =>
      `Each of ${rows} positions has a learned vector of ${width} dimensions, which is added to that of the token.`,
    asks: 'How many parameters does the table of positions have?',
    hint: 'It has a row for each position.',
    pairs: 'Attention compares all pairs of positions, but no parameter belongs to a pair.',
    reveals: 'So here the context length is in the formula.',
  },
  biases: {
    what: 'biases in attention',
    says: (names: string) => `Projections of attention have biases: ${names}. Many newer models have none.`,
    asks: 'How many parameters do these biases have in all of these layers together?',
    hint: 'A bias has one value for each output of its projection.',
    reveals: 'Biases have few parameters compared with the matrices.',
  },
  tied: {
    what: 'the head is tied',
    says: 'The output head is the embedding table again, so it is counted once.',
    asks: 'How many more parameters would the model have with a separate head?',
    hint: 'As many as the table of token embeddings.',
    both: 'The model already has the embedding. Only the head would be added.',
    reveals: 'Tying saves most where the vocabulary is large and the model small.',
  },
  untied: {
    what: 'the head is not tied',
    says: 'The output head is a matrix of its own, with the shape of the embedding. In many small models the two are one.',
    asks: 'How many fewer parameters would the model have with a tied head?',
    hint: 'As many as the head has.',
    both: 'The embedding would remain. Only the head would be removed.',
    reveals: 'In a large model the head is a small part, and a matrix of its own is worth it.',
  },
  grouped: {
    what: 'query heads share keys and values',
    says: (kv: string, heads: string) => `${heads} query heads share ${kv} ${kv === '1' ? 'head' : 'heads'} of keys and values.`,
    asks: 'How many more parameters would the model have if each query head had its own?',
    hint: 'Count the key and value matrices with as many heads as the queries have.',
    one: 'That is the keys or the values. Both would grow.',
    reveals: 'Sharing makes the cache smaller. Fewer parameters are a side effect.',
  },
  deeper: {
    what: 'nothing',
    says: 'This model has no unusual parts. Only its sizes are its own.',
    asks: 'How many parameters would one more layer add?',
    hint: 'As many as one layer has.',
    reveals: 'Each further layer adds as much as the one before.',
  },
};
