// Texts that explain the terms of the closed formula.

export const term = (value: string, share: string, parts: string) => `${value}, ${share} of the model: ${parts}.`;
