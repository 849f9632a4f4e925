// The counter: what counts and lists model types, by the smaller of the two programs, which has the common ones.

import { loadCountProgram, loadFullProgram } from '#core-bytes';
import type * as types from '../types/index.ts';
import { refuseOnThrow, askCoreJson, memoizeAsync, refuse, askCoreText } from './ask-core.ts';
import { encodeConfig } from './config-bytes.ts';
import { startCore, type RunningCore } from './core.ts';
import { decodeCount, indexCatalog } from './decode-count.ts';
import { findNamedTypes } from './named-types.ts';

/** What it lists says nothing of how that is verified: see verified-catalog.ts. */
export type Counter = types.Counter<types.Listing>;

/** Starts the program that counts the common types, once per document or process; later calls return the same promise. */
export const loadCounter: (options?: types.LoadOptions) => Promise<Counter> = /* @__PURE__ */ memoizeAsync(
  async ({ wasm }: types.LoadOptions = {}) => refuseOtherTypes(createCounter(await startCore(await (wasm ?? loadCountProgram())))),
);

/** A counter of all types, for those who ask no other question; once, too. */
export const loadFullCounter: (options?: object) => Promise<Counter> = /* @__PURE__ */ memoizeAsync(async () =>
  createCounter(await startCore(await loadFullProgram())),
);

export function createCounter(core: RunningCore): Counter {
  // Every answer is read with it; and after a trap the core could not be asked.
  const catalog = JSON.parse(core.catalog()) as types.Listing;
  const known = indexCatalog(catalog);
  return refuseOnThrow<Counter>({
    has: () => true,
    count: (config) => askCoreText(core, 'count', config, (text) => decodeCount(text, known)),
    totals: (config) => askCoreJson<types.TotalsAnswer>(core, 'totals', config),
    catalog: () => catalog,
  });
}

const NOT_LOADED = 'This model type is counted by the whole program, not by the smaller one, which has the common types.';

/** As what a type that is not there is refused. */
const UNKNOWN_TYPE_CODES: ReadonlySet<types.ErrorCode> = new Set(['unknown_architecture', 'missing_field'] as const);

/** A counter that does not have all model types: of others it says that, not that there are none. */
function refuseOtherTypes(counter: Counter): Counter {
  const listed = counter.catalog();
  if (listed.complete) return counter;
  const names = new Set(listed.families.map(({ model_type }) => model_type));
  const has = (config: unknown) => {
    try {
      const { own, all } = findNamedTypes(typeof config === 'string' ? config : new TextDecoder().decode(encodeConfig(config)));
      return own !== undefined && all.every((name) => names.has(name));
    } catch {
      return true; // nothing that any program could read
    }
  };
  const orElsewhere = <A extends { readonly ok: true }>(answer: A | types.Refusal, config: unknown) =>
    !answer.ok && UNKNOWN_TYPE_CODES.has(answer.error.code) && !has(config) ? refuse('not_loaded', 'model_type', NOT_LOADED) : answer;
  return {
    ...counter,
    has,
    count: (config) => orElsewhere(counter.count(config), config),
    totals: (config) => orElsewhere(counter.totals(config), config),
  };
}
