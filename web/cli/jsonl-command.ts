// The command `jsonl`, which counts many configurations, one per line.

import { jsonOption, Usage, type Command } from './command.ts';
import { countLines } from './jsonl.ts';
import { parseNumber } from './numbers.ts';

/** The largest number of worker threads. */
const MAX_JOBS = 256;

export const jsonl: Command = {
  name: 'jsonl',
  operands: '[FILE|-]...',
  takes: 'files',
  summary:
    'Reads one configuration per line and writes one answer per line, in the same order: {"id": …, "config": {…}} or the configuration alone.',
  options: [
    { name: 'totals', meaning: 'Write only totals and warnings, which is faster.' },
    { name: 'jobs', short: 'j', value: 'N', meaning: 'Number of threads.' },
    { ...jsonOption, meaning: 'Has no effect: the output is always JSON.' },
  ],
  more: `  zcat configs.jsonl.gz | param-ledger jsonl --totals --jobs 4 > totals.jsonl
  parallel --pipe --block 20M --keep-order 'param-ledger jsonl --totals || test $? -eq 1' < configs.jsonl

For a refused line, the answer has its number and the reason; the other lines are still counted, and the exit code is 1. Ctrl-C finishes the lines that have been started, reports progress and exits with 130.`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('no model is given');
    return countLines(given.operands, { totals: given.has('totals'), jobs: parseNumber(given, 'jobs', 1, MAX_JOBS) ?? 1 }, terminal);
  },
};
