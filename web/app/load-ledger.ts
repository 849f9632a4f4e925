// Loads the full WebAssembly program and the code that decodes its answers. The page does so when it first needs more than a count, or a
// model type that no published model has.

import type { Ledger } from '../core/ledger.ts';

/** Loads the ledger. Rejects if the program cannot be loaded; the next call tries again. */
export const loadLedger = async (): Promise<Ledger> => (await import('../core/ledger.ts')).loadLedger();
