// The names of all single tensors of a model, as its checkpoint has them.

import { isNotParameter } from '../answer/breakdown.ts';
import { parseName } from '../answer/tensor-names.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';

/** As a generator, because a model may have millions; without what only published files store. */
export function* listNames({ tensors }: CountAnswer): Generator<string> {
  for (const row of tensors) if (!isNotParameter(row.kind)) yield* listRowNames(row);
}

/** The names that a row stands for; the last index varies fastest. */
export function* listRowNames({ name }: Pick<TensorRow, 'name'>): Generator<string> {
  yield* expandPieces(parseName(name), 0, '');
}

function* expandPieces(all: ReturnType<typeof parseName>, at: number, before: string): Generator<string> {
  const piece = all[at];
  if (!piece) yield before;
  else if ('text' in piece) yield* expandPieces(all, at + 1, before + piece.text);
  else for (const [first, last] of piece.runs) for (let i = first; i <= last; i++) yield* expandPieces(all, at + 1, before + i);
}
