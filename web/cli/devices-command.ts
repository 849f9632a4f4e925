// The command `devices`, which shows what each device of a group stores.

import { loadLedger } from '../core/ledger.ts';
import { formatDevicesCsv, formatDevicesMarkdown } from '../export/devices-formats.ts';
import { nameOf } from '../models/model.ts';
import { isPlan, parsePlan } from '../settings/devices-plan.ts';
import * as texts from '../settings/devices-texts.ts';
import { inUnit, trainingRows } from '../settings/memory-texts.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import type { Bytes, DevicesAnswer, DevicesOptions, DeviceTraining } from '../types/index.ts';
import { asJson, formatAliases, jsonOption, Usage, type Command, type ExitCode, type Given } from './command.ts';
import { changeOptions, loadEntry } from './count-command.ts';
import { parseBytes, parseNumber } from './numbers.ts';
import * as words from './texts.ts';
import { formatColumns } from './text-table.ts';
import type { Terminal } from './terminal.ts';
import { asksForTraining, parseTrainingWay, trainingOptions } from './training.ts';

const plans = Object.keys(texts.plans);
const formats = ['text', 'json', 'csv', 'markdown'];

export const devices: Command = {
  name: 'devices',
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary: 'Shows what each device holds if several devices share a model, tensor by tensor.',
  options: [
    { name: 'tp', value: 'N', meaning: 'Number of devices that share each tensor (tensor parallelism).' },
    { name: 'pp', value: 'N', meaning: 'Number of pipeline stages, each with its own layers.' },
    {
      name: 'ep',
      value: 'N',
      meaning: 'Number of devices that share the experts of a layer: a multiple of --tp, or with the plan megatron also a divisor.',
    },
    { name: 'plan', value: 'PLAN', choices: plans, meaning: `The program whose plan is used: ${plans.join(', ')}.` },
    {
      name: 'against',
      value: 'PLAN',
      meaning: 'Compare with another plan: vllm-8x1x1 is --plan vllm --tp 8 --pp 1 --ep 1.',
    },
    { name: 'dp', value: 'N', with: ['train'], meaning: 'Number of copies of the model that train together (data parallelism).' },
    {
      name: 'sequence',
      meaning: 'Use sequence parallelism, which splits hidden states by tokens between the blocks. Only with the plan megatron.',
    },
    ...trainingOptions.filter(({ name }) => !['lora', 'modules'].includes(name)),
    { name: 'sent', meaning: 'Show what devices send to each other for each token.' },
    { name: 'rank', value: 'N', meaning: 'Show one device, with all of its tensors.' },
    { name: 'context', short: 'n', value: 'TOKENS', meaning: 'Tokens in the context; 4096 by default. 128k is 131,072.' },
    { name: 'batch', short: 'b', value: 'N', meaning: 'Sequences in a batch.' },
    { name: 'dtype', value: 'FORMAT', meaning: 'Data type of the weights, as with the command memory.' },
    { name: 'cache', value: 'DTYPE', meaning: 'Data type of the cache: bfloat16, float8, float32.' },
    { name: 'gb', value: 'N', meaning: 'The memory of a device: in GB (1,000,000,000 bytes), or in GiB if written as 24GiB.' },
    { name: 'fits', with: ['gb'], meaning: 'Fail unless the weights and the cache of the heaviest device fit. For CI.' },
    { name: 'format', short: 'f', value: 'FORMAT', choices: formats, aliases: formatAliases, meaning: `One of ${formats.join(', ')}.` },
    { ...jsonOption, without: ['format'], meaning: 'The same as --format json.' },
    ...changeOptions,
  ],
  more: `  param-ledger devices deepseek-ai/DeepSeek-V3 --tp 8
  param-ledger devices Llama-3.1-8B --tp 4 --pp 2 --rank 5
  param-ledger devices . --tp 8 --ep 8 --context 128k --gb 80 --fits
  param-ledger devices Qwen2.5-14B --plan vllm --tp 8 --against megatron-8x1x1
  param-ledger devices Mixtral-8x7B --plan megatron --tp 2 --ep 8 --train --stage 1 --dp 4 --sent
Ranks are numbered along tensor parallelism first, then along the stages.`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('no model is given');
    const options = parseOptions(given);
    const format = given.has('json') ? 'json' : (given.value('format') ?? 'text');
    const ledger = await loadLedger();
    let code: ExitCode = 0;
    for (const word of given.operands.length > 0 ? given.operands : ['-']) {
      const entry = await loadEntry(word, ledger, given, format === 'json', terminal);
      const refused = typeof entry === 'string' ? entry : await showOne(ledger.devices(entry.text, options), nameOf(entry));
      if (refused === undefined) continue;
      terminal.say(`param-ledger: ${refused}`);
      code = 1;
    }
    return code;

    /** Writes one answer. Returns an error message if the model is refused or, with `--fits`, does not fit or might not fit. */
    async function showOne(answer: ReturnType<typeof ledger.devices>, name: string): Promise<string | undefined> {
      if (format === 'json') await terminal.write(asJson(answer));
      if (!answer.ok) return `${name}: ${answer.error.message}`;
      if (format === 'text') {
        await terminal.write(formatText(answer, name, options.rank !== undefined, terminal));
        if (given.has('sent')) await terminal.write(formatSent(answer, terminal));
        if (answer.against) await terminal.write(formatDifferences(answer.against, terminal));
      }
      if (format === 'csv') await terminal.write(formatDevicesCsv(answer));
      if (format === 'markdown') await terminal.write(formatDevicesMarkdown(answer));
      return given.has('fits') ? describeUnfit(answer, name, String(options.room)) : undefined;
    }
  },
};

