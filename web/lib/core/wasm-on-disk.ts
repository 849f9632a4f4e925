// How the wasm reaches the command line: from the file beside it.

import { readFile } from 'node:fs/promises';

export const wasmSource = () => readFile(new URL('core.wasm', import.meta.url));
