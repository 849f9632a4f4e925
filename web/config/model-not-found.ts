// The error for a name or a link that leads to no model.

/** An unknown name or a damaged link. The message is for the reader. */
export class ModelNotFoundError extends Error {}
