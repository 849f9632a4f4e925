// The catalogue of the offline file: inside the script, parsed when it is first needed.

import text from '#models-text';

export const loadCatalogueText = () => Promise.resolve(text);
