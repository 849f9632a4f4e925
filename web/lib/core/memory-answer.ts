// What a model takes: the request as the core reads it, and its answer with formulas written out.

import { formulaOf, formulaText } from '../answer/formula.ts';
import { configBytes, requestBegin } from './config-bytes.ts';
import type { RawFormula, RawMemory } from './raw.ts';
import type { CacheRow, MemoryAnswer, MemoryOptions, SymbolRow } from '../types.ts';

const decoder = new TextDecoder();

/** The configuration's own text with the options around it. */
export const memoryRequest = (config: unknown, options: MemoryOptions): string =>
  `${requestBegin(options)}"config":${decoder.decode(configBytes(config))}}`;

/** The core's answer as it is handed out. */
export function memoryAnswer({ symbols: rows, ...raw }: RawMemory): MemoryAnswer {
  const symbols: SymbolRow[] = rows.map((row) => ({ field: true, meaning: '', ...row }));
  const written = (math: RawFormula, writing: 'names' | 'symbols' | 'numbers') =>
    formulaText(formulaOf(math), symbols, { writing, compact: writing === 'symbols' });
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
