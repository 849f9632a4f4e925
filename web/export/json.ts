// The answer as the package gives it.

import type { CountAnswer } from '../types/index.ts';

export const json = (answer: CountAnswer) => `${JSON.stringify(answer, null, 2)}\n`;
