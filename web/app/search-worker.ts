// Runs core/search in a worker, with an instance of the page's program. It works in steps and reports what it has found,
// so that it can be stopped.

import { startCore } from '../core/core.ts';
import { packTexts } from '../core/write-input.ts';

/** What the page passes in: the program and the texts of the question. */
export interface Task {
  readonly program: WebAssembly.Module;
  readonly config: string;
  readonly request: string;
}

/** Evaluations between two reports: some tens of milliseconds. */
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
