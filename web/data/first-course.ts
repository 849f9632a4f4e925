// The questions of a first course. Each screen has its own model, so that a teacher can use any of them.

import type { Lesson } from '../types/index.ts';
import exercises from './lessons/first-course.json' with { type: 'json' };

export const firstCourse = exercises as Lesson;
