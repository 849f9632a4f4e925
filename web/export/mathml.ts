// Writes formulas as MathML text, for pages without a script.

import { bindingPower, requiredPower } from '../answer/formula.ts';
import { escapeMarkup } from '../support/escape.ts';
import { grouped } from '../support/numbers.ts';
import type { Formula, Operation, SymbolRow } from '../types/index.ts';

export const formatMathml = (formula: Formula, symbols: readonly SymbolRow[]): string =>
  `<math><mrow>${inner(formula, symbols)}</mrow></math>`;

/** A symbol in MathML. In `n_kv` the part after the underscore becomes a subscript. */
export function formatSymbol(symbol: string): string {
  const at = symbol.indexOf('_');
  if (at < 0) return `<mi>${escapeMarkup(symbol)}</mi>`;
  return `<msub><mi>${escapeMarkup(symbol.slice(0, at))}</mi><mtext>${escapeMarkup(symbol.slice(at + 1).replaceAll('_', ','))}</mtext></msub>`;
}

function inner(formula: Formula, symbols: readonly SymbolRow[]): string {
  if (typeof formula === 'string') return `<mn>${grouped(formula)}</mn>`;
  if (typeof formula === 'number') return formatSymbol(symbols[formula].symbol);
  const [operation, ...operands] = formula;
  const parts = operands.map((part, i) => formatOperand(operation, part, i, symbols));
  const sign = (text: string) => `<mo>${text}</mo>`;
  switch (operation) {
    case '+':
    case '−':
      return parts.join(sign(operation));
    case '×':
      return parts.join(sign('⋅'));
    case '^':
      return `<msup><mrow>${parts[0]}</mrow><mrow>${parts[1]}</mrow></msup>`;
    case '÷':
      return parts.join(sign('/'));
    default:
      return sign(operation[0]) + parts.join(sign('/')) + sign(operation[2]);
  }
}

function formatOperand(operation: Operation, part: Formula, position: number, symbols: readonly SymbolRow[]): string {
  const text = inner(part, symbols);
  return bindingPower(part) < requiredPower(operation, position) ? `<mo>(</mo>${text}<mo>)</mo>` : text;
}
