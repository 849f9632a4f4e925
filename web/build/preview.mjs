// Draws the preview picture that messengers and social networks show for a link to the page: the card of the first model, as a PNG. The
// fonts are bundled, so that every build draws an identical picture.

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
