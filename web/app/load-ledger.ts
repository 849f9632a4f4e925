// Loads the full WebAssembly program and the code that decodes its answers, when something other than a count or a model type
// that no published model has is first needed.

import type { Ledger } from '../core/ledger.ts';

/** Loads the ledger. Rejects if the program cannot be loaded; the next call tries again. */
export const loadLedger = async (): Promise<Ledger> => (await import('../core/ledger.ts')).loadLedger();
