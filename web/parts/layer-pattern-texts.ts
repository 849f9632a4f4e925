// What is said of a pattern of layers.

export const label = (name: string) => `${name} as a pattern`;
export const title = 'Letters of the kinds, repeated over all layers';
export const hint = ([one, other]: readonly string[]) => `pattern, as ${one}${one}${other}`;
export const noKind = (letter: string, kinds: string) => `${letter} is no kind of layer: ${kinds}`;
