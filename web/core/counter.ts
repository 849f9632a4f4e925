// A counter counts models and lists model types. The smaller programs know only common model types, or those of published models.

import { loadCountProgram, loadFullProgram, loadPublishedProgram } from '#programs';
import { memoizeAsync } from '../support/memoize-async.ts';
import type * as types from '../types/index.ts';
import { askCore } from './ask-core.ts';
import { encodeConfig } from './config-bytes.ts';
import { startCore, type RunningCore } from './core.ts';
import { decodeCount, indexCatalog } from './decode-count.ts';

/** The catalogue of a counter does not say how a type is verified: see verified-catalog.ts. */
export type Counter = types.Counter<types.Listing>;

/**
 * Starts the smallest program that the build has, or the one in `wasm`, once per document or process. The smallest one counts the common
 * types; the offline file and the command line have only the full one. Later calls ignore `wasm` and return the same promise, unless it was
 * rejected.
 */
export const loadCounter: (options?: types.LoadOptions) => Promise<Counter> = /* @__PURE__ */ memoizeAsync(
  async ({ wasm }: types.LoadOptions = {}) => createCounter(await startCore(await (wasm ?? loadCountProgram()))),
);

/**
 * Starts the program that counts the types of published models, or the full one if the build has no smaller ones, once per document or
 * process. It is needed only for model types that are not common.
 */
export const loadPublishedCounter: (options?: unknown) => Promise<Counter> = /* @__PURE__ */ memoizeAsync(async () =>
  createCounter(await startCore(await loadPublishedProgram())),
);

/** Starts the full program, once per document or process. `loadFullCounter` and `loadLedger` share it. */
export const loadFullCore: (options?: types.LoadOptions) => Promise<RunningCore> = /* @__PURE__ */ memoizeAsync(
  async ({ wasm }: types.LoadOptions = {}) => startCore(await (wasm ?? loadFullProgram())),
);

/** Creates a counter from the full program, once per document or process. For callers that do not need a ledger. */
export const loadFullCounter: (options?: types.LoadOptions) => Promise<Counter> = /* @__PURE__ */ memoizeAsync(
  async (options?: types.LoadOptions) => createCounter(await loadFullCore(options)),
);

export function createCounter(core: RunningCore): Counter {
  // Read at the start, because decoding an answer needs the catalogue, and while the core restarts after a trap it cannot be asked for it.
  const catalog = JSON.parse(core.catalog()) as types.Listing;
  const known = indexCatalog(catalog);
  const ask = <A>(question: 'count' | 'totals', config: unknown, parse?: (text: string) => A | types.Refusal) =>
    askCore<A>(core, question, () => [encodeConfig(config)], parse);
  const totals = (config: unknown) => ask<types.TotalsAnswer>('totals', config);
  return {
    has: (config) => {
      if (catalog.complete) return true;
      const answer = totals(config);
      return answer.ok || answer.error.code !== 'not_loaded';
    },
    count: (config) => ask('count', config, (text) => decodeCount(text, known)),
    totals,
    catalog: () => catalog,
  };
}
