// A derivation in little room: what draws it is loaded when it is first asked for, and draws in a place of its own.

import { useEffect, useRef, useState } from 'preact/hooks';
import { numbersAs } from '../support/numbers.ts';

/** `text`: the configuration that was counted. */
export function DerivedCompact({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    import('./widget-derivation.tsx')
      .then(({ drawDerivation }) => place.current && drawDerivation(place.current, text, numbersAs()))
      .then(
        () => setTrouble(''),
        (error: Error) => setTrouble(error.message),
      );
  }, [text]);
  return (
    <div class="derived-box" part="derivation">
      {trouble !== '' && <p class="error">{trouble}</p>}
      <div ref={place} />
    </div>
  );
}
