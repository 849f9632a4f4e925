// A hook that finds valid values near a refused one, once typing pauses.

import { useEffect, useState } from 'preact/hooks';
import { findLiteral } from '../config/config-text.ts';
import type { Model } from '../models/model.ts';
import type { ParameterCounter } from '../answer/parameter-counter.ts';

const PAUSE = 250;
const NONE: readonly string[] = [];

/**
 * The nearest valid integers for the field that the error is about, as JSON: see `findNearestValid`. Empty until they are found, and if
 * there are none.
 */
export function useNearestValid({ entry: { text }, answer, blamed }: Model, counting: ParameterCounter): readonly string[] {
  const [found, setFound] = useState<{ text: string; values: readonly string[] }>({ text: '', values: NONE });
  useEffect(() => {
    const path = answer.ok ? undefined : (blamed ?? answer.error.field);
    const literal = path && findLiteral(text, path);
    if (!path || !literal) return;
    let outdated = false;
    const look = async () => {
      const { findNearestValid } = await import('../config/nearest-valid.ts');
      if (!outdated) setFound({ text, values: findNearestValid(text, path, literal, (config) => counting(config) !== undefined) });
    };
    const timer = setTimeout(() => void look().catch(() => undefined), PAUSE); // if the search fails, only the error is shown
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [text, blamed]);
  return found.text === text ? found.values : NONE;
}
