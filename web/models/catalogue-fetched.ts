// Loads the catalogue of the hosted page from a file next to the script.

import file from '#models.json';

export async function loadCatalogueText(): Promise<string> {
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`The list of models did not arrive: HTTP ${response.status}.`);
  return response.text();
}
