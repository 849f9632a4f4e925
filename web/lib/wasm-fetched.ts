// How the wasm reaches the hosted page: as a file beside its script.

import file from 'core-wasm';

export const wasmSource = () => fetch(new URL(file, import.meta.url));
