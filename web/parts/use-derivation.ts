// The whole program's description of a model's blocks, in a view that otherwise only counts.

import { useEffect, useState } from 'preact/hooks';
import { loadLedger } from '../app/load-ledger.ts';
import type { Derivation } from '../types/index.ts';

/** The last one is kept: the captions of two pictures ask for the same. */
let last: { readonly config: string; readonly derivation: Derivation | undefined } | undefined;

/** The whole program's description of a configuration's blocks; undefined until it is available. */
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
