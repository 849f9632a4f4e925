// The warnings about a configuration. They are repeated wherever its parameter count is shown or exported outside the page.

import type { CountAnswer } from '../types/index.ts';

export const listWarnings = ({ notes }: Pick<CountAnswer, 'notes'>): readonly string[] =>
  notes.filter(({ level }) => level === 'warning').map(({ message }) => message);
