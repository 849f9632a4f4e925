// Draws exercises in a widget or a frame. The code is loaded on demand.

/** The value of the widget's `view` attribute that shows exercises. */
export const EXERCISE = 'exercise';

export const prepareExercise = async (text: string, language: string, page: string | undefined): Promise<(place: Element) => void> =>
  (await import('../parts/widget-exercise.tsx')).prepareExercise(text, language, page);
