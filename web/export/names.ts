// Lists the names of all individual tensors of a model, without index ranges.

import { isNotParameter } from '../answer/breakdown.ts';
import { parseName } from '../answer/tensor-names.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';

/** The names of all tensors, except those that only published files contain. It is a generator, because a model may have millions. */
export function* listNames({ tensors }: CountAnswer): Generator<string> {
  for (const row of tensors) if (!isNotParameter(row.kind)) yield* listRowNames(row);
}

/** The names that a row stands for, for example one per layer. The last index varies fastest. */
export function* listRowNames({ name }: Pick<TensorRow, 'name'>): Generator<string> {
  yield* expandPieces(parseName(name), 0, '');
}

function* expandPieces(all: ReturnType<typeof parseName>, at: number, before: string): Generator<string> {
  const piece = all[at];
  if (!piece) yield before;
  else if ('text' in piece) yield* expandPieces(all, at + 1, before + piece.text);
  else for (const [first, last] of piece.runs) for (let i = first; i <= last; i++) yield* expandPieces(all, at + 1, before + i);
}
