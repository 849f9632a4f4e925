// Replaces `config.ts` in the offline file, which makes no request: its reader fetches the file.

export const fetchConfig = undefined;
