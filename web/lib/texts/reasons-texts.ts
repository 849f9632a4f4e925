// Why terms of the closed formula are there.

export const reasonsTexts = {
  term: (value: string, share: string, parts: string) => `${value}, ${share} of the model: ${parts}.`,
  bias: (names: string) => `${names}: biases, one number for each output.`,
  table: (names: string, rows: string, width: string) =>
    `${names}: a table with ${rows} rows of ${width} numbers, one row for each token or position.`,
  head: (names: string, rows: string) => `${names}: for each of ${rows} tokens a score, which takes a row as wide as the stream.`,
  gated: (names: string) =>
    `${names}: three matrices, as the block is gated: two widen, one of them decides how much of the other passes, the third returns to the stream. Without a gate there are two.`,
  plain: (names: string) => `${names}: one matrix widens, the other returns to the stream.`,
  experts: (count: string) => `There are ${count} such experts in a layer, of which a token uses a few.`,
  attention: (names: string, shape: string) => `${names}: matrices of ${shape} between the stream and the heads of attention.`,
  norm: (names: string) => `${names}: a scale for each number of what is normalised.`,
  router: (names: string) => `${names}: from the stream a score for each expert.`,
  other: (names: string, shape: string) => `${names}: ${shape}.`,
  grouped: (keys: string, heads: string, change: string) =>
    `${keys} heads of keys and values serve ${heads} query heads; with one for each the model would have ${change}.`,
  tied: (change: string) => `Embedding and head are one table; were they two, the model would have ${change}.`,
  untied: (change: string) => `Were embedding and head one table, the model would have ${change}.`,
  more: (count: string) => `${count} parameters more`,
  fewer: (count: string) => `${count} parameters fewer`,
};
