// Exports a derivation as a standalone HTML page, which has no script and loads nothing.

import { escapeMarkup } from '../support/escape.ts';
import { grouped } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import * as overviewTexts from '../texts/overview.ts';
import type { Derivation, DerivedStep, SymbolRow } from '../types/index.ts';
import { explainStep, isComputed, listSettingCells, listTensors, formatShape, type About } from './derived-pieces.ts';
import { formatMathml, formatSymbol } from './mathml.ts';

const STYLE = `body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;width:100%;font-size:.875rem;margin:.5rem 0 1.5rem}
th,td{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0;border-bottom:1px solid #ccc}
.digits{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
code{overflow-wrap:anywhere}.value{overflow-x:auto;margin:.25rem 0}h3{margin:1.25rem 0 0;font-size:1rem}
@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}th,td{border-color:#444}}`;

export function formatDerivationHtml(derivation: Derivation, { title, address }: About): string {
  const { architecture, parameters, setting, sections, symbols } = derivation;
  const { columns } = texts;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(texts.title(title))}</title>
<style>${STYLE}</style>
<h1>${escapeMarkup(texts.title(title))}</h1>
<p>${escapeMarkup(texts.begins(architecture, grouped(parameters), address))}</p>
${derivation.overview.map((sentence) => `<p>${escapeMarkup(sentence)}</p>`).join('\n')}
<h2>${texts.setting}</h2>
<table>
<tr><th scope="col">${columns.symbol}</th><th scope="col">${columns.field}</th><th scope="col" class="digits">${columns.value}</th><th scope="col">${columns.source}</th></tr>
${setting
  .map((row) => {
    const [name, value, from] = listSettingCells(row);
    return `<tr><td><math>${formatSymbol(row.symbol)}</math></td><th scope="row"><code>${escapeMarkup(name)}</code></th><td class="digits">${value}</td><td>${escapeMarkup(from)}</td></tr>`;
  })
  .join('\n')}
</table>
${sections.map((section) => `<h2>${escapeMarkup(section.title)}</h2>\n${section.steps.map((step) => formatStep(step, symbols)).join('\n')}`).join('\n')}
<h2>${overviewTexts.nothing}</h2>
<ul>
${derivation.without_parameters.map((sentence) => `<li>${escapeMarkup(sentence)}</li>`).join('\n')}
</ul>
</html>
`;
}

function formatStep(step: DerivedStep, symbols: readonly SymbolRow[]): string {
  const { says, name, math, value, substitution } = step;
  const why = explainStep(step);
  const shown = isComputed(step)
    ? `${formatMathml(math, symbols)} = ${escapeMarkup(substitution)} = <strong>${grouped(value)}</strong>`
    : `<strong>${grouped(value)}</strong>`;
  const rows = listTensors(step).map(
    ([tensorName, tensor]) =>
      `<tr><th scope="row"><code>${escapeMarkup(tensorName)}</code></th><td>${tensor.shape_math.map((size) => formatMathml(size, symbols)).join(' × ') || '1'}</td><td class="digits">${escapeMarkup(formatShape(tensor))}</td><td>${escapeMarkup(tensor.says)}</td><td class="digits">${step.kind === 'tied' ? '–' : grouped(tensor.value)}</td></tr>`,
  );
  const { columns } = texts;
  const table =
    rows.length === 0
      ? ''
      : `
<table>
<tr><th scope="col">${columns.tensor}</th><th scope="col" colspan="2">${columns.shape}</th><th scope="col">${columns.why}</th><th scope="col" class="digits">${columns.elements}</th></tr>
${rows.join('\n')}
</table>`;
  return `<h3>${escapeMarkup(says)}</h3>
${why === undefined ? '' : `<p>${escapeMarkup(why)}</p>\n`}<p class="value"><math>${formatSymbol(name)}</math> = ${shown}</p>${table}`;
}
