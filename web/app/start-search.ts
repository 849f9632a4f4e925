// Starts a search in a worker, which has its own instance of the WebAssembly program.

import script from '#search-worker';
import { getProgram, type Ledger } from '../core/ledger.ts';
import { withNumbers } from '../support/numbers.ts';
import * as targetTexts from '../texts/target.ts';
import type { Refusal, SearchAnswer, SearchRequest } from '../types/index.ts';
import { trustScriptUrl } from './script-url.ts';
import type { Task } from './search-worker.ts';

/** Creates a URL of the script that the worker runs. */
const createScriptUrl = () => trustScriptUrl(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));

/** The number of evaluations before the worker posts its first answer. */
const FIRST = 5_000;

/**
 * Starts a search and passes each answer to `tell`. The last answer has `done` set or is a refusal. Returns a function that stops the
 * search.
 */
export function startSearch(
  ledger: Ledger,
  config: string,
  request: SearchRequest,
  tell: (answer: SearchAnswer | Refusal) => void,
): () => void {
  const failed = (message: string) => tell({ ok: false, error: { code: 'internal', field: '', message } });
  const program = getProgram(ledger);
  if (!program) {
    failed(targetTexts.noWorker);
    return () => undefined;
  }
  let worker: Worker;
  try {
    worker = new Worker(createScriptUrl());
  } catch (error) {
    failed(`${targetTexts.noWorker} ${(error as Error).message}`); // some frames do not allow workers
    return () => undefined;
  }
  worker.onmessage = ({ data }: MessageEvent<string>) => tell(JSON.parse(withNumbers(data)) as SearchAnswer | Refusal);
  worker.onerror = ({ message }) => failed(message || targetTexts.noWorker);
  worker.postMessage({ program, config, request: JSON.stringify({ ...request, budget: FIRST }) } satisfies Task);
  return () => worker.terminate();
}
