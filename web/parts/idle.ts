// Splits work into short pieces so that the page can respond to keys in between, and runs deferrable work in idle time.

import { useEffect, useState } from 'preact/hooks';

/** The duration of a piece of work in milliseconds, short enough to respond to a key within a frame. */
const PIECE = 8;
/** The maximum delay in milliseconds: after that, work runs even if the page is busy. */
const AT_LAST = 200;

/** Does some work for each part, and resolves when all is done. */
export async function inPieces<Part>(parts: readonly Part[], work: (part: Part) => unknown): Promise<void> {
  for (let at = 0; at < parts.length;) {
    const end = performance.now() + PIECE;
    while (at < parts.length && performance.now() < end) work(parts[at++]);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Runs work when the browser is idle, or after a short delay in browsers that do not report idleness. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 1);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: AT_LAST });
  return () => cancelIdleCallback(asked);
}

/** Does some work for each part of an object in idle time. Returns the last object for which all work is done, or undefined. */
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

/** The number of items of a long list to draw. It starts at `first` and grows by `first` at a time when the browser is idle. */
export function useMoreAndMore(all: number, first: number): number {
  const [drawn, setDrawn] = useState(first);
  useEffect(() => (drawn < all ? whenIdle(() => setDrawn(drawn + first)) : undefined), [drawn, all]);
  return Math.min(drawn, all);
}
