// Counts many configurations, one per line: the command `jsonl`, also written `--jsonl`.

import { jsonOption, Usage, type Command } from './command.ts';
import { countLines } from './jsonl.ts';
import { parseNumber } from './numbers.ts';

/** The most worker threads. */
const MAX_JOBS = 256;

export const jsonl: Command = {
  name: 'jsonl',
  operands: '[FILE|-]...',
  takes: 'files',
  summary: 'One configuration a line in, one answer a line out, in the same order: {"id": …, "config": {…}} or the configuration alone.',
  options: [
    { name: 'totals', meaning: 'The sums alone, and what is to be looked at again; faster.' },
    { name: 'jobs', short: 'j', value: 'N', meaning: 'Threads that count.' },
    { ...jsonOption, meaning: 'As it is always.' },
  ],
  more: `  zcat configs.jsonl.gz | param-ledger jsonl --totals --jobs 4 > totals.jsonl
  parallel --pipe --block 20M --keep-order 'param-ledger jsonl --totals || test $? -eq 1' < configs.jsonl

A line that is refused is answered with its number and its reason, and the rest goes on; the exit code is 1 then. Ctrl-C finishes what runs, says how far it came and exits with 130.`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('nothing to count');
    return countLines(given.operands, { totals: given.has('totals'), jobs: parseNumber(given, 'jobs', 1, MAX_JOBS) ?? 1 }, terminal);
  },
};
