// Counts many configurations, one per line. Reads lines as they arrive, counts batches in one or several threads, and writes the answers in
// the order of the lines.

import { MAX_BYTES } from '../core/config-bytes.ts';
import * as words from './texts.ts';
import { InputFailure, type ExitCode } from './command.ts';
import { readChunks, LARGEST, openInput } from './read-content.ts';
import { createBatchCounter, type Batch, type Counted } from './batch-counter.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  /** Whether to compute only totals and warnings. */
  readonly totals: boolean;
  /** The number of threads. */
  readonly jobs: number;
}

/** Only this many bytes of a longer line are kept. They are enough for the core to refuse it as too long. */
const MAX_LINE = MAX_BYTES + 1;
/** The least number of milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 250;

/**
 * Counts the lines of `files`, or of standard input if `files` is empty. All files are opened before anything is counted. If reading ends
 * early because a file becomes unreadable or by Ctrl-C, batches that have been started are still answered.
 */
export async function countLines(files: readonly string[], { totals, jobs }: Options, terminal: Terminal): Promise<ExitCode> {
  const sources = await openAll(files.length > 0 ? files : ['-']);
  const pool = await createBatchCounter(jobs, totals);
  const answers = createAnswerWriter(terminal);
  // Answers are written in order, each as soon as possible, because the caller may wait for an answer before it sends more lines.
  let last = Promise.resolve();
  const answered = (batch: Batch) => {
    const [before, answer] = [last, pool.count(batch)];
    answer.catch(() => {}); // handled below, where the answer is awaited in order
    last = before.then(async () => answers.write(await answer));
    last.catch(() => {});
    return last;
  };
  const stopping = watchInterrupt();
  const reading = readBatches(sources);
  // At most two batches per thread are in progress, which bounds the use of memory. With two, a thread need not wait for the next batch.
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
  terminal.say(`param-ledger: ${answers.progressText()}`);
  if (failure) throw failure.error;
  if (!interrupted) return answers.sums.refused > 0 ? 1 : 0;
  terminal.say(`param-ledger: ${words.stoppedAt(describeFile(file), line)}`);
  return 130;
}

/** Creates a writer that writes the answers of batches, adds up their counts, and reports progress. */
function createAnswerWriter(terminal: Terminal) {
  const begun = performance.now();
  const sums = { counted: 0, refused: 0, warned: 0 };
  let reported = 0;
  const progressText = () => words.counted(sums, (performance.now() - begun) / 1000);
  const write = async ({ output, ...own }: Counted) => {
    for (const name of ['counted', 'refused', 'warned'] as const) sums[name] += own[name];
    await terminal.write(output);
    if (performance.now() - reported < PROGRESS_INTERVAL) return;
    reported = performance.now();
    terminal.progress(progressText());
  };
  return { sums, write, progressText };
}

const describeFile = (file: string) => (file === '-' ? words.standardInput : file);

/** `heard` resolves at the first Ctrl-C. A second one ends the program as usual. `over` stops listening. */
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

/**
 * Checks that all inputs can be opened. Regular files are closed until their turn, because there may be many. Throws `InputFailure` if one
 * cannot be opened.
 */
async function openAll(files: readonly string[]): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const file of files) {
    const source = await openInput(file);
    if (source.lasting) await source.close();
    sources.push({ file, chunks: () => (source.lasting ? readChunks(file) : source.chunks()) });
  }
  return sources;
}

/** A batch, its file, and the number of the line that follows it. */
interface Located extends Batch {
  readonly file: string;
  readonly next: number;
}

/**
 * Yields lines in batches. A batch is all lines that one chunk of the input completes, or a last line without a line break. Lines longer
 * than MAX_LINE bytes are cut. Throws `InputFailure` if more than LARGEST bytes contain no line break.
 */
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
