// Exports a derivation as a LaTeX document. Its body can be copied into a paper.

import { grouped } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import * as overviewTexts from '../texts/overview.ts';
import type { Derivation, DerivedStep, SymbolRow } from '../types/index.ts';
import { explainStep, isComputed, listSettingCells, listTensors, type About } from './derived-pieces.ts';
import { breakFormula, formatDigits, escapeLatex, formatMathShape, joinLines, formatSymbol, formatTensorName } from './latex.ts';

export function formatDerivationLatex(derivation: Derivation, { title, address }: About): string {
  const { architecture, parameters, setting, sections, symbols } = derivation;
  const rows = setting.map((row) => {
    const [name, value, from] = listSettingCells(row);
    return `$${formatSymbol(row)}$ & \\texttt{${escapeLatex(name)}} & $${formatDigits(value.replaceAll(',', ''))}$ & ${escapeLatex(joinLines(from))} \\\\`;
  });
  return `% ${joinLines(title)}: ${grouped(parameters)} parameters (${joinLines(architecture)}), derived by Param Ledger.
\\documentclass{article}
\\usepackage{amsmath,longtable}
\\usepackage[landscape,margin=15mm]{geometry}
\\begin{document}
\\section*{${escapeLatex(joinLines(texts.title(title)))}}
${[texts.begins(architecture, grouped(parameters), address), ...derivation.overview].map(escapeLatex).join('\n\n')}

\\subsection*{${texts.setting}}
\\begin{longtable}{llrl}
${texts.columns.symbol} & ${texts.columns.field} & ${texts.columns.value} & ${texts.columns.source} \\\\
\\hline
\\endhead
${rows.join('\n')}
\\hline
\\end{longtable}

${sections.map(({ title: head, steps }) => `\\subsection*{${escapeLatex(head)}}\n${steps.map((step) => formatStep(step, symbols)).join('\n')}`).join('\n')}
\\subsection*{${overviewTexts.nothing}}
\\begin{itemize}
${derivation.without_parameters.map((sentence) => `\\item ${escapeLatex(sentence)}`).join('\n')}
\\end{itemize}
\\end{document}
`;
}

function formatStep(step: DerivedStep, symbols: readonly SymbolRow[]): string {
  const { name, says, value, math, substitution } = step;
  const why = explainStep(step);
  const itself = formatSymbol({ symbol: name });
  const equation = isComputed(step)
    ? `\\begin{align*}
${itself} &= ${breakFormula(math, symbols).join(' \\\\\n  &\\qquad ')} \\\\
  &= ${formatDigits(value)}
\\end{align*}
\\noindent ${escapeLatex(`${substitution} = ${grouped(value)}`)}`
    : `\\[ ${itself} = ${formatDigits(value)} \\]`;
  const rows = listTensors(step).map(
    ([tensorName, tensor]) =>
      `${formatTensorName(tensorName)} & $${formatMathShape(tensor.shape_math, symbols)}$ & ${escapeLatex(tensor.says)} & ${
        step.kind === 'tied' ? '--' : `$${formatDigits(tensor.value)}$`
      } \\\\`,
  );
  const table =
    rows.length === 0
      ? ''
      : `{\\footnotesize
\\begin{longtable}{p{0.32\\linewidth}lp{0.3\\linewidth}r}
${rows.join('\n')}
\\end{longtable}
}
`;
  return `\\paragraph{${escapeLatex(joinLines(says))}.} ${why === undefined ? '' : escapeLatex(joinLines(why))}
${equation}
${table}`;
}
