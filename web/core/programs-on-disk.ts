// The program of the command line: the file beside it. The whole program counts, too; from a disk the smaller one would save nothing.

import core from '#core.wasm';
import { readFile } from 'node:fs/promises';

export const loadFullProgram = () => readFile(new URL(core, import.meta.url));

export const loadCountProgram = loadFullProgram;
