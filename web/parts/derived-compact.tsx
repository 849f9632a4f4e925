// A derivation in little room: what derives is loaded when it is first asked for.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { whole, type Ledger } from '../lib/core/ledger.ts';
import type { CountAnswer } from '../lib/types.ts';
import { rowsByName, Steps } from './derivation.tsx';

/** `text`: the configuration that was counted. */
export function DerivedCompact({ answer, text }: { answer: CountAnswer; text: string }) {
  const [ledger, arrive] = useState<Ledger>();
  const [trouble, say] = useState('');
  useEffect(() => {
    let outdated = false;
    whole().then(
      (there) => outdated || arrive(there),
      (error: Error) => outdated || say(error.message),
    );
    return () => void (outdated = true);
  }, []);
  const derivation = useMemo(() => ledger?.derive(text), [ledger, text]);
  const rows = useMemo(() => rowsByName(answer.tensors), [answer]);
  if (trouble !== '') return <p class="error">{trouble}</p>;
  return (
    <div part="derivation">
      {derivation && (derivation.ok ? <Steps derivation={derivation} rows={rows} /> : <p class="error">{derivation.error.message}</p>)}
    </div>
  );
}
