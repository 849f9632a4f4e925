// The module `param-ledger/ledger`: creates a counter or a ledger with a WebAssembly program that the caller provides.

import { startCore } from '../core/core.ts';
import * as counters from '../core/counter.ts';
import * as ledgers from '../core/ledger.ts';
import { withVerified } from './verified.ts';
import type { Counter, Ledger, WasmSource } from '../types/index.ts';

/** Where the WebAssembly program comes from. */
export interface ProgramSource {
  /**
   * The program's bytes, a response that delivers them, or the module. A response is compiled while it arrives if the host can do that and
   * the type is application/wasm.
   */
  readonly wasm: WasmSource | Promise<WasmSource>;
}

/**
 * Creates a ledger, which answers all questions. `wasm` is `core.wasm` of this version of the package. Each call starts a separate
 * instance.
 */
export async function createLedger({ wasm }: ProgramSource): Promise<Ledger> {
  return withVerified(ledgers.createLedger(await startCore(await wasm)));
}

/**
 * Creates a counter. `wasm` is `count.wasm` for common model types, `published.wasm` for those of published models, or `core.wasm` for all.
 * Each call starts a separate instance.
 */
export async function createCounter({ wasm }: ProgramSource): Promise<Counter> {
  return withVerified(counters.createCounter(await startCore(await wasm)));
}
