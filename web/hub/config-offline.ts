// Replaces `config.ts` in the offline file, which makes no requests. The user has to download config.json instead.

export const fetchConfig = undefined;
