// A derivation, or what each device holds, in little room: what draws it is loaded when it is first asked for, and draws in a place of its own.

import { useEffect, useRef, useState } from 'preact/hooks';
import { getNumbers } from '../support/numbers.ts';

interface ApartProps {
  readonly part: string;
  /** What is drawn, in words: where these are the same, so is the drawing. */
  readonly of: string;
  /** `language`: in which numbers are written. */
  readonly draw: (place: HTMLElement, language: string) => Promise<void>;
}

function Apart({ part, of, draw }: ApartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState('');
  const { language } = getNumbers();
  useEffect(() => {
    Promise.resolve(place.current && draw(place.current, language)).then(
      () => setTrouble(''),
      (error: Error) => setTrouble(error.message),
    );
  }, [of]);
  return (
    <div class="derived-box" part={part}>
      {trouble !== '' && <p class="error">{trouble}</p>}
      <div ref={place} />
    </div>
  );
}

/** `text`: the configuration that was counted. */
export const DerivedCompact = ({ text }: { text: string }) => (
  <Apart
    part="derivation"
    of={text}
    draw={async (place, language) => (await import('./widget-derivation.tsx')).drawDerivation(place, text, language)}
  />
);

/** `plan`: how devices share it, as `8x1x8`. */
export const DevicesCompact = ({ text, plan }: { text: string; plan: string }) => (
  <Apart
    part="devices"
    of={`${plan} ${text}`}
    draw={async (place, language) => (await import('./widget-devices.tsx')).drawDevices(place, text, plan, language)}
  />
);
