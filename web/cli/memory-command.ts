// What models take: the command `memory`.

import { whole } from '../lib/core/ledger.ts';
import { bytesOfGb } from '../lib/settings/devices.ts';
import { grouped } from '../lib/texts/format.ts';
import * as texts from '../lib/texts/memory-texts.ts';
import { inUnit } from '../lib/texts/memory-texts.ts';
import { nameOf } from '../lib/models/model.ts';
import type { MemoryAnswer, MemoryOptions } from '../lib/types.ts';
import { Usage, type Command, type ExitCode, type Given } from './command.ts';
import { changed, changing } from './count-command.ts';
import { sourceOf } from './operands.ts';
import { columned } from './text-table.ts';
import type { Terminal } from './terminal.ts';

export const memory: Command = {
  name: 'memory',
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary: 'What each takes while it runs: weights, cache, operations, and whether it fits.',
  options: [
    { name: 'context', short: 'n', value: 'TOKENS', meaning: 'The context; 4096 where nothing is said.' },
    { name: 'batch', short: 'b', value: 'N', meaning: 'Sequences at once.' },
    { name: 'beams', value: 'N', meaning: 'Of beam search.' },
    { name: 'source', value: 'N', meaning: 'Tokens that an encoder reads; as many as the context otherwise.' },
    { name: 'dtype', value: 'FORMAT', meaning: `Of weights: ${Object.keys(texts.formats).join(', ')},\nor fp8, fp16, 4-bit, ….` },
    { name: 'cache', value: 'DTYPE', meaning: 'Of the cache: bfloat16, float8, float32.' },
    { name: 'gb', value: 'N', meaning: 'The memory of a device, in GB of 1,000,000,000 bytes.' },
    { name: 'devices', value: 'N', meaning: 'How many devices there are.' },
    { name: 'json', meaning: 'The whole answer, as the package gives it.' },
    ...changing,
  ],
  more: `  param-ledger memory deepseek-ai/DeepSeek-V3 --context 32768 --gb 141 --devices 8
  param-ledger memory . --context 131072 --batch 8 --dtype fp8`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('nothing to look at');
    const ledger = await whole();
    const options = optionsOf(given);
    let code: ExitCode = 0;
    for (const word of given.operands.length > 0 ? given.operands : ['-']) {
      let refused: string | undefined;
      try {
        const entry = changed(await sourceOf(word, ledger), given);
        const answer = ledger.memory(entry.text, options);
        if (answer.ok)
          await terminal.write(given.has('json') ? `${JSON.stringify(answer, null, 2)}\n` : written(answer, nameOf(entry), terminal));
        else refused = `${nameOf(entry)}: ${answer.error.message}`;
      } catch (error) {
        if (error instanceof Usage) throw error;
        refused = (error as Error).message;
      }
      if (refused === undefined) continue;
      terminal.say(`param-ledger: ${refused}`);
      code = 1;
    }
    return code;
  },
};

function optionsOf(given: Given): MemoryOptions {
  const gb = given.value('gb');
  const room = gb === undefined ? undefined : bytesOfGb(gb);
  if (gb !== undefined && room === undefined) throw new Usage(`--gb wants a whole number, not ${gb}`);
  return {
    tokens: given.value('context'),
    batch: given.value('batch'),
    beams: given.value('beams'),
    source: given.value('source'),
    weights: given.value('dtype'),
    cache: given.value('cache'),
    devices: given.value('devices'),
    room,
  };
}

function written({ weights, cache, need, room, compute, tokens }: MemoryAnswer, name: string, terminal: Terminal): string {
  const rows: string[][] = [[name, 'bytes', 'GB', 'GiB']];
  const add = (what: string, { bytes, gb, gib }: { bytes: string; gb: string; gib: string }) => rows.push([what, grouped(bytes), gb, gib]);
  if (weights.known) add(`${texts.weights}, ${weights.format}`, weights.loaded);
  if (cache.known) add(`${texts.cache}, ${grouped(tokens)} tokens`, cache.total);
  if (need) add('together', need);
  if (room) add(texts.legend.room, room.total);
  const lines = [weights, cache, compute].flatMap((part) => (part.known ? [] : [part.reason]));
  if (cache.known) lines.push(`${texts.formula}: ${cache.formula}`);
  if (compute.known)
    lines.push(...Object.entries(texts.computeRows(tokens)).map(([key, what]) => `${what}: ${texts.operations(compute[key as 'next'])}`));
  if (room && need) {
    lines.push(
      room.fits ? texts.fits(inUnit(need, 'gb'), inUnit(room.total, 'gb')) : texts.fitsNot(inUnit(need, 'gb'), inUnit(room.total, 'gb')),
      texts.longest(room),
    );
  }
  return `${columned(rows, terminal, { right: [1, 2, 3] })}${lines.map((line) => `${line}\n`).join('')}`;
}
