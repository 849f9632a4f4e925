// How the programs reach the command line: from the files beside it.

import core from '#core.wasm';
import count from '#count.wasm';
import { readFile } from 'node:fs/promises';

export const countBytes = () => readFile(new URL(count, import.meta.url));

export const wholeBytes = () => readFile(new URL(core, import.meta.url));