/** Says that the share of the heaviest device does not fit, or why that is unknown. Undefined if it fits. */
function describeUnfit({ ranks, heaviest }: DevicesAnswer, name: string, room: string): string | undefined {
  const kind = ranks[heaviest];
  const unknown = ranks.flatMap(({ weights, cache }) => [weights, cache]).flatMap((part) => (part.known ? [] : [part.reason]));
  if (unknown.length > 0 || kind.need === undefined) return `${name}: ${[words.fitsUnknown, ...new Set(unknown)].join(': ')}`;
  return kind.fits ? undefined : `${name}: ${texts.unfit(kind, grouped(kind.need.bytes), `${grouped(room)} bytes`)}`;
}

function parseOptions(given: Given): DevicesOptions {
  const gb = given.value('gb');
  const room = gb === undefined ? undefined : parseBytes(gb);
  if (gb !== undefined && room === undefined) throw new Usage(`--gb needs GB such as 80, 79.6 or 24GiB, not ${gb}`);
  const number = (name: string, least = 1) => parseNumber(given, name, least, Number.MAX_SAFE_INTEGER);
  return {
    tensor: number('tp'),
    pipeline: number('pp'),
    expert: number('ep'),
    plan: given.value('plan') as DevicesOptions['plan'],
    against: parseAgainst(given.value('against')),
    ...(asksForTraining(given) && { training: parseTrainingWay(given), data: number('dp') }),
    ...(given.has('sequence') && { sequence: true }),
    rank: number('rank', 0),
    tokens: number('context'),
    batch: number('batch'),
    weights: given.value('dtype'),
    cache: given.value('cache'),
    room,
  };
}

function parseAgainst(typed: string | undefined): DevicesOptions['against'] {
  if (typed === undefined) return undefined;
  const written = typed.replace(/^transformers-/, '');
  if (!isPlan(written)) throw new Usage(`--against needs a plan such as vllm-8x1x1 or 8x2, not ${typed}`);
  return parsePlan(written);
}

