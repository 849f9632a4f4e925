// The error for a name or a link that does not lead to a model.

/** An unknown name or a damaged link. The message can be shown to the user. */
export class ModelNotFoundError extends Error {}
