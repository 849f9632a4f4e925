// Reads the full program of the command line from a file next to the script. The smaller programs would save no time when read from disk,
// so they are not used.

import core from '#core.wasm';
import { readFile } from 'node:fs/promises';

export const loadFullProgram = () => readFile(new URL(core, import.meta.url));

export const loadCountProgram = loadFullProgram;

export const loadPublishedProgram = loadFullProgram;
