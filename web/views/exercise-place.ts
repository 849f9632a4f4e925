// Exercises for a widget or a frame: the code that draws them is loaded on demand.

/** Named as in the attribute and the address. */
export const EXERCISE = 'exercise';

export const drawExercise = async (place: Element, text: string, language: string, page: string | undefined): Promise<void> =>
  (await import('../parts/widget-exercise.tsx')).drawExercise(place, text, language, page);
