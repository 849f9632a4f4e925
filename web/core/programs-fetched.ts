// How the programs reach the hosted page and the widget: as files beside the script.

import core from '#core.wasm';
import count from '#count.wasm';

/** What the page asked for as it began: see build.mjs. */
const { countFetched } = globalThis as { readonly countFetched?: Promise<Response> };

export const loadCountProgram = () => countFetched ?? fetch(new URL(count, import.meta.url));

export const loadFullProgram = () => fetch(new URL(core, import.meta.url));
