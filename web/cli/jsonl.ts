// Many configurations, one a line: read as they come, counted in batches by one thread or several, answered in the order of the lines.

import { MAX_BYTES } from '../core/config-bytes.ts';
import * as words from './texts.ts';
import { InputFailure, type ExitCode } from './command.ts';
import { readChunks, LARGEST, openInput } from './read-content.ts';
import { createBatchCounter, type Batch, type Counted } from './batch-counter.ts';
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
const PROGRESS_INTERVAL = 250;

/**
 * `files`: standard input where there are none. All are opened before anything is counted. Whatever ends it early (a file that cannot be read
 * on, Ctrl-C, a reader that has gone), what runs is finished and written first.
 */
export async function countLines(files: readonly string[], { totals, jobs }: Options, terminal: Terminal): Promise<ExitCode> {
  const sources = await openAll(files.length > 0 ? files : ['-']);
  const pool = await createBatchCounter(jobs, totals);
  const begun = performance.now();
  const sums = { counted: 0, refused: 0, warned: 0 };
  let told = 0;
  const so = () => words.counted(sums, (performance.now() - begun) / 1000);
  const put = async ({ output, ...own }: Counted) => {
    for (const name of ['counted', 'refused', 'warned'] as const) sums[name] += own[name];
    await terminal.write(output);
    if (performance.now() - told < PROGRESS_INTERVAL) return;
    told = performance.now();
    terminal.progress(so());
  };
  // Written one behind the other, each as soon as it is its turn: an engine may wait for answers before it writes on.
  let last = Promise.resolve();
  const answered = (batch: Batch) => {
    const [before, answer] = [last, pool.count(batch)];
    answer.catch(() => {}); // it is heard where its turn comes
    last = before.then(async () => put(await answer));
    last.catch(() => {});
    return last;
  };
  const stopping = watchInterrupt();
  const reading = readBatches(sources);
  // A batch or two for each thread, so that none waits, and no more, so that the memory stays the same.
  const running: Promise<void>[] = [];
  let [file, line] = [sources[0].file, 1];
  let failure: { readonly error: unknown } | undefined;
  let interrupted = false;
  try {
    while (!terminal.closed) {
      const next = await Promise.race([reading.next(), stopping.heard]);
      interrupted = next === undefined;
      if (next === undefined || next.done) break;
      [file, line] = [next.value.file, next.value.next];
      running.push(answered(next.value));
      if (running.length >= 2 * jobs) await running.shift();
    }
  } catch (error) {
    failure = { error };
  }
  try {
    await last;
  } catch (error) {
    failure ??= { error };
  } finally {
    stopping.over();
    await pool.close();
    terminal.progress('');
  }
  terminal.say(`param-ledger: ${so()}`);
  if (failure) throw failure.error;
  if (!interrupted) return sums.refused > 0 ? 1 : 0;
  terminal.say(`param-ledger: ${words.stoppedAt(describeFile(file), line)}`);
  return 130;
}

const describeFile = (file: string) => (file === '-' ? words.standardInput : file);

/** The first Ctrl-C; the second one ends the program, as ever. */
function watchInterrupt(): { readonly heard: Promise<undefined>; readonly over: () => void } {
  let hear: () => void = () => {};
  const heard = new Promise<undefined>((resolve) => (hear = () => resolve(undefined)));
  process.once('SIGINT', hear);
  return { heard, over: () => void process.off('SIGINT', hear) };
}

interface Source {
  readonly file: string;
  readonly chunks: () => AsyncGenerator<Buffer>;
}

/** Files that stay as they are may be many: they are closed again until their turn comes. Throws `InputFailure` for what is not there. */
async function openAll(files: readonly string[]): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const file of files) {
    const source = await openInput(file);
    if (source.lasting) await source.close();
    sources.push({ file, chunks: () => (source.lasting ? readChunks(file) : source.chunks()) });
  }
  return sources;
}

/** A batch, the file that it is from, and the line after it. */
interface Located extends Batch {
  readonly file: string;
  readonly next: number;
}

/** Whole lines, some hundred KB at a time. */
async function* readBatches(sources: readonly Source[]): AsyncGenerator<Located> {
  for (const { file, chunks } of sources) {
    let line = 1;
    let rest: Buffer[] = [];
    let kept = 0;
    let running = 0;
    const keep = (bytes: Buffer) => {
      const part = bytes.subarray(0, Math.max(0, MAX_LINE - kept));
      rest.push(part);
      kept += part.length;
    };
    for await (const chunk of chunks()) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      running = end > 0 ? 0 : running + chunk.length;
      if (running > LARGEST) throw new InputFailure(words.longLine(describeFile(file)));
      if (end > 0) {
        const first = chunk.indexOf(NEWLINE) + 1;
        keep(chunk.subarray(0, first));
        const bytes = Buffer.concat([...rest, ...(kept === MAX_LINE ? [LINE_END] : []), chunk.subarray(first, end)]);
        const next = line + countLineEnds(bytes);
        yield { bytes, line, file, next };
        line = next;
        [rest, kept] = [[], 0];
      }
      keep(chunk.subarray(end));
    }
    if (kept > 0) yield { bytes: Buffer.concat(rest), line, file, next: line + 1 };
  }
}

const NEWLINE = 10;
const LINE_END = Buffer.from('\n');

function countLineEnds(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
