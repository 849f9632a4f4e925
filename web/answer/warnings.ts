// The warnings about a configuration. They accompany its number wherever that is shown or exported without the page.

import type { CountAnswer } from '../types/index.ts';

export const listWarnings = ({ notes }: Pick<CountAnswer, 'notes'>): readonly string[] =>
  notes.filter(({ level }) => level === 'warning').map(({ message }) => message);
