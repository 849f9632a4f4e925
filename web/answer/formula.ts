// Formulas as text, and questions about their trees. `web/parts/math.tsx` draws the same trees as mathematics.

import { grouped } from '../support/numbers.ts';
import type { Count, Formula, Operation, SymbolRow } from '../types/index.ts';

/** How names are written: as short symbols, config names, or values. */
export type Writing = 'symbols' | 'names' | 'numbers';

/** How tightly an operation binds. An operand that binds less tightly than required gets parentheses. */
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
      return 4; // a rounded quotient has brackets of its own
  }
}

/** How tightly an operand must bind to need no parentheses. */
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
      return position === 0 ? 2 : 3; // a quotient
  }
}

export interface Style {
  readonly writing: Writing;
  /** Signs without spaces, as in the closed formula: `2·V·d`. */
  readonly compact?: boolean;
  /** Writes numbers. */
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

/** The indices of the names in a formula. */
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

/** The formula without the last factor with this value, if it has one: for a part of what a product counts. */
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

/** Parsed formulas. Most formulas of an answer equal those of the one before and then share the tree. */
const parsed = new Map<string, Formula>();
const MAX_READ = 2_000;

/** The tree of a formula in the core's prefix notation. */
export function parseFormula(text: string): Formula {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (parsed.size >= MAX_READ) parsed.clear();
  const tree = parsePrefix(text);
  parsed.set(text, tree);
  return tree;
}

/**
 * Parses the core's prefix notation, tokens separated by spaces: `12` is a name's index, `=128` a literal, `+3` and `*2` take that many
 * operands, `-`, `^`, `/`, `f` (rounded down) and `c` (up) two.
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
