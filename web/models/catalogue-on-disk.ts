// How the catalogue reaches the command line: from the file beside it.

import file from '#models.json';
import { readFile } from 'node:fs/promises';

export const loadCatalogueText = () => readFile(new URL(file, import.meta.url), 'utf8');
