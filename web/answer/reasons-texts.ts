// Why terms of the closed formula are there.

export const term = (value: string, share: string, parts: string) => `${value}, ${share} of the model: ${parts}.`;
export const grouped = (keys: string, heads: string, change: string) =>
  `With ${heads} key-value heads instead of ${keys}, one for each query head, the model would have ${change}.`;
export const tied = (change: string) => `Embedding and output head are tied; untied, the model would have ${change}.`;
export const untied = (change: string) => `With embedding and output head tied, the model would have ${change}.`;
export const more = (count: string) => `${count} more parameters`;
export const fewer = (count: string) => `${count} fewer parameters`;
