// What the whole program says of a model's blocks, where a view only counts.

import { useEffect, useState } from 'preact/hooks';
import { loadLedger } from '../app/load-ledger.ts';
import type { Derivation } from '../types/index.ts';

/** What the whole program says of the blocks of a configuration; undefined until it is here. */
export function useDerivation(config: string | undefined): Derivation | undefined {
  const [derivation, setDerivation] = useState<Derivation>();
  useEffect(() => {
    let outdated = false;
    if (config === undefined) return;
    void loadLedger().then(
      (ledger) => {
        const derived = ledger.derive(config);
        if (!outdated) setDerivation(derived.ok ? derived : undefined);
      },
      () => undefined,
    );
    return () => void (outdated = true);
  }, [config]);
  return derivation;
}
