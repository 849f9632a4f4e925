// Loads the WebAssembly programs of the npm package. Each is in a separate module, which is imported only if it is needed and the
// caller passes no `wasm`.

import { inflateProgram } from './inflate-program.ts';

export const loadCountProgram = async () => inflateProgram((await import('#count-packed')).default);

export const loadPublishedProgram = async () => inflateProgram((await import('#published-packed')).default);

export const loadFullProgram = async () => inflateProgram((await import('#core-packed')).default);
