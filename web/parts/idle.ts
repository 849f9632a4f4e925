// Work in pieces, so that a key in between is answered; what nobody waits for while nothing else is to be done.

import { useEffect, useState } from 'preact/hooks';

/** Milliseconds that a piece may take: a key in between is answered within a frame. */
const PIECE = 8;
/** On a busy page it is done all the same, after as many. */
const AT_LAST = 200;

/** Does something to each of some parts, for those who wait for it. */
export async function inPieces<Part>(parts: readonly Part[], work: (part: Part) => unknown): Promise<void> {
  for (let at = 0; at < parts.length;) {
    const end = performance.now() + PIECE;
    while (at < parts.length && performance.now() < end) work(parts[at++]);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Not every browser knows when it is idle. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 1);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: AT_LAST });
  return () => cancelIdleCallback(asked);
}

/** Does something to each part of a thing. What it was last done to as a whole; undefined before. */
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

/** How many of something long are drawn: the first ones at once, more and more of the rest later. */
export function useMoreAndMore(all: number, first: number): number {
  const [drawn, setDrawn] = useState(first);
  useEffect(() => (drawn < all ? whenIdle(() => setDrawn(drawn + first)) : undefined), [drawn, all]);
  return Math.min(drawn, all);
}
