// Reads the full program of the command line from a file next to the script. The smaller programs are not used, because they would save
// nothing on disk.

import core from '#core.wasm';
import { readFile } from 'node:fs/promises';

export const loadFullProgram = () => readFile(new URL(core, import.meta.url));

export const loadCountProgram = loadFullProgram;

export const loadPublishedProgram = loadFullProgram;
