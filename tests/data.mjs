// The files of tests/data, unpacked where gzip packed them.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** @param {string} name */
export function dataText(name) {
  const bytes = readFileSync(new URL(`data/${name}`, import.meta.url));
  return String(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

/** A file of cases, each a line of JSON. @param {string} name @returns {any[]} */
export const dataLines = (name) =>
  dataText(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
