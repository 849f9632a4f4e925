// What each device of a group holds: the command `devices`.

import { loadLedger } from '../core/ledger.ts';
import { formatDevicesCsv, formatDevicesMarkdown } from '../export/devices-formats.ts';
import { nameOf } from '../models/model.ts';
import * as texts from '../settings/devices-texts.ts';
import { inUnit } from '../settings/memory-texts.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import type { DevicesAnswer, DevicesOptions } from '../types/index.ts';
import { asJson, formatAliases, Usage, type Command, type ExitCode, type Given } from './command.ts';
import { changeOptions, loadEntry } from './count-command.ts';
import { parseBytes, parseNumber } from './numbers.ts';
import * as words from './texts.ts';
import { formatColumns } from './text-table.ts';
import type { Terminal } from './terminal.ts';

const formats = ['text', 'json', 'csv', 'markdown'];

export const devices: Command = {
  name: 'devices',
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary: 'What each device holds where several share a model, tensor by tensor.',
  options: [
    { name: 'tp', value: 'N', meaning: 'Devices that share each tensor: tensor parallelism.' },
    { name: 'pp', value: 'N', meaning: 'Stages of a pipeline, each with layers of its own.' },
    { name: 'ep', value: 'N', meaning: 'Devices that share the experts of a layer: a multiple of --tp.' },
    { name: 'plan', value: 'PLAN', choices: ['transformers'], meaning: 'Whose plan: transformers.' },
    { name: 'rank', value: 'N', meaning: 'One device alone, with all of its tensors.' },
    { name: 'context', short: 'n', value: 'TOKENS', meaning: 'The context; 4096 where nothing is said. 128k is 131,072.' },
    { name: 'batch', short: 'b', value: 'N', meaning: 'Sequences at once.' },
    { name: 'dtype', value: 'FORMAT', meaning: 'Of weights, as for memory.' },
    { name: 'cache', value: 'DTYPE', meaning: 'Of the cache: bfloat16, float8, float32.' },
    { name: 'gb', value: 'N', meaning: 'The memory of a device, in GB of 1,000,000,000 bytes; 24GiB is understood, too.' },
    { name: 'fits', with: ['gb'], meaning: 'Fail unless the heaviest device holds its weights and its cache. For CI.' },
    { name: 'format', short: 'f', value: 'FORMAT', choices: formats, aliases: formatAliases, meaning: `One of ${formats.join(', ')}.` },
    ...changeOptions,
  ],
  more: `  param-ledger devices deepseek-ai/DeepSeek-V3 --tp 8
  param-ledger devices Llama-3.1-8B --tp 4 --pp 2 --rank 5
  param-ledger devices . --tp 8 --ep 8 --context 128k --gb 80 --fits
Devices are counted tensor parallelism first, then the stages.`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('nothing to look at');
    const options = parseOptions(given);
    const format = given.value('format') ?? 'text';
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

    /** Writes an answer. Returns a sentence if there is none, or if a device does not fit. */
    async function showOne(answer: ReturnType<typeof ledger.devices>, name: string): Promise<string | undefined> {
      if (format === 'json') await terminal.write(asJson(answer));
      if (!answer.ok) return `${name}: ${answer.error.message}`;
      if (format === 'text') await terminal.write(formatText(answer, name, options.rank !== undefined, terminal));
      if (format === 'csv') await terminal.write(formatDevicesCsv(answer));
      if (format === 'markdown') await terminal.write(formatDevicesMarkdown(answer));
      return given.has('fits') ? describeUnfit(answer, name, String(options.room)) : undefined;
    }
  },
};

/** Why a device's share does not fit, or why that is unknown. */
function describeUnfit({ ranks, heaviest }: DevicesAnswer, name: string, room: string): string | undefined {
  const kind = ranks[heaviest];
  const unknown = ranks.flatMap(({ weights, cache }) => [weights, cache]).flatMap((part) => (part.known ? [] : [part.reason]));
  if (unknown.length > 0 || kind.need === undefined) return `${name}: ${[words.fitsUnknown, ...new Set(unknown)].join(': ')}`;
  return kind.fits ? undefined : `${name}: ${texts.unfit(kind, grouped(kind.need.bytes), `${grouped(room)} bytes`)}`;
}

function parseOptions(given: Given): DevicesOptions {
  const gb = given.value('gb');
  const room = gb === undefined ? undefined : parseBytes(gb);
  if (gb !== undefined && room === undefined) throw new Usage(`--gb wants GB such as 80, 79.6 or 24GiB, not ${gb}`);
  const number = (name: string, least = 1) => parseNumber(given, name, least, Number.MAX_SAFE_INTEGER);
  return {
    tensor: number('tp'),
    pipeline: number('pp'),
    expert: number('ep'),
    plan: given.value('plan') as DevicesOptions['plan'],
    rank: number('rank', 0),
    tokens: number('context'),
    batch: number('batch'),
    weights: given.value('dtype'),
    cache: given.value('cache'),
    room,
  };
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
  const sums = one ? '' : `${texts.overShare(answer)}\n${texts.sumOf(answer) ?? ''}\n`;
  return `${kinds}${sums}${told}\n${table}`;
}
