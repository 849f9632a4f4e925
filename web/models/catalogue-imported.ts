// Loads the catalogue of the npm package: a module that is imported when the catalogue is first needed.

export const loadCatalogueText = async () => (await import('#models-text')).default;
