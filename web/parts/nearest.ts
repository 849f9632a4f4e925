// Values that would do in the place of one that is refused, looked for when the typing has paused.

import { useEffect, useState } from 'preact/hooks';
import { literalAt } from '../config/config-text.ts';
import type { Model } from '../models/model.ts';
import type { Counting } from '../answer/counting.ts';

const PAUSE = 250;
const NONE: readonly string[] = [];

/** Of the field that is to blame. */
export function useNearest({ entry: { text }, answer, blamed }: Model, counting: Counting): readonly string[] {
  const [found, tell] = useState<{ text: string; values: readonly string[] }>({ text: '', values: NONE });
  useEffect(() => {
    const path = answer.ok ? undefined : (blamed ?? answer.error.field);
    const literal = path && literalAt(text, path);
    if (!path || !literal) return;
    let outdated = false;
    const look = async () => {
      const { nearestValid } = await import('../config/nearest-valid.ts');
      if (!outdated) tell({ text, values: nearestValid(text, path, literal, (config) => counting(config) !== undefined) });
    };
    const timer = setTimeout(() => void look().catch(() => undefined), PAUSE); // without it the error alone is said
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [text, blamed]);
  return found.text === text ? found.values : NONE;
}
