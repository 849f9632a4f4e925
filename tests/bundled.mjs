// Node 18 runs no TypeScript: what a test imports from web/ is bundled first, as the one-file page has it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, inlined, output } from '../web/bundles.mjs';
import { temporaryFolder } from './folder.mjs';

const folder = temporaryFolder();

/** @type {Map<string, Promise<any>>} */
const bundles = new Map();

/** The exports of a module of web/, e.g. `lib/format.ts`. @param {string} path */
export function bundled(path) {
  const known = bundles.get(path) ?? made(path);
  bundles.set(path, known);
  return known;
}

/** @param {string} path */
async function made(path) {
  const files = await bundle({ ...inlined, entryPoints: [path], format: 'esm', minify: false });
  const name = join(folder, `${path.replace(/\W/g, '-')}.mjs`);
  writeFileSync(name, output(files, '.js').contents);
  return import(pathToFileURL(name).href);
}
