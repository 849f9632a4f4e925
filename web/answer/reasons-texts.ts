// Why terms of the closed formula are there.

export const term = (value: string, share: string, parts: string) => `${value}, ${share} of the model: ${parts}.`;
