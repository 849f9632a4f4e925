// Values that would do in the place of one that is refused, looked for when the typing has paused.

import { useEffect, useState } from 'preact/hooks';
import { literalAt } from '../lib/models/config-text.ts';
import { nearestValid } from '../lib/models/nearest-valid.ts';
import type { Model } from '../lib/models/model.ts';
import type { Counting } from '../lib/answer/reasons.ts';

const PAUSE = 250;
const NONE: readonly string[] = [];

/** Of the field that is to blame. */
export function useNearest({ entry: { text }, answer, blamed }: Model, counting: Counting): readonly string[] {
  const [found, tell] = useState<{ text: string; values: readonly string[] }>({ text: '', values: NONE });
  useEffect(() => {
    const path = answer.ok ? undefined : (blamed ?? answer.error.field);
    const literal = path && literalAt(text, path);
    if (!path || !literal) return;
    const timer = setTimeout(
      () => tell({ text, values: nearestValid(text, path, literal, (config) => counting(config) !== undefined) }),
      PAUSE,
    );
    return () => clearTimeout(timer);
  }, [text, blamed]);
  return found.text === text ? found.values : NONE;
}
