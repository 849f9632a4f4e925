// Reads files of tests/data and decompresses them if they are gzipped.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** @param {string} name */
export function dataText(name) {
  const bytes = readFileSync(new URL(`data/${name}`, import.meta.url));
  return String(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

/** Reads a file with one JSON value per line. @param {string} name @returns {any[]} */
export const dataLines = (name) =>
  dataText(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
