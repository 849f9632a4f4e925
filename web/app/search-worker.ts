// The worker that runs a search in its own instance of the full WebAssembly program. It searches in steps and posts the results so far
// after each, so that they are not lost if the search is stopped.

import { startCore } from '../core/core.ts';
import { packTexts } from '../core/write-input.ts';

/** The message from the page: the compiled program, the configuration and the search request. */
export interface Task {
  readonly program: WebAssembly.Module;
  readonly config: string;
  readonly request: string;
}

/** The number of evaluations between two reports, which takes a few tens of milliseconds. */
const STEP = 20_000;

onmessage = async ({ data: { program, config, request } }: MessageEvent<Task>) => {
  const core = await startCore(program);
  const encoder = new TextEncoder();
  let answer = core.ask('search', packTexts(encoder.encode(config), encoder.encode(request)));
  const budget = [encoder.encode(`{"budget": ${STEP}}`)];
  for (;;) {
    postMessage(answer);
    const { ok, done } = JSON.parse(answer) as { ok: boolean; done?: boolean };
    if (!ok || done) break;
    answer = core.ask('search_step', budget);
  }
  close();
};
