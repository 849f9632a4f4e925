// The command `models`, which lists the published models of the catalogue.

import { loadLedger } from '../core/ledger.ts';
import { loadPublishedModels } from '../models/catalogue.ts';
import { columns, columnLabel, columnMeaning, isText } from '../models/model-columns.ts';
import { parseCondition, type Mistake } from '../models/condition.ts';
import { createCounting } from '../models/model-rows.ts';
import { formatCell, formatCsv, formatMarkdown, buildTable, toRecords, type ModelTable } from '../models/model-table.ts';
import { neutral } from '../support/numbers.ts';
import { asJson, formatAliases, jsonOption, Usage, type Command } from './command.ts';
import { parseNumber } from './numbers.ts';
import type { Terminal } from './terminal.ts';
import { formatColumns } from './text-table.ts';

const formats: Readonly<Record<string, (table: ModelTable, terminal: Terminal) => string>> = {
  table: (table, terminal) => formatModels(table, terminal),
  csv: formatCsv,
  json: (table) => asJson(toRecords(table)),
  markdown: (table) => neutral(() => formatMarkdown(table)),
};

export const models: Command = {
  name: 'models',
  aliases: ['list'],
  operands: '[CONDITION]...',
  takes: 'columns',
  summary: 'Lists the published models in the catalogue with their counts; optionally only those that meet a condition.',
  options: [
    { name: 'columns', value: 'NAME,...', takes: 'columns', meaning: `Columns to show: ${columns.map(({ name }) => name).join(', ')}.` },
    { name: 'where', value: 'CONDITION', multiple: true, meaning: 'The same as CONDITION: active < 10B, type:qwen3, a word of the name. All conditions must hold.' },
    { name: 'sort', value: 'NAME,...', takes: 'columns', meaning: 'Sort by these columns; -NAME sorts in descending order.' },
    { name: 'limit', value: 'N', meaning: 'List only the first N.' },
    { name: 'format', short: 'f', value: 'FORMAT', choices: Object.keys(formats), aliases: formatAliases, meaning: `${Object.keys(formats).join(', ')}; all except table give every digit.` },
    { ...jsonOption, without: ['format'], meaning: 'The same as --format json.' },
  ], // prettier-ignore
  more: `  param-ledger models qwen 'active < 10B' --sort -parameters
  param-ledger models --where 'attention > 20% (type:llama or type:mistral) not context < 128k'
  param-ledger models --columns name,experts,experts_per_token,in_experts --where 'experts > 1' --format csv

Conditions compare a column by <, <=, >, >=, = or !=; for words, = compares the whole value and : a part of it. Adjacent conditions must all hold; or, not and parentheses also work. Numbers are written 10B, 4096, 20%; in sizes (layers, width, context) 4k is 4,096.

${columns.map((column) => `  ${column.name.padEnd(18)} ${columnMeaning(column)}`).join('\n')}`,

  async run(given, terminal) {
    const conditions = [...given.operands, ...given.values('where')].filter((text) => text.trim());
    const [ledger, known] = await Promise.all([loadLedger(), loadPublishedModels()]);
    const wish = { columns: given.value('columns') ?? '', sort: given.value('sort') ?? '' };
    for (const where of conditions) {
      const alone = parseCondition(where);
      if (!alone.ok) throw describeMistake(alone.error, where);
    }
    const table = buildTable(createCounting(known, ledger), { ...wish, where: conditions.map((where) => `(${where})`).join(' ') });
    if (!table.ok) throw describeMistake(table.error, table.error.part === 'sort' ? wish.sort : wish.columns);
    const limit = parseNumber(given, 'limit', 1, Number.MAX_SAFE_INTEGER);
    const shown = { ...table, rows: table.rows.slice(0, limit) };
    const format = given.has('json') ? 'json' : (given.value('format') ?? 'table');
    await terminal.write(formats[format](shown, terminal));
    return table.rows.length > 0 ? 0 : 1;
  },
};

/** An error with the message and, under the text, carets that mark the mistake. */
const describeMistake = ({ message, from, to }: Mistake, text: string) =>
  new Usage(`${message}\n  ${text}\n  ${' '.repeat(from)}${'^'.repeat(Math.max(1, to - from))}`);

function formatModels({ columns: shown, rows }: ModelTable, terminal: Terminal): string {
  const right = shown.flatMap((column, i) => (isText(column) ? [] : [i]));
  return formatColumns([shown.map(columnLabel), ...rows.map(({ cells }) => cells.map((cell, i) => formatCell(cell, shown[i])))], terminal, {
    right,
  });
}
