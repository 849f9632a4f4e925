// The counter: what counts and lists model types, by the smaller of the two programs.

import { countBytes } from '#core-bytes';
import type * as types from '../types.ts';
import { answering, asked, once, told } from './asked.ts';
import { startCore, type RunningCore } from './core.ts';
import { decoded } from './counted.ts';

/** What it lists says nothing of how that is verified: see verified-catalog.ts. */
export type Counter = types.Counter<types.Listing>;

/** Starts the program that counts, once per document or process; later calls return the same promise. */
export const load: (options?: types.LoadOptions) => Promise<Counter> = /* @__PURE__ */ once(async ({ wasm }: types.LoadOptions = {}) =>
  counterOf(await startCore(await (wasm ?? countBytes()))),
);

export function counterOf(core: RunningCore): Counter {
  // Every answer is read with it; and after a trap the core could not be asked.
  const catalog = JSON.parse(core.catalog()) as types.Listing;
  return answering<Counter>({
    count: (config) => told(core, 'count', config, (text) => decoded(text, catalog)),
    totals: (config) => asked<types.TotalsAnswer>(core, 'totals', config),
    catalog: () => catalog,
  });
}
