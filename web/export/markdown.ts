// Exports the tensors as a Markdown table, with the total above and below it.

import { listWarnings } from '../answer/warnings.ts';
import { escapeMarkdownCell } from '../support/escape.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import * as exportsTexts from './export-texts.ts';
import type { CountAnswer } from '../types/index.ts';

export function formatMarkdown(answer: CountAnswer, title: string): string {
  const rows = answer.tensors.map((row) => [
    row.kind === 'parameter' ? code(row.name) : `${code(row.name)} (${row.kind})`,
    partLabel(row.part),
    shapeText(row.shape),
    code(row.formula),
    row.substitution,
    grouped(row.copies),
    row.kind === 'tied' ? '–' : grouped(row.total),
  ]);
  return [
    `**${escapeMarkdownCell(title)}**: ${grouped(answer.totals.parameters)} parameters (${escapeMarkdownCell(answer.architecture)})`,
    '',
    ...listWarnings(answer).flatMap((message) => [escapeMarkdownCell(exportsTexts.warning(message)), '']),
    '| tensor | part | shape | formula | with numbers | copies | total |',
    '| --- | --- | --- | --- | --- | ---: | ---: |',
    ...rows.map((row) => `| ${row.map(escapeMarkdownCell).join(' | ')} |`),
    `| **total** | | | | | | **${grouped(answer.totals.parameters)}** |`,
    '',
  ].join('\n');
}

const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
