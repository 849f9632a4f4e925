// The widget's script without what only the page needs: the questions that it does not ask.

import { join } from 'node:path';
import { build } from 'esbuild';
import { given } from '../bundles.mjs';

/** What stands for functions that nothing in the widget calls. @param {string[]} names */
const uncalled = (...names) => names.map((name) => `export const ${name} = undefined;`).join(' ');

/** How each model type is verified, the questions that the widget does not ask, and the strip that edits the kinds of many layers. */
const unwanted = [
  given({ verified: () => 'export default new Proxy({}, { get: () => [[], 0] });' }),
  instead(/lib\/inputs\/request\.ts$/, uncalled('filesOf', 'readRequest', 'readingOf')),
  instead(/lib\/core\/memory-answer\.ts$/, uncalled('memoryRequest', 'memoryAnswer')),
  instead(/parts\/layer-strip\.tsx$/, 'export const LayerStrip = () => null;'),
];

/** @param {import('esbuild').BuildOptions} options */
export async function frugal(options) {
  const { outputFiles } = await build({ ...options, plugins: [...unwanted, ...(options.plugins ?? [])] });
  return outputFiles ?? [];
}

/** A module in the place of another. @param {RegExp} filter @param {string} contents @returns {import('esbuild').Plugin} */
function instead(filter, contents) {
  return {
    name: `instead of ${filter}`,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({ contents, loader: 'ts', resolveDir: join(path, '..') }));
    },
  };
}
