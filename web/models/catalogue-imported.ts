// The catalogue of the package: a module that is imported when a model is named.

export const loadCatalogueText = async () => (await import('#models-text')).default;
