// Replaces `files.ts` in the offline file, which makes no requests.

export const verifyOnHub = undefined;
