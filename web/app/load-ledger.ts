// Loads the whole program, and the code that decodes its answers, when something other than a count is first asked for.

import type { Ledger } from '../core/ledger.ts';

/** Throws if the program does not arrive. The next call tries again. */
export const loadLedger = async (): Promise<Ledger> => (await import('../core/ledger.ts')).loadLedger();
