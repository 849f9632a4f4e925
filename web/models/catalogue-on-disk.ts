// The catalogue of the command line: a file next to it.

import file from '#models.json';
import { readFile } from 'node:fs/promises';

export const loadCatalogueText = () => readFile(new URL(file, import.meta.url), 'utf8');
