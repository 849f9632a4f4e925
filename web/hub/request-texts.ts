// Messages that say why a request to the Hub failed.

export const stopped = 'Stopped.';
export const missing = (id: string) => `The Hub has no public model ${id}.`;
export const closed = (id: string) => `${id} is not public on the Hub: it is gated, private, or does not exist.`;
export const noRevision = (id: string, revision: string) => `${id} has no revision ${revision}.`;
export const changed = (path: string) => `The length of ${path} is not the one in the Hub's list. The file may just have been changed.`;
export const tooMany = 'The Hub received too many requests from here. Try again later.';
export const trouble = (status: number) => `The Hub could not answer the request (HTTP ${status}).`;
