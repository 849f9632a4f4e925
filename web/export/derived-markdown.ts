// A derivation as Markdown: with formulas that are set as mathematics, or as plain text.

import { grouped } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import type { Derivation, DerivedStep, Formula } from '../types/index.ts';
import { computes, settingRow, shapeOf, type About } from './derived-pieces.ts';
import { inMath, symbolOf } from './latex.ts';

export const derivedMarkdown = (derivation: Derivation, about: About): string => written(derivation, about, true);
export const derivedPlain = (derivation: Derivation, about: About): string => written(derivation, about, false);

function written(derivation: Derivation, { title, address }: About, math: boolean): string {
  const { symbols, setting, sections, parameters } = derivation;
  const formula = (tree: Formula, plain: string) => (math ? `$${inMath(tree, symbols)}$` : code(plain));
  const step = (one: DerivedStep): string[] => {
    const head = `**${cell(one.says)}** (${code(one.name)})`;
    const value = computes(one)
      ? math
        ? `$$${inMath(one.math, symbols)} = ${number(one.value)}$$`
        : `    ${one.formula}\n    = ${one.substitution}\n    = ${grouped(one.value)}`
      : math
        ? `$$${number(one.value)}$$`
        : `    ${grouped(one.value)}`;
    const rows = one.tensors.map((tensor) => [
      code(tensor.name),
      formula(['×', ...tensor.shape_math], tensor.shape_formula),
      shapeOf(tensor),
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
            ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
            '',
          ];
    return [one.why === undefined ? head : `${head}. ${cell(one.why)}`, '', value, '', ...table];
  };
  const { columns } = texts;
  return [
    `# ${cell(texts.title(title))}`,
    '',
    cell(texts.begins(derivation.architecture, grouped(parameters), address)),
    '',
    `## ${texts.setting}`,
    '',
    `| ${[columns.symbol, columns.field, columns.value, columns.source].join(' | ')} |`,
    '| --- | --- | ---: | --- |',
    ...setting.map((row) => {
      const [name, value, from] = settingRow(row);
      return `| ${[math ? `$${symbolOf(row)}$` : code(row.symbol), code(name), value, from].map(cell).join(' | ')} |`;
    }),
    '',
    ...sections.flatMap((section) => [`## ${section.title}`, '', ...section.steps.flatMap(step)]),
    `**${grouped(parameters)}**`,
    '',
  ].join('\n');
}

const number = (count: string) => grouped(count).replaceAll(',', '{,}');

const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;

const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/[\r\n]+/g, ' ');
