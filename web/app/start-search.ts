// Begins a search beside the page and stops it.

import script from '#search-worker';
import { getProgram, type Ledger } from '../core/ledger.ts';
import { withNumbers } from '../support/numbers.ts';
import * as targetTexts from '../texts/target.ts';
import type { Refusal, SearchAnswer, SearchRequest } from '../types/index.ts';
import { trustScriptUrl } from './script-url.ts';
import type { Task } from './search-worker.ts';

/** The address of the worker's own script. */
const createScriptUrl = () => trustScriptUrl(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));

/** Evaluations before the first answer. */
const FIRST = 5_000;

/** Tells each answer, the last one `done` or a refusal; returns how to stop. */
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
    failed(`${targetTexts.noWorker} ${(error as Error).message}`); // a frame that lets no page have one
    return () => undefined;
  }
  worker.onmessage = ({ data }: MessageEvent<string>) => tell(JSON.parse(withNumbers(data)) as SearchAnswer | Refusal);
  worker.onerror = ({ message }) => failed(message || targetTexts.noWorker);
  worker.postMessage({ program, config, request: JSON.stringify({ ...request, budget: FIRST }) } satisfies Task);
  return () => worker.terminate();
}
