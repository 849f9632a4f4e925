// Exercises for a widget or a frame: what draws them is loaded when they are first asked for.

/** As the attribute and the address call them. */
export const EXERCISE = 'exercise';

export const drawExercise = async (place: Element, text: string, language: string, page: string | undefined): Promise<void> =>
  (await import('../parts/widget-exercise.tsx')).drawExercise(place, text, language, page);
