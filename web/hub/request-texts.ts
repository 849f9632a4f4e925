// Why a request to the Hub failed.

export const stopped = 'Stopped: nothing more is read.';
export const missing = (id: string) => `The Hub knows no public model ${id}.`;
export const closed = (id: string) => `The Hub does not show ${id} to everybody: it is gated, private, or not there.`;
export const noRevision = (id: string, revision: string) => `${id} has no revision ${revision}.`;
export const changed = (path: string) => `${path} is not as long as the Hub's list says: it may just have changed.`;
export const tooMany = 'The Hub had too many requests from here: try again in a while.';
export const trouble = (status: number) => `The Hub has trouble of its own: HTTP ${status}.`;
