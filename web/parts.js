// The parts of a model in words. Their order is the core's, their colours are the style sheet's (`--part-…`).

/** @typedef {import('./types').Part} Part */

/** @type {Record<Part, string>} */
const LABELS = {
  embedding: 'Embedding',
  attention: 'Attention',
  state_space: 'State space',
  feed_forward: 'Feed-forward',
  router: 'Router',
  adapter: 'Adapter',
  norm: 'Norm',
  output_head: 'Output head',
};

/** @param {Part} part */
export const partLabel = (part) => LABELS[part] ?? part;
