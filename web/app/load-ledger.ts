// What asks more than a count waits for the whole program, and for what reads its answers: both come when they are first wanted.

import type { Ledger } from '../core/ledger.ts';

/** Throws where it does not arrive; asked again, it is tried again. */
export const loadLedger = async (): Promise<Ledger> => (await import('../core/ledger.ts')).loadLedger();