function formatTraining({ stage, rows, total, each, ...training }: DeviceTraining, terminal: Terminal): string {
  const line = (name: string, all: Bytes, one: Bytes) => [name, grouped(all.bytes), grouped(one.bytes)];
  const table = [
    [texts.trainingOf, `bytes ${texts.ofAll}`, `bytes ${texts.onDevice}`],
    ...rows.map((row) => line(trainingRows[row.name], row.total, row.each)),
    line(texts.together, total, each),
  ];
  const divided = texts.trainingDivided({ stage, rows, total, each, ...training });
  return `\n${formatColumns(table, terminal, { right: [1, 2] })}${divided}.\n`;
}

function formatSent({ sent }: DevicesAnswer, terminal: Terminal): string {
  if (sent.length === 0) return `\n${texts.nothingSent}\n`;
  const head = texts.sentTable;
  const lines = sent.map((one) => {
    const { collective, pass, place } = texts.exchange(one);
    return [
      `${place}, ${pass}`,
      collective,
      grouped(one.among),
      grouped(one.elements),
      grouped(one.times),
      grouped(one.total),
      one.formula,
    ];
  });
  const table = [[texts.sent, head.collective, head.among, head.elements, head.times, head.total, head.formula], ...lines];
  return `\n${formatColumns(table, terminal, { right: [2, 3, 4, 5] })}`;
}

function formatDifferences({ answer, differences }: NonNullable<DevicesAnswer['against']>, terminal: Terminal): string {
  const title = `${texts.plans[answer.plan]}, ${[answer.tensor, answer.pipeline, answer.expert].map(grouped).join(' × ')}`;
  const { ranks, heaviest } = answer;
  const sums = `\n${title}: ${grouped(ranks[heaviest].parameters)} parameters on the heaviest device.\n`;
  if (differences.length === 0) return `${sums}${texts.noDifferences}\n`;
  const table = [
    [texts.differences, texts.columns.whole, texts.planOf(0, 2), texts.planOf(1, 2)],
    ...differences.map(({ name, shape, first, second }) => [name, shapeText(shape), texts.shareOf(first), texts.shareOf(second)]),
  ];
  const whys = differences.flatMap(({ name, first, second }) => [
    `- ${name}`,
    `  ${texts.planOf(0, 2)}: ${texts.shareWhy(first)}`,
    `  ${texts.planOf(1, 2)}: ${texts.shareWhy(second)}`,
  ]);
  return `${sums}${formatColumns(table, terminal)}${whys.join('\n')}\n`;
}

function formatText(answer: DevicesAnswer, name: string, one: boolean, terminal: Terminal): string {
  const { ranks, rows, notes } = answer;
  const kinds = formatColumns(
    [
      [name, 'parameters', texts.weights, texts.cache],
      ...ranks.map((kind) => [
        `${texts.ranksOf(kind)}, ${texts.stagesOf(kind)}`,
        grouped(kind.parameters),
        kind.weights.known ? inUnit(kind.weights.loaded, 'gb') : '?',
        kind.cache.known ? inUnit(kind.cache.total, 'gb') : '?',
      ]),
    ],
    terminal,
    { right: [1, 2, 3] },
  );
  const unknown = new Set(ranks.flatMap(({ weights, cache }) => [weights, cache]).flatMap((part) => (part.known ? [] : [part.reason])));
  const told = [...notes.map(({ message }) => message), ...unknown].map((line) => `- ${line}\n`).join('');
  const tensors = one || ranks.length === 1 ? ranks[0] : ranks[answer.heaviest];
  const table = formatColumns(
    [
      [texts.ranksOf(tensors), texts.columns.whole, texts.columns.local, texts.columns.rule, texts.columns.parameters],
      ...tensors.rows.map(({ row, name: local, shape, elements }) => [
        local,
        shapeText(rows[row].shape),
        shapeText(shape),
        texts.rules[rows[row].rule],
        grouped(elements),
      ]),
    ],
    terminal,
    { right: [4] },
  );
  const training = tensors.training ? formatTraining(tensors.training, terminal) : '';
  const sums = one ? '' : `${texts.overShare(answer)}\n${texts.sumOf(answer) ?? ''}\n`;
  return `${kinds}${sums}${told}${training}\n${table}`;
}
