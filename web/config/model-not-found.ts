// What a name or a link does not lead to.

/** An unknown name, or a link that is damaged; its message is for the reader. */
export class ModelNotFoundError extends Error {}
