// Adds to the catalogue of a counter or ledger how each model type is verified, which the core does not know.

import { addVerified } from '../core/verified-catalog.ts';
import type { Catalog, Counter, Listing } from '../types/index.ts';

export function withVerified<Asked extends Counter<Listing>>(asked: Asked): Omit<Asked, 'catalog'> & { catalog(): Catalog } {
  let catalog: Catalog | undefined;
  return { ...asked, catalog: () => (catalog ??= addVerified(asked.catalog())) };
}
