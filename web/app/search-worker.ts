// The search of core/search, beside the page: a core of its own from the page's program, which goes on step by step and tells what it has,
// so that it can be stopped.

import createCore, { type Core } from '#core-glue';
import { writeInput, packTexts } from '../core/write-input.ts';

/** What the page hands in: the program, and the texts of the question. */
export interface Task {
  readonly program: WebAssembly.Module;
  readonly config: string;
  readonly request: string;
}

/** Evaluations between two answers: some tens of milliseconds. */
const STEP = 20_000;

onmessage = async ({ data: { program, config, request } }: MessageEvent<Task>) => {
  const starting: Partial<Core> = {
    instantiateWasm(imports, receive) {
      return receive(new WebAssembly.Instance(program, imports), program);
    },
  };
  await createCore(starting);
  const core = starting as Core;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const asked = (question: 'search' | 'search_step', pieces: readonly Uint8Array[]) => {
    writeInput(core, pieces);
    return decoder.decode(core[question]());
  };
  let answer = asked('search', packTexts(encoder.encode(config), encoder.encode(request)));
  const budget = [encoder.encode(`{"budget": ${STEP}}`)];
  for (;;) {
    postMessage(answer);
    const { ok, done } = JSON.parse(answer) as { ok: boolean; done?: boolean };
    if (!ok || done) break;
    answer = asked('search_step', budget);
  }
  close();
};
