// Draws exercises into an element. This script and the full program are loaded when a widget or a frame first shows exercises.

import { render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { pack } from '../config/link.ts';
import { loadLedger, type Ledger } from '../core/ledger.ts';
import * as lessonTexts from '../lessons/lesson-texts.ts';
import { NO_PROGRESS } from '../lessons/progress.ts';
import { resolveLesson } from '../lessons/resolve.ts';
import { NO_SCREENS, parse, writeSet } from '../settings/lesson-choice.ts';
import { createNumbers, setNumbers } from '../support/numbers.ts';
import type { Lesson } from '../types/index.ts';
import { NamedView } from './basics.tsx';
import { LessonPlayer, Refused } from './lesson-player.tsx';
import { HandIn } from './lesson-results.tsx';
import { NumbersScope } from './numbers-scope.ts';

/**
 * Prepares exercises, and returns a function that draws them into an element. `text`: the exercises as JSON. `language`: the language in which
 * numbers are formatted. `page`: the address of the full page, if any, for links to the answers. Rejects with an Error whose message can be
 * shown to the user.
 */
export async function prepareExercise(text: string, language: string, page: string | undefined): Promise<(place: Element) => void> {
  const choice = parse(text);
  if (choice?.kind !== 'set') throw new Error(lessonTexts.noLesson(choice?.kind === 'broken' ? choice.trouble : NO_SCREENS));
  const [ledger, lesson] = await Promise.all([loadLedger(), resolveLesson(choice.lesson)]);
  const numbers = createNumbers(language);
  return (place) => {
    setNumbers(numbers); // numbers in sentences are formatted when the answer is read
    render(
      <NumbersScope numbers={numbers}>
        <NamedView value="exercise">
          {choice.cut && <p class="refusal">{lessonTexts.cut(choice.lesson.screens.length)}</p>}
          <Exercise ledger={ledger} lesson={lesson} written={choice.lesson} page={page} />
        </NamedView>
      </NumbersScope>,
      place,
    );
  };
}

interface ExerciseProps {
  readonly ledger: Ledger;
  readonly lesson: Lesson;
  /** The lesson as its author wrote it, with models given by name or as configurations. */
  readonly written: Lesson;
  readonly page: string | undefined;
}

function Exercise({ ledger, lesson, written, page }: ExerciseProps) {
  const [progress, setProgress] = useState(NO_PROGRESS);
  const shown = useMemo(() => ledger.lesson(lesson), [lesson]);
  if (!shown.ok) return <Refused refusal={shown} />;
  const link = page === undefined ? undefined : async () => `${page}#lessons?~${await pack(writeSet(written, progress.answers))}`;
  return (
    <LessonPlayer
      lesson={lesson}
      ledger={ledger}
      progress={progress}
      put={setProgress}
      end={(answer) => <HandIn lesson={lesson} shown={answer} answers={progress.answers} ledger={ledger} link={link} />}
    />
  );
}
