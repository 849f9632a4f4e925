// Loads the catalogue of the offline file: it is part of the script and parsed when it is first needed.

import text from '#models-text';

export const loadCatalogueText = () => Promise.resolve(text);
