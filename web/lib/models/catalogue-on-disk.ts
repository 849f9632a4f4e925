// How the catalogue reaches the command line: from the file beside it.

import { readFile } from 'node:fs/promises';

export const catalogueText = () => readFile(new URL('models.json', import.meta.url), 'utf8');
