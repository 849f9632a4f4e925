// The shipped lessons by id, in display order.

import type { Lesson } from '../types/index.ts';
import deepseek from './lessons/deepseek-v3.json' with { type: 'json' };
import llama from './lessons/llama-3.1-8b.json' with { type: 'json' };
import mixtral from './lessons/mixtral-8x7b.json' with { type: 'json' };

export const lessons: Readonly<Record<string, Lesson>> = {
  'llama-3.1-8b': llama as Lesson,
  'mixtral-8x7b': mixtral as Lesson,
  'deepseek-v3': deepseek as Lesson,
};
