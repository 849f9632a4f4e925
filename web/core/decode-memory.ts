// Decodes the answer to `memory` and formats its formulas.

import { parseFormula, formatFormula } from '../answer/formula.ts';
import { decodeSymbols } from './decode-count.ts';
import type { RawFormula, RawMemory } from './raw.ts';
import type { CacheRow, Listing, MemoryAnswer } from '../types/index.ts';

/** Converts the core's answer to its public form. */
export function decodeMemory({ symbols: rows, ...raw }: RawMemory, catalog: Listing): MemoryAnswer {
  const symbols = decodeSymbols(rows, catalog).from;
  const written = (math: RawFormula, writing: 'names' | 'symbols' | 'numbers') =>
    formatFormula(parseFormula(math), symbols, { writing, compact: writing === 'symbols' });
  const { cache } = raw;
  if (!cache.known) return { ...raw, cache };
  const { math, rows: kept, ...sums } = cache;
  return {
    ...raw,
    cache: {
      ...sums,
      rows: kept.map(({ math: own, ...row }): CacheRow => ({
        ...row,
        formula: written(own, 'names'),
        substitution: written(own, 'numbers'),
      })),
      formula: written(math, 'symbols'),
      substitution: written(math, 'numbers'),
    },
  };
}
