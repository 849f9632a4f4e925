// Exports the closed formula and the table of tensors as LaTeX for a paper. The formula needs amsmath, the table longtable.

import { isNotParameter } from '../answer/breakdown.ts';
import { listWarnings } from '../answer/warnings.ts';
import * as exportsTexts from './export-texts.ts';
import { grouped } from '../support/numbers.ts';
import { bindingPower, requiredPower } from '../answer/formula.ts';
import type { CountAnswer, Formula, Operation, SymbolRow, TensorRow } from '../types/index.ts';

/** The width at which lines of the formula are broken, in characters as `measureLine` counts them. A single term may be wider. */
const LINE = 64;

/** Exports a count. `title` is the model's name. */
export function formatLatex(answer: CountAnswer, title: string): string {
  const { architecture, formula, symbols, tensors, totals } = answer;
  const number = formatDigits(totals.parameters);
  const warnings = listWarnings(answer)
    .map((message) => `% ${joinLines(exportsTexts.warning(message))}\n`)
    .join('');
  return `% ${joinLines(title)}: ${grouped(totals.parameters)} parameters (${joinLines(architecture)}), counted by Param Ledger.
${warnings}% \\usepackage{amsmath,longtable}
\\begin{align*}
P &= ${breakFormula(formula.math, symbols).join(' \\\\\n  &\\qquad ')} \\\\
  &= ${number}
\\end{align*}
where
${symbols.map((row) => `$${formatSymbol(row)} = ${formatDigits(row.value)}$ (\\texttt{${escapeLatex(row.name)}})`).join(',\n')}.

{\\footnotesize
\\begin{longtable}{p{0.42\\linewidth}lrr}
\\caption{The tensors of ${escapeLatex(joinLines(title))}: $${number}$ parameters.}\\\\
\\hline
tensor & shape & copies & total \\\\
\\hline
\\endhead
${tensors
  .filter(({ kind }) => !isNotParameter(kind))
  .map((row) => line(row))
  .join('\n')}
\\hline
parameters & & & $${number}$ \\\\
\\hline
\\end{longtable}
}
`;
}

const line = ({ name, kind, shape, copies, total, tied_to }: TensorRow) =>
  `${formatTensorName(name)}${kind === 'buffer' ? ' (buffer)' : ''} & $${shape.map((size) => formatDigits(String(size))).join(' \\times ') || '1'}$ & $${formatDigits(copies)}$ & ${
    kind === 'tied' ? `tied to ${formatTensorName(tied_to ?? '')}` : `$${formatDigits(total)}$`
  } \\\\`;

/** A tensor name that may be broken after its dots. */
export const formatTensorName = (name: string) => `\\texttt{${name.split('.').map(escapeLatex).join('.\\allowbreak{}')}}`;

export const formatDigits = (count: string) => grouped(count).replaceAll(',', '{,}');

/** Joins lines, because a line break would end a LaTeX comment, and an empty line is an error in a caption. */
export const joinLines = (text: string) => text.replace(/[\r\n]+/g, ' ');

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\textbackslash{}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}' };

/** LaTeX for the special characters that occur in sentences and formulas. */
const WRITTEN: Readonly<Record<string, string>> = {
  '×': '$\\times$', '·': '$\\cdot$', '÷': '$\\div$', '−': '$-$', '→': '$\\to$', '⌈': '$\\lceil$', '⌉': '$\\rceil$', '⌊': '$\\lfloor$',
  '⌋': '$\\rfloor$', 'Δ': '$\\Delta$', '²': '$^2$', '³': '$^3$', '–': '--', '…': '\\ldots{}', '’': "'", '“': '``', '”': "''",
}; // prettier-ignore

/** Escapes text for LaTeX. Characters outside of ASCII that WRITTEN lacks become question marks, and so do control characters. */
export function escapeLatex(text: string): string {
  return text
    .replace(/[\\~^]|[&%$#_{}]/g, (character) => ESCAPES[character] ?? `\\${character}`)
    .replace(/[^\x20-\x7e]/g, (character) => WRITTEN[character] ?? character)
    .replace(/[^\x20-\x7e]/g, '?');
}

/** A symbol in LaTeX. In `n_kv` the part after the underscore becomes a subscript, upright unless it is one lowercase letter or digit. */
export function formatSymbol({ symbol }: Pick<SymbolRow, 'symbol'>): string {
  const at = symbol.indexOf('_');
  if (at < 0) return symbol.length > 1 ? `\\mathit{${symbol}}` : symbol;
  const index = symbol.slice(at + 1).replaceAll('_', ',');
  return `${symbol.slice(0, at)}_{${/^[a-z\d]$/.test(index) ? index : `\\mathrm{${index}}`}}`;
}

/** A tensor's shape in LaTeX, with sums in parentheses. */
export const formatMathShape = (shape: readonly Formula[], symbols: readonly SymbolRow[]): string =>
  shape.map((size) => formatOperand('×', size, 0, symbols)).join(' \\times ') || '1';

export function formatMath(formula: Formula, symbols: readonly SymbolRow[]): string {
  if (typeof formula === 'string') return formatDigits(formula);
  if (typeof formula === 'number') return formatSymbol(symbols[formula]);
  const [operation, ...operands] = formula;
  const parts = operands.map((part, i) => formatOperand(operation, part, i, symbols));
  switch (operation) {
    case '+':
    case '−':
      return parts.join(operation === '+' ? ' + ' : ' - ');
    case '×':
      return parts.join(' \\cdot ');
    case '^':
      return `${parts[0]}^{${parts[1]}}`;
    default: {
      // A fraction needs no parentheses around its operands.
      const fraction = `\\frac{${operands.map((part) => formatMath(part, symbols)).join('}{')}}`;
      return operation === '÷' ? fraction : operation === '⌊÷⌋' ? `\\lfloor ${fraction} \\rfloor` : `\\lceil ${fraction} \\rceil`;
    }
  }
}

const formatOperand = (operation: Operation, part: Formula, position: number, symbols: readonly SymbolRow[]) =>
  bindingPower(part) < requiredPower(operation, position) ? `(${formatMath(part, symbols)})` : formatMath(part, symbols);

/** Breaks the formula into lines that fit a page, unless a term is too wide. Breaks before terms of sums and of sums that end a product. */
export function breakFormula(formula: Formula, symbols: readonly SymbolRow[]): string[] {
  const lines = [''];
  for (const piece of splitFormula(formula, '', symbols)) {
    const last = lines[lines.length - 1];
    if (last !== '' && measureLine(last) + measureLine(piece) > LINE) lines.push(piece);
    else lines[lines.length - 1] = last === '' ? piece : `${last} ${piece}`;
  }
  return lines;
}

const measureLine = (line: string) => line.replace(/\\\w+|[{}_^\s]/g, '').length;

function splitFormula(formula: Formula, lead: string, symbols: readonly SymbolRow[]): string[] {
  if (!Array.isArray(formula)) return [lead + formatMath(formula, symbols)];
  const [operation, ...operands] = formula;
  if (operation === '+') return operands.flatMap((term, i) => splitFormula(term, i === 0 ? lead : '+ ', symbols));
  const last = operands[operands.length - 1];
  if (operation !== '×' || !Array.isArray(last) || last[0] !== '+') return [lead + formatMath(formula, symbols)];
  const before = operands.slice(0, -1).map((factor, i) => `${formatOperand('×', factor, i, symbols)} \\cdot `);
  const inner = splitFormula(last, `${lead}${before.join('')}(`, symbols);
  inner[inner.length - 1] += ')';
  return inner;
}
