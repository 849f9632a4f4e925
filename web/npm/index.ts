// The package: what `import … from 'param-ledger'` gives.

import { memoizeAsync } from '../support/memoize-async.ts';
import { loadCounter as loadCounter } from '../core/counter.ts';
import { loadLedger as loadWhole } from '../core/ledger.ts';
import { addVerified } from '../core/verified-catalog.ts';
import { readWantedBytes as readHead } from '../core/wanted-bytes.ts';
import { version as told } from '../support/build-info.ts';
import type { ByteSource, Counter, InputFile, Ledger, LoadOptions } from '../types/index.ts';

const counter = /* @__PURE__ */ memoizeAsync(async (options?: LoadOptions): Promise<Counter> => {
  const loaded = await loadCounter(options);
  const catalog = addVerified(loaded.catalog());
  return { ...loaded, catalog: () => catalog };
});

const ledger = /* @__PURE__ */ memoizeAsync(async (options?: LoadOptions): Promise<Ledger> => {
  const loaded = await loadWhole(options);
  const catalog = addVerified(loaded.catalog());
  return { ...loaded, catalog: () => catalog };
});

/** Starts the program that counts the common model types, once per document or process; later calls return the same promise. */
export function load(options?: LoadOptions): Promise<Counter> {
  return counter(options);
}

/** Starts the program that answers every question, once per document or process; later calls return the same promise. */
export function whole(options?: LoadOptions): Promise<Ledger> {
  return ledger(options);
}

/** The counter that has the types of a configuration: the smaller program where that does, else the whole. */
export async function counterFor(config: string | Uint8Array | object): Promise<Counter> {
  const common = await load();
  return common.has(config) ? common : whole();
}

/** Of a large file what `ledger.read` needs of it, and no more. Rejects with a RangeError where that would be too much. */
export function headOf(ledger: Ledger, source: ByteSource): Promise<InputFile> {
  return readHead(ledger, source);
}

/** Of this package. */
export const version: string = told;
