// Texts for the captions of the pictures.

export const hint = 'Point at, tap or Tab to a part to see what it is and why it has this size.';
export const one = (name: string, product: string, total: string, share: string) => `${name}, ${product} = ${total}, ${share}.`;
export const several = (name: string, total: string, share: string) => `${name}, ${total}, ${share}.`;
