// Node 18 runs no TypeScript: what a test imports from web/ is bundled first, as the one-file page has it.

import { bundle, inlined, output } from '../web/bundles.mjs';

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
  return import(`data:text/javascript;base64,${Buffer.from(output(files, '.js').contents).toString('base64')}`);
}
