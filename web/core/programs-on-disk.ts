// How the program reaches the command line: from the file beside it. The whole one counts, too: nothing is saved by a smaller.

import core from '#core.wasm';
import { readFile } from 'node:fs/promises';

export const loadFullProgram = () => readFile(new URL(core, import.meta.url));

export const loadCountProgram = loadFullProgram;
