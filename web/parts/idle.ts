// Splits work into pieces so that key presses are answered in between, and runs deferrable work in idle time.

import { useEffect, useState } from 'preact/hooks';

/** The longest piece in milliseconds, short enough that a key is answered within a frame. */
const PIECE = 8;
/** After this many milliseconds the work is done even on a busy page. */
const AT_LAST = 200;

/** Does something to each part and waits for it. */
export async function inPieces<Part>(parts: readonly Part[], work: (part: Part) => unknown): Promise<void> {
  for (let at = 0; at < parts.length;) {
    const end = performance.now() + PIECE;
    while (at < parts.length && performance.now() < end) work(parts[at++]);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Not every browser reports when it is idle. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 1);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: AT_LAST });
  return () => cancelIdleCallback(asked);
}

/** Does something to each part of a thing in idle time. Returns the last thing that was done completely; undefined before. */
export function useWhenIdle<T, Part>(of: T, partsOf: (of: T) => readonly Part[], work: (part: Part) => unknown): T | undefined {
  const [done, setDone] = useState<T>();
  useEffect(() => {
    const parts = partsOf(of);
    let at = 0;
    let stop = (): void => undefined;
    const go = () => {
      const end = performance.now() + PIECE;
      while (at < parts.length && performance.now() < end) work(parts[at++]);
      if (at < parts.length) stop = whenIdle(go);
      else setDone(() => of);
    };
    stop = whenIdle(go);
    return () => stop();
  }, [of]);
  return done;
}

/** How many items of a long list to draw: the first ones at once, the rest in steps. */
export function useMoreAndMore(all: number, first: number): number {
  const [drawn, setDrawn] = useState(first);
  useEffect(() => (drawn < all ? whenIdle(() => setDrawn(drawn + first)) : undefined), [drawn, all]);
  return Math.min(drawn, all);
}
