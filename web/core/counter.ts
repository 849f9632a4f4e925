// The counter counts and lists model types. The smaller of the two programs has only the common types.

import { loadCountProgram, loadFullProgram } from '#programs';
import { memoizeAsync } from '../support/memoize-async.ts';
import type * as types from '../types/index.ts';
import { askCore, refuse } from './ask-core.ts';
import { encodeConfig } from './config-bytes.ts';
import { startCore, type RunningCore } from './core.ts';
import { decodeCount, indexCatalog } from './decode-count.ts';
import { findNamedTypes } from './named-types.ts';

/** The catalogue of a counter does not say how a type is verified: see verified-catalog.ts. */
export type Counter = types.Counter<types.Listing>;

/** Starts the program that counts the common types, once per document or process; later calls return the same promise. */
export const loadCounter: (options?: types.LoadOptions) => Promise<Counter> = /* @__PURE__ */ memoizeAsync(
  async ({ wasm }: types.LoadOptions = {}) => createCounter(await startCore(await (wasm ?? loadCountProgram()))),
);

/** Starts the whole program, once per document or process: counter and ledger share it. */
export const loadFullCore: (options?: types.LoadOptions) => Promise<RunningCore> = /* @__PURE__ */ memoizeAsync(
  async ({ wasm }: types.LoadOptions = {}) => startCore(await (wasm ?? loadFullProgram())),
);

/** A counter of all types, for callers with no other question. It is started once, too. */
export const loadFullCounter: (options?: types.LoadOptions) => Promise<Counter> = /* @__PURE__ */ memoizeAsync(
  async (options?: types.LoadOptions) => createCounter(await loadFullCore(options)),
);

const NOT_LOADED = 'This program counts the common model types. This one needs the whole program.';

/** Codes for an unknown type. */
const UNKNOWN_TYPE_CODES: ReadonlySet<types.ErrorCode> = new Set(['unknown_architecture', 'missing_field'] as const);

export function createCounter(core: RunningCore): Counter {
  // Every answer is decoded with it; after a trap it is too late to ask the core.
  const catalog = JSON.parse(core.catalog()) as types.Listing;
  const known = indexCatalog(catalog);
  const classesOf = new Map(catalog.families.map(({ model_type, architectures }) => [model_type, new Set(architectures)]));

  /** Whether this program has the types that a configuration names. A class that is missing here may be one of a type that only the whole program has. */
  const has = (config: unknown) => {
    if (catalog.complete) return true;
    try {
      const { own, all, classes } = findNamedTypes(typeof config === 'string' ? config : new TextDecoder().decode(encodeConfig(config)));
      return own !== undefined && all.every((name) => classesOf.has(name)) && classes.every((name) => classesOf.get(own)?.has(name));
    } catch {
      return true; // no program can read it
    }
  };
  /** If only the other program has the type, says that it is not loaded instead of that it does not exist. */
  const ask = <A extends { readonly ok: true }>(
    question: 'count' | 'totals',
    config: unknown,
    parse?: (text: string) => A | types.Refusal,
  ) => {
    const answer = askCore<A>(core, question, () => [encodeConfig(config)], parse);
    const isOther = !answer.ok && UNKNOWN_TYPE_CODES.has(answer.error.code) && !has(config);
    return isOther ? refuse('not_loaded', 'model_type', NOT_LOADED) : answer;
  };
  return {
    has,
    count: (config) => ask('count', config, (text) => decodeCount(text, known)),
    totals: (config) => ask<types.TotalsAnswer>('totals', config),
    catalog: () => catalog,
  };
}
