// Replaces the names of published models in a lesson with their configurations, which the core needs.

import { parseConfig } from '../config/config-text.ts';
import { findModelBase } from '../models/catalogue.ts';
import type { CountedName, Lesson, LessonScreen } from '../types/index.ts';
import * as lessonTexts from './lesson-texts.ts';

type Names = Lesson['names'];

/** Returns the lesson with configurations instead of names. Rejects with an Error whose message can be shown to the user. */
export async function resolveLesson(lesson: Lesson): Promise<Lesson> {
  const screens: LessonScreen[] = [];
  for (const [i, screen] of lesson.screens.entries()) {
    const model = await resolveModel(screen.model, i + 1);
    screens.push({ ...screen, ...(model && { model }), ...(screen.names && { names: await resolveNames(screen.names, i + 1) }) });
  }
  const model = await resolveModel(lesson.model);
  return { ...lesson, ...(model && { model }), ...(lesson.names && { names: await resolveNames(lesson.names) }), screens };
}

async function resolveModel(model: string | object | undefined, screen?: number): Promise<object | undefined> {
  if (typeof model !== 'string') return model;
  const base = await findModelBase(model);
  if (!base) throw new Error(lessonTexts.unknownModel(screen, model));
  return parseConfig(base.text);
}

async function resolveNames(names: NonNullable<Names>, screen?: number): Promise<NonNullable<Names>> {
  const out: Record<string, string | CountedName> = {};
  for (const [name, meaning] of Object.entries(names)) {
    const model = typeof meaning === 'object' ? await resolveModel(meaning.model, screen) : undefined;
    out[name] = typeof meaning === 'object' && model ? { ...meaning, model } : meaning;
  }
  return out;
}
