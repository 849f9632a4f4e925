// Replaces `files.ts` in the offline file, which makes no request.

export const verifyOnHub = undefined;
