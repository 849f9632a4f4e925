// The text that states the value of a term of the closed formula, its share of the model and the parts that it counts.

export const term = (value: string, share: string, parts: string) => `${value}, ${share} of the model: ${parts}.`;
