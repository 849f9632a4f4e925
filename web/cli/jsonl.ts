// Many configurations, one a line: read as they come, counted in batches by one thread or several, answered in the order of the lines.

import { MAX_BYTES } from '../lib/core/config-bytes.ts';
import * as commandLineTexts from '../lib/texts/command-line-texts.ts';
import { Usage, type ExitCode } from './command.ts';
import { chunksOf, LARGEST } from './contents.ts';
import { counters, type Batch, type Counted } from './jobs.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  /** The sums alone. */
  readonly totals: boolean;
  /** Threads. */
  readonly jobs: number;
}

/** Of a line that is longer not all is kept: what is kept is refused for its length. */
const MAX_LINE = MAX_BYTES + 1;
/** How often the progress is told, in milliseconds. */
const OFTEN = 250;

/** `files`: standard input where there are none. */
export async function countLines(files: readonly string[], { totals, jobs }: Options, terminal: Terminal): Promise<ExitCode> {
  const pool = await counters(jobs, totals);
  const begun = performance.now();
  const sums = { counted: 0, refused: 0 };
  let told = 0;
  const so = () => commandLineTexts.counted(sums.counted, sums.refused, (performance.now() - begun) / 1000);
  const put = async ({ output, counted, refused }: Counted) => {
    sums.counted += counted;
    sums.refused += refused;
    await terminal.write(output);
    if (performance.now() - told < OFTEN) return;
    told = performance.now();
    terminal.progress(so());
  };
  // A batch or two for each thread, so that none waits, and no more, so that the memory stays the same.
  const running: Promise<Counted>[] = [];
  try {
    for await (const batch of batches(files)) {
      running.push(pool.count(batch));
      if (running.length >= 2 * jobs) await put(await (running.shift() as Promise<Counted>));
    }
    for (const last of running) await put(await last);
  } finally {
    await pool.close();
    terminal.progress('');
  }
  terminal.say(`param-ledger: ${so()}`);
  return sums.refused > 0 ? 1 : 0;
}

/** Whole lines, some hundred KB at a time. */
async function* batches(files: readonly string[]): AsyncGenerator<Batch> {
  for (const file of files.length > 0 ? files : ['-']) {
    let line = 1;
    let rest: Buffer[] = [];
    let kept = 0;
    let running = 0;
    const keep = (bytes: Buffer) => {
      const part = bytes.subarray(0, Math.max(0, MAX_LINE - kept));
      rest.push(part);
      kept += part.length;
    };
    for await (const chunk of chunksOf(file)) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      running = end > 0 ? 0 : running + chunk.length;
      if (running > LARGEST) throw new Usage(commandLineTexts.longLine(file));
      if (end > 0) {
        const first = chunk.indexOf(NEWLINE) + 1;
        keep(chunk.subarray(0, first));
        const bytes = Buffer.concat([...rest, ...(kept === MAX_LINE ? [LINE_END] : []), chunk.subarray(first, end)]);
        yield { bytes, line };
        line += linesOf(bytes);
        [rest, kept] = [[], 0];
      }
      keep(chunk.subarray(end));
    }
    if (kept > 0) yield { bytes: Buffer.concat(rest), line };
  }
}

const NEWLINE = 10;
const LINE_END = Buffer.from('\n');

function linesOf(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
