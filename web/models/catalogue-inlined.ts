// How the catalogue reaches the offline file: inside the script, read when it is first asked for.

import text from '#models-text';

export const loadCatalogueText = () => Promise.resolve(text);
