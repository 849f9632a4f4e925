// Exports the closed formula as a Python function of the fields and other given quantities. It returns the exact count.

import { listWarnings } from '../answer/warnings.ts';
import { grouped } from '../support/numbers.ts';
import { listSymbols } from '../answer/formula.ts';
import * as exportsTexts from './export-texts.ts';
import type { CountAnswer, Formula, Operation } from '../types/index.ts';

export function formatPython(answer: CountAnswer, title: string): string {
  const { formula, symbols, architecture } = answer;
  const names = toIdentifiers(symbols.map(({ name }) => name));
  const write = (tree: Formula) => formatExpression(tree, names);
  const { given, derived } = orderSymbols(formula.math, answer);
  const warnings = listWarnings(answer)
    .map((message) => `# ${exportsTexts.warning(message).replace(/[\r\n]+/g, ' ')}\n`)
    .join('');
  return `# ${title.replace(/[\r\n]+/g, ' ')}: ${grouped(formula.value)} parameters (${architecture}), counted by Param Ledger.
${warnings}

def parameters(
${given.map((at) => `    ${names[at]}=${symbols[at].value},\n`).join('')}):
${derived.map((at) => `    ${names[at]} = ${write(symbols[at].math as Formula)}\n`).join('')}    return ${write(formula.math)}


if __name__ == "__main__":
    print(f"{parameters():,}")  # ${grouped(formula.value)}
`;
}

/** The symbols that a formula needs: those without a formula, and derived symbols in an order in which each follows those it depends on. */
function orderSymbols(formula: Formula, { symbols }: CountAnswer): { given: number[]; derived: number[] } {
  const [given, derived, seen] = [[] as number[], [] as number[], new Set<number>()];
  const visit = (at: number) => {
    if (seen.has(at)) return;
    seen.add(at);
    const { math } = symbols[at];
    if (math !== undefined) listSymbols(math).forEach(visit);
    (math === undefined ? given : derived).push(at);
  };
  listSymbols(formula).forEach(visit);
  return { given: given.sort((a, b) => a - b), derived };
}

/** Python's keywords, and the name of the function. */
const RESERVED =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield parameters'; // prettier-ignore

/** Converts the names of symbols to unique Python identifiers: `text_config.hidden_size` becomes `text_config_hidden_size`. */
function toIdentifiers(names: readonly string[]): string[] {
  const taken = new Set(RESERVED.split(' '));
  return names.map((name) => {
    const plain = name.replace(/\W+/g, '_').replace(/^(?=\d)/, '_');
    let unique = plain;
    for (let i = 2; taken.has(unique); i++) unique = `${plain}_${i}`;
    taken.add(unique);
    return unique;
  });
}

/** The precedence of each operation when it is written as a Python operator. */
const BINDING: Readonly<Record<Operation, number>> = { '+': 1, '−': 1, '×': 2, '÷': 2, '⌊÷⌋': 2, '⌈÷⌉': 3, '^': 4 };

function formatExpression(formula: Formula, names: readonly string[], wanted = 0): string {
  if (typeof formula === 'string') return formula;
  if (typeof formula === 'number') return names[formula];
  const [operation, ...operands] = formula;
  const of = (at: number, least: number) => formatExpression(operands[at], names, least);
  const text =
    operation === '+'
      ? operands.map((_, i) => of(i, 1)).join(' + ')
      : operation === '−'
        ? `${of(0, 1)} - ${of(1, 2)}`
        : operation === '×'
          ? // without parentheses, a floor division in the middle would divide everything before it
            operands.map((_, i) => of(i, i === 0 ? 2 : 3)).join(' * ')
          : operation === '^'
            ? `${of(0, 5)}**${of(1, 4)}`
            : operation === '⌈÷⌉'
              ? `-(-${of(0, 5)} // ${of(1, 3)})`
              : `${of(0, 2)} // ${of(1, 3)}`;
  return BINDING[operation] < wanted ? `(${text})` : text;
}
