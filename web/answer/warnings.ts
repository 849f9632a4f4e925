// The warnings about a configuration. Frames, embedded code and most exports repeat them next to its parameter count.

import type { CountAnswer } from '../types/index.ts';

export const listWarnings = ({ notes }: Pick<CountAnswer, 'notes'>): readonly string[] =>
  notes.filter(({ level }) => level === 'warning').map(({ message }) => message);
