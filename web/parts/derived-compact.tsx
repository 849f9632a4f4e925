// A derivation, or what each device holds, in the compact view. The code that draws it is loaded on demand and renders into a separate
// element.

import { useEffect, useRef, useState } from 'preact/hooks';
import { getNumbers } from '../support/numbers.ts';

interface ApartProps {
  readonly part: string;
  /** Identifies the content. The content is drawn again only when this key changes. */
  readonly of: string;
  /** Draws into an element. `language`: the language in which numbers are formatted. */
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
  }, [of, language]);
  return (
    <div class="derived-box" part={part}>
      {trouble !== '' && <p class="error">{trouble}</p>}
      <div ref={place} />
    </div>
  );
}

/** The derivation of a model. `text`: the configuration. */
export const DerivedCompact = ({ text }: { text: string }) => (
  <Apart
    part="derivation"
    of={text}
    draw={async (place, language) => (await import('./widget-derivation.tsx')).drawDerivation(place, text, language)}
  />
);

/** What each device holds. `plan`: how devices share the model, such as `8x1x8` or `megatron-8x2x16`. */
export const DevicesCompact = ({ text, plan }: { text: string; plan: string }) => (
  <Apart
    part="devices"
    of={`${plan} ${text}`}
    draw={async (place, language) => (await import('./widget-devices.tsx')).drawDevices(place, text, plan, language)}
  />
);
