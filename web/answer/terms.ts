// Finds the tensors that each term of the closed formula counts. The core merges like products from different rows into one term.

import type { CountAnswer, Formula, SymbolRow, TensorRow } from '../types/index.ts';

/** A term of the closed formula, and the tensor rows that it counts. Terms are in the order in which they are drawn. */
export interface Term {
  /** The term, with the factors in front of any brackets around it multiplied in. */
  readonly math: Formula;
  readonly rows: readonly TensorRow[];
}

export function findTerms({ formula, symbols, tensors }: Pick<CountAnswer, 'formula' | 'symbols' | 'tensors'>): Term[] {
  const own = tensors.filter(({ kind }) => kind === 'parameter').map((row) => ({ row, keys: findKeys(row.math, symbols) }));
  return listLeaves(formula.math, []).map((math) => {
    const keys = findKeys(math, symbols);
    return { math, rows: own.flatMap((other) => (other.keys.some((key) => keys.includes(key)) ? [other.row] : [])) };
  });
}

function listLeaves(formula: Formula, factors: readonly Formula[]): Formula[] {
  if (Array.isArray(formula)) {
    const [operation, ...operands] = formula;
    if (operation === '+') return operands.flatMap((term) => listLeaves(term, factors));
    const last = operands[operands.length - 1];
    if (operation === '×' && Array.isArray(last) && last[0] === '+') return listLeaves(last, [...factors, ...operands.slice(0, -1)]);
  }
  return [factors.length > 0 ? ['×', ...factors, formula] : formula];
}

/**
 * A product of powers: maps each base to its exponent. A base is a symbol, or a subexpression that is not expanded, such as a rounded
 * quotient.
 */
type Product = ReadonlyMap<string, number>;

/** Expressions that would expand to more than this many products are not multiplied out. */
const MAX_PRODUCTS = 200;

/** The products of fields in the expanded formula, without coefficients. */
function findKeys(formula: Formula, symbols: readonly SymbolRow[]): string[] {
  return expand(formula, symbols).map((product) =>
    [...product]
      .filter(([, power]) => power !== 0)
      .map(([name, power]) => `${name}^${power}`)
      .sort()
      .join(' '),
  );
}

function expand(formula: Formula, symbols: readonly SymbolRow[]): Product[] {
  if (typeof formula === 'string') return [new Map()];
  if (typeof formula === 'number') {
    const { math } = symbols[formula];
    return math === undefined ? [new Map([[String(formula), 1]])] : expand(math, symbols);
  }
  const opaque = (): Product[] => [new Map([[JSON.stringify(formula), 1]])];
  const [operation, ...operands] = formula;
  switch (operation) {
    case '+':
    case '−':
      return operands.flatMap((part) => expand(part, symbols));
    case '×': {
      let products: Product[] = [new Map()];
      for (const part of operands) {
        const next = expand(part, symbols);
        if (products.length * next.length > MAX_PRODUCTS) return opaque();
        products = products.flatMap((a) => next.map((b) => multiply(a, b, 1)));
      }
      return products;
    }
    case '^': {
      const base = expand(operands[0], symbols);
      const power = Number(operands[1]);
      if (base.length === 1) return [multiply(new Map(), base[0], power)];
      // A power of a sum, such as `(2w − 1)²`, is multiplied out up to the fourth power.
      return power > 1 && power <= 4 ? expand(['×', ...Array.from({ length: power }, () => operands[0])], symbols) : opaque();
    }
    case '÷': {
      const divisor = expand(operands[1], symbols);
      return divisor.length === 1 ? expand(operands[0], symbols).map((product) => multiply(product, divisor[0], -1)) : opaque();
    }
    default:
      return opaque();
  }
}

function multiply(a: Product, b: Product, power: number): Product {
  const product = new Map(a);
  for (const [name, own] of b) product.set(name, (product.get(name) ?? 0) + own * power);
  return product;
}
