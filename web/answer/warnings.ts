// What asks to look again at a configuration: a number that is shown alone, or taken away, takes it along.

import type { CountAnswer } from '../types/index.ts';

export const listWarnings = ({ notes }: Pick<CountAnswer, 'notes'>): readonly string[] =>
  notes.filter(({ level }) => level === 'warning').map(({ message }) => message);
