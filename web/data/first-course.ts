// The questions of a first course. Each screen has its own model, so that a teacher may take any of them.

import type { Lesson } from '../types/index.ts';
import exercises from './lessons/first-course.json' with { type: 'json' };

export const firstCourse = exercises as Lesson;
