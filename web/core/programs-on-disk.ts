// The program of the command line: a file next to it. The full program also counts; from a disk the small one would save nothing.

import core from '#core.wasm';
import { readFile } from 'node:fs/promises';

export const loadFullProgram = () => readFile(new URL(core, import.meta.url));

export const loadCountProgram = loadFullProgram;

export const loadPublishedProgram = loadFullProgram;
