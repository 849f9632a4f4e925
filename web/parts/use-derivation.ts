// A hook that derives a model in views that otherwise only count, to explain its tensors and the terms of its formula. Only the full
// program can derive.

import { useEffect, useState } from 'preact/hooks';
import { loadLedger } from '../app/load-ledger.ts';
import type { Derivation } from '../types/index.ts';

/** The last derivation and its configuration. It is cached, because several captions and terms explain one model. */
let last: { readonly config: string; readonly derivation: Derivation | undefined } | undefined;

/**
 * Derives a configuration with the full program; undefined if it is refused. Until a new configuration is derived, returns the derivation
 * of the previous one, or undefined if there was none.
 */
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
