// Exports what each device holds, with a line for every row of tensors of every group of equal devices.

import * as texts from '../settings/devices-texts.ts';
import { csvCell, escapeMarkdownCell } from '../support/escape.ts';
import { neutral } from '../support/numbers.ts';
import type { DevicesAnswer } from '../types/index.ts';

function listRows({ ranks, rows }: DevicesAnswer): readonly (readonly string[])[] {
  const { columns } = texts;
  return [
    [columns.ranks, columns.stage, columns.tensor, columns.whole, columns.local, columns.rule, columns.parameters],
    ...ranks.flatMap((kind) =>
      kind.rows.map(({ row, name, shape, elements }) => [
        texts.ranksOf(kind).replace(/^\w+ /, ''),
        texts.stagesOf(kind).replace(/^\w+ /, ''),
        name,
        rows[row].shape.join(' x '),
        shape.join(' x '),
        rows[row].rule,
        elements,
      ]),
    ),
  ];
}

export const formatDevicesCsv = (answer: DevicesAnswer): string =>
  neutral(() =>
    listRows(answer)
      .map((line) => `${line.map(csvCell).join(',')}\n`)
      .join(''),
  );

/** The Markdown export. It begins with sentences on how much more than an even share the heaviest device holds. */
export const formatDevicesMarkdown = (answer: DevicesAnswer): string =>
  neutral(() => {
    const [head, ...lines] = listRows(answer).map((line) => `| ${line.map(escapeMarkdownCell).join(' | ')} |\n`);
    const rule = `|${' --- |'.repeat(6)} ---: |\n`;
    return `${texts.overShare(answer)}\n\n${head}${rule}${lines.join('')}`;
  });

export const formatDevicesJson = (answer: DevicesAnswer): string => `${JSON.stringify(answer, null, 2)}\n`;
