// Loads the catalogue of the hosted page and of the widget from a file next to the script.

import file from '#models.json';

/** The response to the request that early-fetched.ts has made, if it made one. */
let { catalogueFetched } = globalThis as { catalogueFetched?: Promise<Response> };

export async function loadCatalogueText(): Promise<string> {
  const request = catalogueFetched ?? fetch(new URL(file, import.meta.url));
  catalogueFetched = undefined; // a response can be read only once, and after a failure the next call makes a new request
  const response = await request;
  if (!response.ok) throw new Error(`The list of models could not be fetched: HTTP ${response.status}.`);
  return response.text();
}
