// Loads the WebAssembly programs of the hosted page and of the widget from files next to the script.

import core from '#core.wasm';
import count from '#count.wasm';
import published from '#published.wasm';

/** The request for the counting program, if early-fetched.ts has already made it. */
const { countFetched } = globalThis as { readonly countFetched?: Promise<Response> };

export const loadCountProgram = () => countFetched ?? fetch(new URL(count, import.meta.url));

export const loadPublishedProgram = () => fetch(new URL(published, import.meta.url));

export const loadFullProgram = () => fetch(new URL(core, import.meta.url));
