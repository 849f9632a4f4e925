// What asks more than a count waits for the whole core, which the hosted page fetches when it is first needed.

import { wholeSource } from 'core-bytes';
import { complete } from '../lib/core/ledger.ts';
import type { Ledger } from '../lib/types.ts';

const coming = new WeakMap<Ledger, Promise<void>>();

/** When the ledger answers every question. Throws where the program does not arrive; asked again, it is tried again. */
export function whole(ledger: Ledger): Promise<void> {
  const known = coming.get(ledger);
  if (known) return known;
  const promise = wholeSource ? complete(ledger, wholeSource()) : Promise.resolve();
  coming.set(ledger, promise);
  promise.catch(() => coming.delete(ledger));
  return promise;
}
