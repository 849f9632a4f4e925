// Decodes the answer to `devices`. Formulas are formatted each time they are read.

import { formatFormula, parseFormula, type Writing } from '../answer/formula.ts';
import type { DevicesAnswer, Exchange, Listing, LocalRow, RankKind, SymbolRow } from '../types/index.ts';
import { decodeSymbols } from './decode-count.ts';
import { attachSource, createSource, lazyProperty, type Source } from './lazy-properties.ts';
import type { RawDevices, RawExchange, RawFormula, RawLocalRow, RawRankKind } from './raw.ts';

interface Origin {
  readonly math: RawFormula;
  readonly symbols: readonly SymbolRow[];
}

const lazyFormula = (writing: Writing, compact = false) =>
  lazyProperty(({ math, symbols }: Origin) => formatFormula(parseFormula(math), symbols, { writing, compact }));
const IN_NAMES = lazyFormula('names');
const IN_NUMBERS = lazyFormula('numbers');
const IN_SYMBOLS = lazyFormula('symbols', true);

export function decodeDevices({ symbols: rows, ranks, sent, ...raw }: RawDevices, catalog: Listing): DevicesAnswer {
  const symbols = decodeSymbols(rows, catalog).from;
  return { ...raw, ranks: ranks.map((kind) => decodeKind(kind, symbols)), sent: sent.map((one) => decodeExchange(one, symbols)) };
}

function decodeKind({ math, rows, ...raw }: RawRankKind, symbols: readonly SymbolRow[]): RankKind {
  const kind = { ...raw, rows: rows.map((row) => decodeRow(row, symbols)) };
  Object.defineProperty(kind, 'formula', IN_SYMBOLS);
  return withNumbersIn(kind, { math, symbols }) as unknown as RankKind;
}

function decodeExchange({ math, ...raw }: RawExchange, symbols: readonly SymbolRow[]): Exchange {
  const exchange = { ...raw };
  Object.defineProperty(exchange, 'formula', IN_SYMBOLS);
  return withNumbersIn(exchange, { math, symbols }) as unknown as Exchange;
}

const decodeRow = ([row, name, shape, elements, math]: RawLocalRow, symbols: readonly SymbolRow[]): LocalRow => {
  const local = { row, name, shape, elements };
  Object.defineProperty(local, 'formula', IN_NAMES);
  return withNumbersIn(local, { math, symbols }) as unknown as LocalRow;
};

function withNumbersIn(object: object, origin: Origin): object {
  Object.defineProperty(object, 'substitution', IN_NUMBERS);
  attachSource(object, createSource(origin) as Source<unknown>);
  return object;
}
