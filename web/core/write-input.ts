// Writes the input of a question into the core's memory.

import type { Core } from '#core-glue';

/** Writes the pieces one after another, as the input of the core's next answer. */
export function writeInput(core: Core, pieces: readonly Uint8Array[]): void {
  const room = core.room(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    room.set(piece, at);
    at += piece.length;
  }
}

/** Packs several texts as the input of one question: their number, the size of each, then the texts (decoded in wasm/texts.hpp). */
export const packTexts = (...each: readonly Uint8Array[]): readonly Uint8Array[] => [
  new Uint8Array(Uint32Array.of(each.length, ...each.map(({ length }) => length)).buffer),
  ...each,
];
