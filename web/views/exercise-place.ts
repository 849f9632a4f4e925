// Draws exercises in a widget or a frame. The code is loaded on demand.

/** The value of the widget's `view` attribute that shows exercises. */
export const EXERCISE = 'exercise';

export const drawExercise = async (place: Element, text: string, language: string, page: string | undefined): Promise<void> =>
  (await import('../parts/widget-exercise.tsx')).drawExercise(place, text, language, page);
