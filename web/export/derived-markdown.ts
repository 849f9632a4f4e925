// Exports a derivation as Markdown, with its formulas as LaTeX math or as plain text.

import { escapeMarkdownCell } from '../support/escape.ts';
import { grouped } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import * as overviewTexts from '../texts/overview.ts';
import type { Derivation, DerivedStep } from '../types/index.ts';
import { explainStep, isComputed, listSettingCells, listTensors, formatShape, type About } from './derived-pieces.ts';
import { formatMath, formatMathShape, formatSymbol } from './latex.ts';

export const formatDerivationMarkdown = (derivation: Derivation, about: About): string => formatDerivation(derivation, about, true);
export const formatDerivationPlain = (derivation: Derivation, about: About): string => formatDerivation(derivation, about, false);

function formatDerivation(derivation: Derivation, { title, address }: About, math: boolean): string {
  const { symbols, setting, sections, parameters } = derivation;
  const step = (one: DerivedStep): string[] => {
    const head = `**${escapeMarkdownCell(one.says)}** (${code(one.name)})`;
    const value = isComputed(one)
      ? math
        ? `$$${formatMath(one.math, symbols)} = ${number(one.value)}$$\n\n${one.substitution} = ${grouped(one.value)}`
        : `    ${one.formula}\n    = ${one.substitution}\n    = ${grouped(one.value)}`
      : math
        ? `$$${number(one.value)}$$`
        : `    ${grouped(one.value)}`;
    const rows = listTensors(one).map(([name, tensor]) => [
      code(name),
      math ? `$${formatMathShape(tensor.shape_math, symbols)}$` : code(tensor.shape_formula || '1'),
      formatShape(tensor),
      tensor.says,
      one.kind === 'tied' ? '–' : grouped(tensor.value),
    ]);
    const { columns } = texts;
    const table =
      rows.length === 0
        ? []
        : [
            `| ${[columns.tensor, columns.shape, '', columns.why, columns.elements].join(' | ')} |`,
            '| --- | --- | --- | --- | ---: |',
            ...rows.map((row) => `| ${row.map(escapeMarkdownCell).join(' | ')} |`),
            '',
          ];
    const why = explainStep(one);
    return [why === undefined ? head : `${head}. ${escapeMarkdownCell(why)}`, '', value, '', ...table];
  };
  const { columns } = texts;
  return [
    `# ${escapeMarkdownCell(texts.title(title))}`,
    '',
    escapeMarkdownCell(texts.begins(derivation.architecture, grouped(parameters), address)),
    '',
    ...derivation.overview.flatMap((sentence) => [escapeMarkdownCell(sentence), '']),
    `## ${texts.setting}`,
    '',
    `| ${[columns.symbol, columns.field, columns.value, columns.source].join(' | ')} |`,
    '| --- | --- | ---: | --- |',
    ...setting.map((row) => {
      const [name, value, from] = listSettingCells(row);
      return `| ${[math ? `$${formatSymbol(row)}$` : code(row.symbol), code(name), value, from].map(escapeMarkdownCell).join(' | ')} |`;
    }),
    '',
    ...sections.flatMap((section) => [`## ${section.title}`, '', ...section.steps.flatMap(step)]),
    `## ${overviewTexts.nothing}`,
    '',
    ...derivation.without_parameters.map((sentence) => `- ${escapeMarkdownCell(sentence)}`),
    '',
    `**${grouped(parameters)}**`,
    '',
  ].join('\n');
}

const number = (count: string) => grouped(count).replaceAll(',', '{,}');

const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
