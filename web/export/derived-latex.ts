// A derivation for a paper. It wants amsmath and longtable.

import { grouped } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import type { Derivation, DerivedStep, SymbolRow } from '../types/index.ts';
import { computes, settingRow, type About } from './derived-pieces.ts';
import { brokenLines, digits, escaped, inMath, oneLine, symbolOf, tensorName } from './latex.ts';

export function derivedLatex(derivation: Derivation, { title, address }: About): string {
  const { architecture, parameters, setting, sections, symbols } = derivation;
  const rows = setting.map((row) => {
    const [name, value, from] = settingRow(row);
    return `$${symbolOf(row)}$ & \\texttt{${escaped(name)}} & $${digits(value.replaceAll(',', ''))}$ & ${escaped(oneLine(from))} \\\\`;
  });
  return `% ${oneLine(title)}: ${grouped(parameters)} parameters (${oneLine(architecture)}), derived by Param Ledger.
% \\usepackage{amsmath,longtable}
\\section*{${escaped(oneLine(texts.title(title)))}}
${escaped(texts.begins(architecture, grouped(parameters), address))}

\\subsection*{${texts.setting}}
\\begin{longtable}{llrl}
${texts.columns.symbol} & ${texts.columns.field} & ${texts.columns.value} & ${texts.columns.source} \\\\
\\hline
\\endhead
${rows.join('\n')}
\\hline
\\end{longtable}

${sections.map(({ title: head, steps }) => `\\subsection*{${escaped(head)}}\n${steps.map((step) => stepText(step, symbols)).join('\n')}`).join('\n')}`;
}

function stepText(step: DerivedStep, symbols: readonly SymbolRow[]): string {
  const { name, says, why, value, math, tensors } = step;
  const itself = symbolOf({ symbol: name });
  const equation = computes(step)
    ? `\\begin{align*}
${itself} &= ${brokenLines(math, symbols).join(' \\\\\n  &\\qquad ')} \\\\
  &= ${digits(value)}
\\end{align*}`
    : `\\[ ${itself} = ${digits(value)} \\]`;
  const rows = tensors.map(
    (tensor) =>
      `${tensorName(tensor.name)} & $${tensor.shape_math.map((size) => inMath(size, symbols)).join(' \\times ') || '1'}$ & ${
        step.kind === 'tied' ? '--' : `$${digits(tensor.value)}$`
      } \\\\`,
  );
  const table =
    rows.length === 0
      ? ''
      : `{\\footnotesize
\\begin{longtable}{p{0.5\\linewidth}lr}
${rows.join('\n')}
\\end{longtable}
}
`;
  return `\\paragraph{${escaped(oneLine(says))}.} ${why === undefined ? '' : escaped(oneLine(why))}
${equation}
${table}`;
}
