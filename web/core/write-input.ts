// The bytes of a question, where the core reads them.

import type { Core } from '#core-glue';

/** Puts these, one after another, into the core's memory. Whichever question follows is about them. */
export function writeInput(core: Core, pieces: readonly Uint8Array[]): void {
  const room = core.room(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    room.set(piece, at);
    at += piece.length;
  }
}

/** Several texts as the pieces of one question: how many, the bytes of each, then they themselves, none within another (wasm/questions.cpp). */
export const packTexts = (...each: readonly Uint8Array[]): readonly Uint8Array[] => [
  new Uint8Array(Uint32Array.of(each.length, ...each.map(({ length }) => length)).buffer),
  ...each,
];
