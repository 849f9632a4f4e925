// How the catalogue reaches the offline file: inside the script, read when it is first asked for.

import text from 'catalogue-json';

export const catalogueText = () => Promise.resolve(text);
