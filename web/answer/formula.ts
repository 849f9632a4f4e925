// Parses and evaluates formulas, and formats them as text. `web/parts/math.tsx` draws them as MathML.

import { grouped } from '../support/numbers.ts';
import type { Count, Formula, Operation, SymbolRow } from '../types/index.ts';

/** How names are written: as short symbols, as config field names, or as values. */
export type Writing = 'symbols' | 'names' | 'numbers';

/** The precedence of a formula's outermost operation. An operand with a lower precedence than required gets parentheses. */
export function bindingPower(formula: Formula): number {
  if (!Array.isArray(formula)) return 4;
  switch (formula[0]) {
    case '+':
    case '−':
      return 1;
    case '×':
    case '÷':
      return 2;
    case '^':
      return 3;
    default:
      return 4; // a rounded quotient already has brackets
  }
}

/** The lowest precedence at which an operand needs no parentheses. */
export function requiredPower(operation: Operation, position: number): number {
  switch (operation) {
    case '+':
      return 1;
    case '−':
      return position === 0 ? 1 : 2;
    case '^':
      return position === 0 ? 4 : 0;
    case '×':
      return 2;
    default:
      return position === 0 ? 2 : 3; // `÷` and the rounded quotients
  }
}

export interface Style {
  readonly writing: Writing;
  /** Writes `·` for `×`, and omits the spaces in products and exact quotients, as in the closed formula: `2·V·d`. */
  readonly compact?: boolean;
  /** Formats a number; by default with its digits in groups. */
  readonly digits?: (count: Count) => string;
}

/** The formula as one line of text. */
export function formatFormula(formula: Formula, symbols: readonly SymbolRow[], style: Style): string {
  const { writing, compact = false, digits = grouped } = style;
  const [times, over] = compact ? ['·', '÷'] : [' × ', ' ÷ '];

  const text = (node: Formula): string => {
    if (typeof node === 'string') return digits(node);
    if (typeof node === 'number') {
      const { name, symbol, value } = symbols[node];
      return writing === 'names' ? name : writing === 'symbols' ? symbol : digits(value);
    }
    const [operation, ...operands] = node;
    if (operation === '^') return operand(operation, operands[0], 0) + superscript(String(operands[1]));
    const sign = operation === '×' ? times : operation === '+' || operation === '−' ? ` ${operation} ` : null;
    if (sign) return operands.map((part, i) => operand(operation, part, i)).join(sign);
    const inner = operands.map((part, i) => operand('÷', part, i)).join(operation === '÷' ? over : ' ÷ ');
    return operation === '÷' ? inner : operation[0] + inner + operation[2];
  };
  const operand = (operation: Operation, part: Formula, position: number) =>
    bindingPower(part) < requiredPower(operation, position) ? `(${text(part)})` : text(part);

  return text(formula);
}

const superscript = (digits: string) => digits.replace(/\d/g, (figure) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(figure)]);

/** The indices of all symbols that occur in a formula, with repetitions. */
export function listSymbols(formula: Formula): number[] {
  if (typeof formula === 'string') return [];
  return Array.isArray(formula) ? formula.slice(1).flatMap((part) => listSymbols(part as Formula)) : [formula];
}

export function evaluate(formula: Formula, symbols: readonly SymbolRow[]): bigint {
  if (typeof formula === 'string') return BigInt(formula);
  if (typeof formula === 'number') return BigInt(symbols[formula].value);
  const [operation, ...operands] = formula;
  const values = operands.map((part) => evaluate(part, symbols));
  const [a, b] = values;
  switch (operation) {
    case '+':
      return values.reduce((x, y) => x + y);
    case '×':
      return values.reduce((x, y) => x * y);
    case '−':
      return a - b;
    case '^':
      return a ** b;
    case '⌈÷⌉':
      return (a + b - 1n) / b;
    default:
      return a / b;
  }
}

/**
 * Removes the last factor that has this value, for example the number of layers to get the formula for one layer. A number or a symbol that
 * has this value becomes 1. Returns undefined if there is no such factor. For the value 1, returns the formula unchanged.
 */
export function removeFactor(formula: Formula, value: bigint, symbols: readonly SymbolRow[]): Formula | undefined {
  if (value === 1n) return formula;
  if (!Array.isArray(formula)) return evaluate(formula, symbols) === value ? '1' : undefined;
  if (formula[0] !== '×') return undefined;
  const factors = formula.slice(1) as Formula[];
  const at = factors.findLastIndex((factor) => evaluate(factor, symbols) === value);
  if (at < 0) return undefined;
  const rest = factors.filter((_, i) => i !== at);
  return rest.length === 1 ? rest[0] : ['×', ...rest];
}

const BINARY: Readonly<Record<string, Operation>> = { '-': '−', '^': '^', '/': '÷', f: '⌊÷⌋', c: '⌈÷⌉' };

/** A cache of parsed formulas. Most formulas of an answer also occur in the previous one, and both answers then use the same tree. */
/** A shape in symbols: `(r_kv + h_rope) × d`. A dimension that is a sum or a difference is in parentheses. */
export const formatShape = (shape: readonly Formula[], symbols: readonly SymbolRow[]): string =>
  shape
    .map((size) => {
      const text = formatFormula(size, symbols, { writing: 'symbols', compact: true });
      return Array.isArray(size) && (size[0] === '+' || size[0] === '−') ? `(${text})` : text;
    })
    .join(' × ');

const parsed = new Map<string, Formula>();
const MAX_READ = 2_000;

/** Parses a formula in the core's prefix notation. */
export function parseFormula(text: string): Formula {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (parsed.size >= MAX_READ) parsed.clear();
  const tree = parsePrefix(text);
  parsed.set(text, tree);
  return tree;
}

/**
 * Parses the core's prefix notation. Its tokens are separated by spaces. `12` is the index of a symbol and `=128` a literal. `+3` and `*2`
 * take that many operands; `-`, `^`, `/`, `f` (quotient rounded down) and `c` (rounded up) take two.
 */
export function parsePrefix(text: string): Formula {
  const tokens = text.split(' ');
  let at = 0;
  const next = (): Formula => {
    const token = tokens[at++] ?? '';
    if (token[0] === '=') return token.slice(1);
    if (token[0] === '+' || token[0] === '*') {
      return [token[0] === '+' ? '+' : '×', ...Array.from({ length: Number(token.slice(1)) }, next)];
    }
    return BINARY[token] ? [BINARY[token], next(), next()] : Number(token);
  };
  return next();
}
