// The picture that messengers and networks show next to a link to the page: the first model's card, as a PNG. Its fonts are bundled, so
// that every build draws the same.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const { resolve } = createRequire(import.meta.url);
const bytes = (/** @type {string} */ path) => readFile(resolve(path));

/** @param {string} svg */
export async function preview(svg) {
  await initWasm(await bytes('@resvg/resvg-wasm/index_bg.wasm'));
  const fontBuffers = await Promise.all(['DejaVuSans', 'DejaVuSans-Bold'].map((name) => bytes(`dejavu-fonts-ttf/ttf/${name}.ttf`)));
  return new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' } }).render().asPng();
}
