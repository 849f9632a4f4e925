// How the catalogue reaches the package: in a module of its own, imported when a model is named.

export const loadCatalogueText = async () => (await import('#models-text')).default;
