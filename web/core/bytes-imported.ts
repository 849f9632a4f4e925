// How the programs reach the package: each in a module of its own, which only those load who hand in no wasm themselves.

import { unpacked } from './inflate.ts';

export const countBytes = async () => unpacked((await import('#count-packed')).default);

export const wholeBytes = async () => unpacked((await import('#core-packed')).default);
