// The search of core/search, beside the page: a core of its own from the page's program, which goes on step by step and tells what it has,
// so that it can be stopped.

import createCore, { type Core } from 'core-glue';

/** What the page hands in: the program and the request of the search. */
export interface Task {
  readonly program: WebAssembly.Module;
  readonly request: string;
}

/** Evaluations between two answers: some tens of milliseconds. */
const STEP = 20_000;

onmessage = async ({ data: { program, request } }: MessageEvent<Task>) => {
  const core: Partial<Core> = {
    instantiateWasm(imports, receive) {
      return receive(new WebAssembly.Instance(program, imports), program);
    },
  };
  await createCore(core);
  const { search, search_step } = core as Core;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let answer = decoder.decode(search(encoder.encode(request)));
  const budget = encoder.encode(`{"budget": ${STEP}}`);
  for (;;) {
    postMessage(answer);
    const { ok, done } = JSON.parse(answer) as { ok: boolean; done?: boolean };
    if (!ok || done) break;
    answer = decoder.decode(search_step(budget));
  }
  close();
};
