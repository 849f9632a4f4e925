// Runs the core's WebAssembly program: compiles it, passes bytes to it, and restarts it after a trap.

import createCore, { type Core } from '#core-glue';
import { InputError } from './config-bytes.ts';
import { writeInput } from './write-input.ts';
import type { WasmSource } from '../types/index.ts';

/**
 * The questions that the core answers. Each is a function that wasm/counts.cpp or wasm/questions.cpp exports. It reads the input bytes and
 * returns the answer as bytes.
 */
export type Question =
  | 'count'
  | 'totals'
  | 'compare'
  | 'read'
  | 'wants'
  | 'memory'
  | 'operations'
  | 'devices'
  | 'check'
  | 'article'
  | 'lesson'
  | 'derive'
  | 'counterfactuals'
  | 'search'
  | 'search_step';

export interface RunningCore {
  /** The compiled program. A worker can start its own instance from it. */
  readonly program: WebAssembly.Module;
  /** Returns the text of the core's answer about the input bytes. Throws an `InputError` if the core fails or is still restarting. */
  ask(question: Question, input: readonly Uint8Array[]): string;
  catalog(): string;
}

export async function startCore(source: WasmSource): Promise<RunningCore> {
  const program = await compileProgram(source);
  let running = instantiate(program);
  await running.ready;

  return {
    program,
    ask(question, input) {
      if (running.failed) running = instantiate(program);
      const { core } = running;
      if (!core.room) throw new InputError('internal', '', 'The core is restarting. Try again in a moment.');
      try {
        writeInput(core as Core, input);
        return decoder.decode((core as Core)[question]());
      } catch (error) {
        running = instantiate(program); // after a trap, the old instance's memory may be in an inconsistent state
        throw new InputError('internal', '', `The core failed on this configuration (${error}). It was restarted.`);
      }
    },
    catalog: () => decoder.decode((running.core as Core).catalog()),
  };
}

async function compileProgram(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (!(source instanceof Response)) return WebAssembly.compile(source as BufferSource);
  if (!source.ok) throw new Error(`${source.url}: HTTP ${source.status}`);
  // Compiles the program while it downloads, if the browser can do that and the server sends the right Content-Type.
  const streams = typeof WebAssembly.compileStreaming === 'function' && source.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

/**
 * Creates an instance of the program. `ready` resolves when the instance can be used and rejects if it cannot be created. Where
 * synchronous instantiation is allowed, the instance can be used immediately, so the next call after a trap succeeds.
 */
function instantiate(program: WebAssembly.Module) {
  const instance = { core: {} as Partial<Core>, failed: false, ready: Promise.resolve() };
  instance.ready = new Promise((resolve, reject) => {
    instance.core.instantiateWasm = (imports, receive) => {
      try {
        return receive(new WebAssembly.Instance(program, imports), program);
      } catch {
        WebAssembly.instantiate(program, imports)
          .then((made) => receive(made, program))
          .catch(reject);
        return {};
      }
    };
    createCore(instance.core).then(() => resolve(), reject);
  });
  instance.ready.catch(() => (instance.failed = true));
  return instance;
}

const decoder = new TextDecoder();
