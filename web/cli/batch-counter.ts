// Counts batches of lines, in this thread or in worker threads that run this program.

import { parentPort, Worker, workerData } from 'node:worker_threads';
import { splitLine } from '../config/config-line.ts';
import { loadCounter, type Counter } from '../core/counter.ts';
import type { Note } from '../types/index.ts';
import * as words from './texts.ts';

/** A batch of whole lines. `line` is the number of the first one in its file. */
export interface Batch {
  readonly bytes: Uint8Array;
  readonly line: number;
}

export interface Counted {
  /** One answer per line that is not blank. */
  readonly output: Uint8Array;
  readonly counted: number;
  readonly refused: number;
  /** The number of lines that were counted with warnings. */
  readonly warned: number;
}

export interface BatchCounter {
  count(batch: Batch): Promise<Counted>;
  close(): Promise<unknown>;
}

export async function createBatchCounter(jobs: number, totals: boolean): Promise<BatchCounter> {
  if (jobs > 1) return createThreadPool(jobs, totals);
  const counter = await loadCounter();
  return { count: (batch) => Promise.resolve(countBatch(counter, batch, totals)), close: () => Promise.resolve() };
}

function createThreadPool(jobs: number, totals: boolean): BatchCounter {
  const pool = Array.from({ length: jobs }, () => startThread(totals));
  let next = 0;
  return {
    count: (batch) => pool[next++ % jobs].count(batch),
    close: () => Promise.all(pool.map((one) => one.close())),
  };
}

/** After this many deaths in a row without an answer in between, a thread is not replaced, and its batches fail. */
const MAX_DEATHS = 3;

interface Waiting {
  readonly batch: Batch;
  readonly resolve: (answer: Counted) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts a thread that answers batches in order. If it dies, a new one takes over the unanswered batches, up to MAX_DEATHS. */
function startThread(totals: boolean): BatchCounter {
  let waiting: Waiting[] = [];
  let deaths = 0;
  let closed = false;
  let worker = begun();
  function begun(): Worker {
    const own = new Worker(new URL(import.meta.url), { workerData: totals });
    own.on('message', (answer: Counted) => {
      deaths = 0;
      waiting.shift()?.resolve(answer);
    });
    own.on('error', () => {}); // the exit event follows
    own.on('exit', replaced);
    return own;
  }
  function replaced(): void {
    if (closed) return;
    if (++deaths < MAX_DEATHS) {
      worker = begun();
      waiting.forEach(({ batch }) => post(batch));
    } else {
      closed = true;
      waiting.forEach(({ batch, reject }) => reject(deadThreadError(batch)));
      waiting = [];
    }
  }
  function post({ bytes, line }: Batch): void {
    const own = Uint8Array.from(bytes); // transferring the bytes detaches them, and a replacement thread may need the originals
    worker.postMessage({ bytes: own, line }, [own.buffer]);
  }
  return {
    count: (batch) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(deadThreadError(batch));
        waiting.push({ batch, resolve, reject });
        post(batch);
      }),
    close: () => {
      closed = true;
      return worker.terminate();
    },
  };
}

const deadThreadError = ({ line }: Batch) => new Error(words.deadThread(line));

/** The entry point of a worker thread. */
export async function runWorker(): Promise<void> {
  const port = parentPort;
  const loading = loadCounter();
  // Registered before the first await, because Deno drops messages that arrive before a listener is registered.
  port?.on('message', async (batch: Batch) => {
    const answer = countBatch(await loading, batch, workerData as boolean);
    port.postMessage(answer, [answer.output.buffer as ArrayBuffer]);
  });
  await loading;
}

function countBatch(counter: Counter, { bytes, line: first }: Batch, totals: boolean): Counted {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const sums = { counted: 0, refused: 0, warned: 0 };
  let output = '';
  let line = first;
  for (let from = 0; from < lines.length; line++) {
    const end = lines.indexOf(10, from);
    const own = lines.subarray(from, end < 0 ? lines.length : end);
    from += own.length + 1;
    if (isBlank(own)) continue;
    const { id, config } = own.includes('"config"') ? splitLine(own.toString()) : { config: own };
    const answer = totals ? counter.totals(config) : counter.count(config);
    sums[answer.ok ? 'counted' : 'refused']++;
    if (hasWarnings(answer)) sums.warned++;
    const marks = `${id === undefined ? '' : `"id":${id},`}${answer.ok ? '' : `"line":${line},`}`;
    output += `{${marks}${JSON.stringify(answer).slice(1)}\n`;
  }
  return { output: new TextEncoder().encode(output), ...sums };
}

/** Full answers have their warnings among their `notes`. Answers with only totals have a member `warnings` if there are any. */
const hasWarnings = (answer: object) =>
  'warnings' in answer || ('notes' in answer && (answer.notes as readonly Note[]).some(({ level }) => level === 'warning'));

const isBlank = (bytes: Buffer) => bytes.every((byte) => byte === 32 || byte === 13 || byte === 9);
