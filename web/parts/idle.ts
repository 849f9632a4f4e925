// Splits work into short pieces so that the page can respond to keys in between, and runs work that can wait in idle time.

import { useEffect, useState } from 'preact/hooks';

/**
 * The time in milliseconds after which a piece of work starts no further part. It is about half a frame, so that keys are handled in time.
 */
const PIECE = 8;
/** The time in milliseconds after which work no longer waits for the browser to be idle. */
const AT_LAST = 200;

/** Processes all parts in short pieces. Resolves when every part is processed. */
export async function inPieces<Part>(parts: readonly Part[], work: (part: Part) => unknown): Promise<void> {
  for (let at = 0; at < parts.length;) {
    const end = performance.now() + PIECE;
    while (at < parts.length && performance.now() < end) work(parts[at++]);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/**
 * Runs work when the browser is idle, or after a short delay in browsers that do not report idleness. Returns a function that cancels it.
 */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 1);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: AT_LAST });
  return () => cancelIdleCallback(asked);
}

/** Processes all parts of an object in idle time. Returns the last object that was processed completely; undefined before the first. */
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

/** The number of items of a list to draw, at most `all`. It starts at `first` and grows by `first` whenever the browser is idle. */
export function useMoreAndMore(all: number, first: number): number {
  const [drawn, setDrawn] = useState(first);
  useEffect(() => (drawn < all ? whenIdle(() => setDrawn(drawn + first)) : undefined), [drawn, all]);
  return Math.min(drawn, all);
}
