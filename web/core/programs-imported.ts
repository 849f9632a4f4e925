// How the programs reach the package: each in a module of its own, which only those load who hand in no wasm themselves.

import { inflateProgram } from './inflate-program.ts';

export const loadCountProgram = async () => inflateProgram((await import('#count-packed')).default);

export const loadFullProgram = async () => inflateProgram((await import('#core-packed')).default);
