// Converts a learner's ledger to a worked article with the learner's numbers, which the core can then judge.

import type { Article, ArticleStep, GivenAnswer, Lesson } from '../types/index.ts';
import * as lessonTexts from './lesson-texts.ts';

/**
 * Makes the article. The models in `lesson` must already be configurations. A step has no printed number if its screen has no answer or
 * asks for a number other than the step's. The last step becomes the total.
 */
export function learnedArticle(
  lesson: Lesson,
  answers: readonly (GivenAnswer | null | undefined)[],
  says: readonly (string | undefined)[],
): Article {
  const steps = lesson.screens.flatMap((screen, i): ArticleStep[] => {
    const { books, number } = screen;
    if (!books) return [];
    const expression = books.expression ?? number?.expression;
    const asked = books.expression === undefined || books.expression === number?.expression;
    const answer = answers[i];
    return [
      {
        name: books.name,
        says: says[i] ?? books.says,
        ...(expression !== undefined && { expression }),
        ...(asked && typeof answer === 'string' && answer !== '' && { prints: answer }),
        ...(books.tensors && { tensors: books.tensors }),
        ...(books.each && { each: books.each }),
      },
    ];
  });
  const last = steps.pop();
  const names = Object.fromEntries(
    Object.entries(lesson.names ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
  const model = lesson.model as object;
  return {
    title: lessonTexts.articleTitle(lesson.title),
    setting: model,
    model,
    names,
    steps,
    ...(last && { total: { ...last, name: undefined } }),
  };
}
