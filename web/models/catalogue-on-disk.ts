// Loads the catalogue of the command line from a file next to the script.

import file from '#models.json';
import { readFile } from 'node:fs/promises';

export const loadCatalogueText = () => readFile(new URL(file, import.meta.url), 'utf8');
