// Why terms of the closed formula are there.

export const term = (value: string, share: string, parts: string) => `${value}, ${share} of the model: ${parts}.`;
export const bias = (names: string) => `${names}: biases, one number for each output.`;
export const table = (names: string, rows: string, width: string) =>
  `${names}: a table with ${rows} rows of ${width} numbers, one row for each token or position.`;
export const head = (names: string, rows: string) =>
  `${names}: for each of ${rows} tokens a score, which takes a row as wide as the stream.`;
export const gated = (names: string) =>
  `${names}: three matrices, as the block is gated: two widen, one of them decides how much of the other passes, the third returns to the stream. Without a gate there are two.`;
export const plain = (names: string) => `${names}: one matrix widens, the other returns to the stream.`;
export const experts = (count: string) => `There are ${count} such experts in a layer, of which a token uses a few.`;
export const attention = (names: string, shape: string) => `${names}: matrices of ${shape} between the stream and the heads of attention.`;
export const norm = (names: string) => `${names}: a scale for each number of what is normalised.`;
export const router = (names: string) => `${names}: from the stream a score for each expert.`;
export const other = (names: string, shape: string) => `${names}: ${shape}.`;
export const grouped = (keys: string, heads: string, change: string) =>
  `${keys} heads of keys and values serve ${heads} query heads; with one for each the model would have ${change}.`;
export const tied = (change: string) => `Embedding and head are one table; were they two, the model would have ${change}.`;
export const untied = (change: string) => `Were embedding and head one table, the model would have ${change}.`;
export const more = (count: string) => `${count} parameters more`;
export const fewer = (count: string) => `${count} parameters fewer`;
