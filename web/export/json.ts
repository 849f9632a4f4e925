// Exports an answer as JSON, as the package returns it.

import type { CountAnswer } from '../types/index.ts';

export const formatJson = (answer: CountAnswer) => `${JSON.stringify(answer, null, 2)}\n`;
