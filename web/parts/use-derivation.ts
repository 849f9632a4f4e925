// What the whole program says of a model's blocks, where a view only counts.

import { useEffect, useState } from 'preact/hooks';
import { loadLedger } from '../app/load-ledger.ts';
import type { Derivation } from '../types/index.ts';

/** The last one: the captions of two pictures ask for the same. */
let last: { readonly config: string; readonly derivation: Derivation | undefined } | undefined;

/** What the whole program says of the blocks of a configuration; undefined until it is here. */
export function useDerivation(config: string | undefined): Derivation | undefined {
  const [derivation, setDerivation] = useState<Derivation>();
  useEffect(() => {
    let outdated = false;
    if (config === undefined) return;
    void loadLedger().then(
      (ledger) => {
        if (last?.config !== config) {
          const derived = ledger.derive(config);
          last = { config, derivation: derived.ok ? derived : undefined };
        }
        if (!outdated) setDerivation(last.derivation);
      },
      () => undefined,
    );
    return () => void (outdated = true);
  }, [config]);
  return derivation;
}
