// Shows a learner's answers with a verdict on each, and the controls for handing them in.

import { useMemo } from 'preact/hooks';
import * as lessonTexts from '../lessons/lesson-texts.ts';
import type { Ledger } from '../core/ledger.ts';
import type { GivenAnswer, Lesson, LessonAnswer } from '../types/index.ts';
import { CopyButton } from './buttons.tsx';

type Answers = readonly (GivenAnswer | null)[];

/** An answer as text: what the learner typed, or the texts of the chosen choices. */
const writeAnswer = (answer: GivenAnswer | null | undefined, { screens }: LessonAnswer, i: number): string =>
  typeof answer === 'string' ? answer : (answer ?? []).map((at) => screens[i].choices?.[at]?.says ?? '').join('; ');

interface JudgedLine {
  readonly asks: string;
  readonly answer: string;
  readonly verdict: string;
  readonly isRight: boolean;
}

function judgeAll(lesson: Lesson, shown: LessonAnswer, answers: Answers, ledger: Ledger): readonly JudgedLine[] {
  return shown.screens.map(({ title, asks }, i) => {
    const answer = answers[i];
    const asked = title === undefined ? asks : `${title}: ${asks}`;
    if (answer === null || answer === undefined) return { asks: asked, answer: '', verdict: lessonTexts.unanswered, isRight: false };
    const judged = ledger.judge(lesson, i, answer);
    const verdict = judged.ok ? `${lessonTexts.verdicts[judged.verdict]} ${judged.sentence ?? ''}`.trim() : judged.error.message;
    return { asks: asked, answer: writeAnswer(answer, shown, i), verdict, isRight: judged.ok && judged.verdict === 'right' };
  });
}

interface ResultsProps {
  readonly lesson: Lesson;
  readonly shown: LessonAnswer;
  readonly answers: Answers;
  readonly ledger: Ledger;
}

/** The answers as the teacher sees them. */
export function Results({ lesson, shown, answers, ledger }: ResultsProps) {
  const lines = useMemo(() => judgeAll(lesson, shown, answers, ledger), [lesson, answers]);
  return (
    <section class="lesson-results">
      <h3>{lessonTexts.handedIn(lines.filter(({ isRight }) => isRight).length, lines.length)}</h3>
      <p class="muted">{lessonTexts.noProof}</p>
      <table class="account steps">
        <thead>
          <tr>
            <th scope="col">{lessonTexts.question}</th>
            <th scope="col">{lessonTexts.given}</th>
            <th scope="col">{lessonTexts.verdict}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ asks, answer, verdict, isRight }, i) => (
            <tr key={i} data-verdict={isRight ? 'right' : 'wrong'}>
              <th scope="row">{asks}</th>
              <td>{answer}</td>
              <td class="step-verdict">{verdict}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface HandInProps extends ResultsProps {
  /** Makes a link for the teacher, or returns undefined if it would be too long. The property is missing if there is no page to link to. */
  readonly link?: () => Promise<string | undefined>;
}

/** The controls with which a learner hands in answers to the teacher. */
export function HandIn({ lesson, shown, answers, ledger, link }: HandInProps) {
  const text = () =>
    [lesson.title, ...judgeAll(lesson, shown, answers, ledger).map(({ asks, answer, verdict }, i) => `${i + 1}. ${asks}\n   ${answer || '–'}\n   ${verdict}`)].join('\n'); // prettier-ignore
  const right = judgeAll(lesson, shown, answers, ledger).filter(({ isRight }) => isRight).length;
  return (
    <>
      <p>{lessonTexts.endLead(right, shown.screens.length)}</p>
      <div class="take-away">
        {link && <CopyButton label={lessonTexts.handInLink} title={lessonTexts.noProof} text={link} instead={lessonTexts.tooLong} />}
        <CopyButton label={lessonTexts.handInText} title={lessonTexts.noProof} text={text} />
      </div>
      <p class="muted">{lessonTexts.noProof}</p>
    </>
  );
}
