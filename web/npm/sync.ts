// The module `param-ledger/sync`: loads a program once and then answers synchronously.

import * as counters from '../core/counter.ts';
import * as ledgers from '../core/ledger.ts';
import { readWantedBytes } from '../core/wanted-bytes.ts';
import { memoizeAsync } from '../support/memoize-async.ts';
import type { ByteSource, Counter, InputFile, Ledger, LoadOptions } from '../types/index.ts';
import { withVerified } from './verified.ts';

const counter = /* @__PURE__ */ memoizeAsync(async (options?: LoadOptions) => withVerified(await counters.loadCounter(options)));

const ledger = /* @__PURE__ */ memoizeAsync(async (options?: LoadOptions) => withVerified(await ledgers.loadLedger(options)));

/**
 * Loads the program that counts the common model types, once per document or process. Later calls return the first call's promise, unless
 * it was rejected.
 */
export function loadCounter(options?: LoadOptions): Promise<Counter> {
  return counter(options);
}

/**
 * Loads the program with all functions, once per document or process. Later calls return the first call's promise, unless it was rejected.
 */
export function loadLedger(options?: LoadOptions): Promise<Ledger> {
  return ledger(options);
}

/**
 * Reads only the bytes of a large file that `ledger.read` needs. Rejects with a RangeError if these are too many, and if `source.read`
 * rejects.
 */
export function headOf(ledger: Pick<Ledger, 'wants'>, source: ByteSource): Promise<InputFile> {
  return readWantedBytes(ledger, source);
}
