// The error for a name or a link that does not lead to a model.

/** A missing or unknown name, or a link that cannot be read. The message can be shown to the user. */
export class ModelNotFoundError extends Error {}
