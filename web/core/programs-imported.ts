// The programs of the package: each in a separate module, which is loaded only by callers that pass no wasm.

import { inflateProgram } from './inflate-program.ts';

export const loadCountProgram = async () => inflateProgram((await import('#count-packed')).default);

export const loadPublishedProgram = async () => inflateProgram((await import('#published-packed')).default);

export const loadFullProgram = async () => inflateProgram((await import('#core-packed')).default);
