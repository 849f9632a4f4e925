// Loads the catalogue of the npm package: a module that is imported when a model is first named.

export const loadCatalogueText = async () => (await import('#models-text')).default;
