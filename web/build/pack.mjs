// `node web/build/pack.mjs FILE` writes it deflated by zopfli, in base64, to standard output: the same with every version of Node.

import { readFile } from 'node:fs/promises';
import { zlibAsync } from '@gfx/zopfli';

process.stdout.write(Buffer.from(await zlibAsync(await readFile(process.argv[2]), { numiterations: 5 })).toString('base64'));
