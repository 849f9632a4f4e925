// Texts for the pattern of layer kinds.

export const label = (name: string) => `${name} as a pattern`;
export const title = 'One letter per layer. The pattern repeats until every layer has a letter.';
export const hint = ([one, other]: readonly string[]) => `pattern, such as ${one}${one}${other}`;
export const noKind = (letter: string, kinds: string) => `${letter} is not a kind of layer. The kinds are: ${kinds}`;
export const legend = (name: string) => `Letters of ${name}`;
export const append = (kind: string) => `Adds ${kind} to the pattern`;
