// Parses and writes the part of an address that selects a lesson and one of its screens, selects the exercise editor, or contains a set of
// exercises.

import type { GivenAnswer, Lesson } from '../types/index.ts';

/** The ids that links use for the lesson about the current model and for the exercise editor. */
export const OWN_LESSON = 'model';
const EXERCISES = 'exercises';

export type LessonChoice =
  /** `at` is the index of the screen, counted from 0. */
  | { readonly kind: 'lesson'; readonly id: string; readonly at: number }
  | { readonly kind: 'edit' }
  /**
   * `cut`: the text could not be parsed as a whole, usually because the link was truncated. `lesson` then contains only the complete
   * screens before the break. `answers`: the answers that the link contains.
   */
  | { readonly kind: 'set'; readonly lesson: Lesson; readonly answers?: readonly (GivenAnswer | null)[]; readonly cut: boolean }
  | { readonly kind: 'broken'; readonly text: string; readonly trouble: string };

/** The error message for an exercise set that has no list of screens. */
export const NO_SCREENS = 'screens: it has no list of screens.';

export function parse(written: string): LessonChoice | undefined {
  const text = written.trim(); // authors may indent the text within a page
  if (text === '') return undefined;
  if (text === EXERCISES) return { kind: 'edit' };
  if (!text.startsWith('{')) {
    const [, id, at] = /^(.*?)(?:\/(\d{1,4}))?$/.exec(text) ?? [];
    return { kind: 'lesson', id, at: at === undefined ? 0 : Math.max(0, Number(at) - 1) };
  }
  try {
    return setOf(JSON.parse(text), false);
  } catch (error) {
    const whole = parseWhole(text);
    return whole ? setOf(whole, true) : { kind: 'broken', text, trouble: (error as Error).message };
  }
}

function setOf(value: unknown, cut: boolean): LessonChoice {
  const { answers, ...lesson } = value as Lesson & { answers?: unknown };
  if (!Array.isArray(lesson.screens)) throw new Error(NO_SCREENS);
  const given = Array.isArray(answers) ? answers.map((one) => (isGiven(one) ? one : null)) : undefined;
  return { kind: 'set', lesson, ...(given && { answers: given }), cut };
}

const isGiven = (value: unknown): value is GivenAnswer =>
  typeof value === 'string' || (Array.isArray(value) && value.every((at) => Number.isInteger(at)));

export function write(choice: LessonChoice): string {
  switch (choice.kind) {
    case 'lesson':
      return choice.at > 0 ? `${choice.id}/${choice.at + 1}` : choice.id;
    case 'edit':
      return EXERCISES;
    case 'set':
      return writeSet(choice.lesson, choice.answers);
    case 'broken':
      return choice.text;
  }
}

/** Writes a set of exercises. The screens come last, so that complete screens survive if the link is truncated. */
export const writeSet = ({ screens, ...rest }: Lesson, answers?: readonly (GivenAnswer | null)[]): string =>
  JSON.stringify({ ...rest, ...(answers && { answers }), screens });

/** Parses the complete screens at the start of a truncated text as a lesson; undefined if there are none or if they are not valid JSON. */
function parseWhole(text: string): unknown {
  const begin = text.indexOf('"screens":[');
  if (begin < 0) return undefined;
  let depth = 0;
  let quoted = false;
  let end = 0;
  for (let i = begin + '"screens":['.length; i < text.length; i++) {
    const sign = text[i];
    if (quoted) {
      if (sign === '\\') i++;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) end = i + 1;
  }
  try {
    return end === 0 ? undefined : (JSON.parse(`${text.slice(0, end)}]}`) as unknown);
  } catch {
    return undefined;
  }
}
