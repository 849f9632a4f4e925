// The command `compare`, which compares two to four models.

import { loadLedger } from '../core/ledger.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import { nameOf } from '../models/model.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import * as words from '../texts/compare.ts';
import type { Cells, ComparedCause, ComparedField, ModelComparison } from '../types/index.ts';
import { asJson, jsonOption, Usage, type Command, type ExitCode, type Given } from './command.ts';
import { changeEntry, changeOptions } from './count-command.ts';
import { loadSource } from './operands.ts';
import { formatColumns } from './text-table.ts';
import type { Terminal } from './terminal.ts';

const NONE = '–';

const FORMATS = ['table', 'json'];

export const compare: Command = {
  name: 'compare',
  operands: 'MODEL MODEL [MODEL [MODEL]]',
  summary: 'Shows where models differ, tensor by tensor, and which fields cause it.',
  options: [
    { name: 'all', without: ['json', 'format'], meaning: 'Include equal tensors.' },
    {
      name: 'format',
      short: 'f',
      value: 'FORMAT',
      choices: FORMATS,
      meaning: `${FORMATS.join(' or ')}: the whole answer, as the package returns it.`,
    },
    { ...jsonOption, without: ['format'], meaning: 'The same as --format json, even if a model is refused.' },
    ...changeOptions.map((option) => ({ ...option, meaning: `For the last model: ${option.meaning}` })),
  ],
  more: `  param-ledger compare meta-llama/Llama-2-7b-hf meta-llama/Meta-Llama-3-8B
  param-ledger compare ./config.json ./config.json --set num_key_value_heads=8`,

  async run(given, terminal) {
    const { operands } = given;
    if (operands.length < 2 || operands.length > 4) throw new Usage(`compare needs two to four models, not ${operands.length}`);
    const format = given.has('json') ? 'json' : (given.value('format') ?? 'table');
    const ledger = await loadLedger();
    const entries = [];
    for (const [i, word] of operands.entries()) {
      const entry = await loadSource(word, ledger);
      entries.push(i === operands.length - 1 ? changeEntry(entry, ledger, given) : entry);
    }
    const answer = ledger.compare(entries.map(({ text }) => text));
    if (!answer.ok) {
      if (format === 'json') await terminal.write(asJson(answer));
      terminal.say(`param-ledger: ${answer.error.message}`);
      return 1;
    }
    const names = entries.map(nameOf);
    await terminal.write(format === 'json' ? asJson(answer) : formatComparison(answer, names, given, terminal));
    let code: ExitCode = 0;
    for (const [i, model] of answer.models.entries()) {
      if (model.ok) continue;
      terminal.say(`param-ledger: ${names[i]}: ${model.error.message}`);
      code = 1;
    }
    return code;
  },
};

function formatComparison(answer: ModelComparison, names: readonly string[], given: Given, terminal: Terminal): string {
  const { base, totals = [], parts = [], fields = [], tensors = [], causes = [] } = answer;
  if (base === undefined) return '';
  const right = names.map((_, i) => i + 1);
  const counts = (values: Cells<string>) => values.map((value) => (value === null ? NONE : grouped(value)));
  const total = totals.find(({ name }) => name === 'parameters');
  const sums = [
    ['', ...names],
    ...parts.map(({ part, values }) => [partLabel(part), ...counts(values)]),
    ...(total ? [[texts.picture.total, ...counts(total.values)]] : []),
  ];
  const pieces = [formatColumns(sums, terminal, { right })];
  for (const [i, list] of causes.entries()) {
    if (!list || i === base) continue;
    const steps = list.map((cause) => [describeCause(cause, names[base], names[i]), formatSigned(cause.difference), grouped(cause.after)]);
    pieces.push(formatColumns([[words.waterfall(names[base], names[i]), '', ''], ...steps], terminal, { right: [1, 2] }));
  }
  const differing = fields.map(({ cells }) => [cells.find((cell) => cell)?.name ?? '', ...cells.map(formatFieldValue)]);
  pieces.push(differing.length > 0 ? formatColumns([[words.fields, ...names], ...differing], terminal) : `${words.fieldsAlike}\n`);
  const shown = tensors.filter(({ status }) => given.has('all') || status !== 'same');
  const lines = shown.map(({ cells, values }) => [
    cells.flatMap((cell) => cell ?? [])[0]?.name ?? '',
    ...cells.flatMap((cell, i) => [cell?.map(({ shape }) => shapeText(shape)).join(', ') || NONE, counts([values[i]])[0]]),
  ]);
  const heads = [words.tensor, ...names.flatMap((name) => [name, ''])];
  if (lines.length > 0) pieces.push(formatColumns([heads, ...lines], terminal, { right: names.map((_, i) => 2 * i + 2) }));
  return pieces.join('\n');
}

const formatSigned = (difference: string) =>
  `${difference[0] === '-' ? '−' : difference[0] === '+' ? '+' : ''}${grouped(difference.replace(/^[+-]/, ''))}`;

const formatFieldValue = (field: ComparedField | null) =>
  field === null ? NONE : field.value === undefined ? words.long : JSON.stringify(field.value);

function describeCause({ fields, architecture, rest, purpose, tensors }: ComparedCause, from: string, to: string): string {
  if (purpose !== undefined) return words.purpose(purpose, tensors);
  if (rest) return words.rest(from, to);
  const named = fields.map(([was, is]) => `${(is ?? was)?.name}: ${formatFieldValue(was)} → ${formatFieldValue(is)}`);
  return [...named, ...(architecture ? [words.architecture] : [])].join(', ');
}
