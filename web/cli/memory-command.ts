// The command `memory`, which shows how much memory models need.

import { loadLedger, type Ledger } from '../core/ledger.ts';
import * as words from './texts.ts';
import { grouped } from '../support/numbers.ts';
import * as texts from '../settings/memory-texts.ts';
import { inUnit } from '../settings/memory-texts.ts';
import { nameOf } from '../models/model.ts';
import type { MemoryAnswer, MemoryOptions } from '../types/index.ts';
import { asJson, jsonOption, Usage, type Command, type ExitCode, type Given } from './command.ts';
import { changeOptions, loadEntry } from './count-command.ts';
import { parseBytes, parseNumber } from './numbers.ts';
import { formatColumns } from './text-table.ts';
import type { Terminal } from './terminal.ts';
import { asksForTraining, parseTraining, trainingOptions, formatTraining } from './training.ts';

export const memory: Command = {
  name: 'memory',
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary: 'Shows the memory that the weights and the cache of each model take, its operations, and whether it fits.',
  options: [
    { name: 'context', short: 'n', value: 'TOKENS', meaning: 'Tokens in the context; 4096 by default. 128k is 131,072.' },
    { name: 'batch', short: 'b', value: 'N', meaning: 'Sequences in a batch.' },
    { name: 'beams', value: 'N', meaning: 'Number of beams in a beam search.' },
    { name: 'source', value: 'TOKENS', meaning: 'Tokens that an encoder reads; by default as many as the context.' },
    {
      name: 'dtype',
      value: 'FORMAT',
      meaning: `Data type of the weights: ${Object.keys(texts.formats).join(', ')},\nor fp8, fp16, 4-bit, ….`,
    },
    { name: 'cache', value: 'DTYPE', meaning: 'Data type of the cache: bfloat16, float8, float32.' },
    { name: 'gb', value: 'N', meaning: 'The memory of a device: in GB (1,000,000,000 bytes), or in GiB if written as 24GiB.' },
    { name: 'devices', value: 'N', meaning: 'Number of devices.' },
    { name: 'fits', with: ['gb'], meaning: 'Fail unless weights and cache fit. For CI.' },
    ...trainingOptions,
    jsonOption,
    ...changeOptions,
  ],
  more: `  param-ledger memory deepseek-ai/DeepSeek-V3 --context 32k --gb 141 --devices 8
  param-ledger memory . --context 128k --batch 8 --dtype fp8
  param-ledger memory . --context 32k --gb 24 --fits
  param-ledger memory Llama-3.1-8B --lora 16 --modules q,v`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('no model is given');
    const options = parseMemoryOptions(given);
    const trains = asksForTraining(given);
    const ledger = await loadLedger();
    let code: ExitCode = 0;
    for (const word of given.operands.length > 0 ? given.operands : ['-']) {
      const refused = await measureOne(
        word,
        ledger,
        given,
        (text) => (trains ? { ...options, training: parseTraining(given, text, ledger) } : options),
        terminal,
      );
      if (refused === undefined) continue;
      terminal.say(`param-ledger: ${refused}`);
      code = 1;
    }
    return code;
  },
};

/**
 * Writes one answer. Returns an error message if the model cannot be loaded, is refused or, with `--fits`, does not fit or might not fit.
 */
async function measureOne(
  word: string,
  ledger: Ledger,
  given: Given,
  optionsFor: (config: string) => MemoryOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  const entry = await loadEntry(word, ledger, given, given.has('json'), terminal);
  if (typeof entry === 'string') return entry;
  const answer = ledger.memory(entry.text, optionsFor(entry.text));
  if (given.has('json')) await terminal.write(asJson(answer));
  if (!answer.ok) return `${nameOf(entry)}: ${answer.error.message}`;
  if (!given.has('json')) await terminal.write(formatMemory(answer, nameOf(entry), terminal));
  return given.has('fits') ? describeUnfit(answer, nameOf(entry)) : undefined;
}

/** Explains why a model does not fit, or why that is unknown. Undefined if it fits. */
function describeUnfit({ weights, cache, need, room }: MemoryAnswer, name: string): string | undefined {
  if (need && room) return room.fits ? undefined : `${name}: ${texts.fitsNot(inUnit(need, 'gb'), inUnit(room.total, 'gb'))}`;
  const reasons = [weights, cache].flatMap((part) => (part.known ? [] : [part.reason]));
  return `${name}: ${[words.fitsUnknown, ...reasons].join(': ')}`;
}

function parseMemoryOptions(given: Given): MemoryOptions {
  const gb = given.value('gb');
  const room = gb === undefined ? undefined : parseBytes(gb);
  if (gb !== undefined && room === undefined) throw new Usage(`--gb needs GB such as 80, 79.6 or 24GiB, not ${gb}`);
  const number = (name: string) => parseNumber(given, name, 1, Number.MAX_SAFE_INTEGER);
  return {
    tokens: number('context'),
    batch: number('batch'),
    beams: number('beams'),
    source: number('source'),
    weights: given.value('dtype'),
    cache: given.value('cache'),
    devices: number('devices'),
    room,
  };
}

function formatMemory({ weights, cache, need, room, compute, tokens, training }: MemoryAnswer, name: string, terminal: Terminal): string {
  const rows: string[][] = [[name, 'bytes', 'GB', 'GiB']];
  const add = (what: string, { bytes, gb, gib }: { bytes: string; gb: string; gib: string }) => rows.push([what, grouped(bytes), gb, gib]);
  if (weights.known) add(`${texts.weights}, ${weights.format}`, weights.loaded);
  if (cache.known) add(`${texts.cache}, ${grouped(tokens)} tokens`, cache.total);
  if (cache.known) for (const engine of cache.engines ?? []) if (engine.known) add(texts.cacheIn(engine), engine.total);
  if (need) add('together', need);
  if (room) add(texts.legend.room, room.total);
  const lines = [weights, cache, compute].flatMap((part) => (part.known ? [] : [part.reason]));
  if (weights.known && weights.bits_per_parameter !== undefined) lines.push(texts.bits(weights.bits_per_parameter));
  if (cache.known) lines.push(`${texts.formula}: ${cache.formula}`);
  if (compute.known)
    lines.push(...Object.entries(texts.computeRows(tokens)).map(([key, what]) => `${what}: ${texts.operations(compute[key as 'next'])}`));
  if (room && need) {
    lines.push(
      room.fits ? texts.fits(inUnit(need, 'gb'), inUnit(room.total, 'gb')) : texts.fitsNot(inUnit(need, 'gb'), inUnit(room.total, 'gb')),
      texts.longest(room),
      ...(room.devices === '1' ? [] : [texts.divided]),
    );
  }
  const trained = training ? `\n${formatTraining(training, terminal)}` : '';
  return `${formatColumns(rows, terminal, { right: [1, 2, 3] })}${lines.map((line) => `${line}\n`).join('')}${trained}`;
}
