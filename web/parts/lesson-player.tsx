// Plays a lesson screen by screen: text, picture, question, the verdict on the answer, and the ledger of results so far.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { parseConfig, setField } from '../config/config-text.ts';
import * as lessonTexts from '../lessons/lesson-texts.ts';
import type { Progress } from '../lessons/progress.ts';
import type { Ledger } from '../core/ledger.ts';
import { grouped } from '../support/numbers.ts';
import type { GivenAnswer, JudgedAnswer, Lesson, LessonAnswer, Refusal, ShownScreen } from '../types/index.ts';
import { useIds } from './basics.tsx';
import { LessonLayer, LessonPicture } from './lesson-picture.tsx';

interface PlayerProps {
  /** The lesson, with its models given as configurations. */
  readonly lesson: Lesson;
  readonly ledger: Ledger;
  readonly progress: Progress;
  readonly put: (progress: Progress) => void;
  /** Returns what is shown after the last screen. */
  readonly end: (shown: LessonAnswer) => ComponentChildren;
  /** Controls next to the screen's buttons. */
  readonly tools?: ComponentChildren;
}

export function LessonPlayer({ lesson, ledger, progress, put, end, tools }: PlayerProps) {
  const id = useIds();
  const shown = useMemo(() => ledger.lesson(lesson), [lesson]);
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = useRef(false);
  const at = Math.min(progress.at, lesson.screens.length);
  useEffect(() => {
    if (moved.current) heading.current?.focus();
    moved.current = false;
  }, [at]);
  if (!shown.ok) return <Refused refusal={shown} />;
  const go = (to: number) => {
    moved.current = true;
    put({ ...progress, at: to });
  };
  const screen = shown.screens[at];
  return (
    <section class="lesson" aria-label={lesson.title}>
      <header class="lesson-head">
        <p class="muted">
          {lesson.title} · {at < shown.screens.length ? lessonTexts.position(at + 1, shown.screens.length) : lessonTexts.done}
        </p>
        <progress max={shown.screens.length} value={at} aria-label={lesson.title} />
        <h3 ref={heading} tabIndex={-1} id={id('screen')}>
          {screen ? (screen.title ?? lessonTexts.position(at + 1, shown.screens.length)) : lessonTexts.end}
        </h3>
      </header>
      <div class="lesson-body">
        <div class="lesson-main">
          {screen ? <Screen key={at} at={at} screen={screen} lesson={lesson} ledger={ledger} progress={progress} put={put} /> : end(shown)}
          <nav class="take-away lesson-moves" aria-label={lesson.title}>
            <button type="button" class="quiet" disabled={at === 0} onClick={() => go(at - 1)}>
              {lessonTexts.previous}
            </button>
            {screen && (
              <button type="button" class={progress.open.includes(at) ? 'primary' : 'quiet'} onClick={() => go(at + 1)}>
                {at + 1 < shown.screens.length ? lessonTexts.next : lessonTexts.finish}
              </button>
            )}
            {tools}
          </nav>
        </div>
        <Ledgered lesson={lesson} shown={shown} progress={progress} />
      </div>
    </section>
  );
}

/** The error in a lesson that cannot be read, with the path to it, if there is one. */
export const Refused = ({ refusal: { error } }: { refusal: Refusal }) => (
  <p class="refusal" role="status">
    {error.field && <code>{error.field}</code>} {error.message}
  </p>
);

interface ScreenProps extends Pick<PlayerProps, 'lesson' | 'ledger' | 'progress' | 'put'> {
  readonly at: number;
  readonly screen: ShownScreen;
}

function Screen({ at, screen, lesson, ledger, progress, put }: ScreenProps) {
  const id = useIds();
  const { lit, several = false, source, model = lesson.model } = lesson.screens[at];
  const given = progress.answers[at] ?? undefined;
  const isOpen = progress.open.includes(at);
  const [turn, setTurn] = useState<number>();
  const [hinted, setHinted] = useState(false);
  const judged = useMemo(() => (given === undefined ? undefined : ledger.judge(lesson, at, given)), [given]);
  const config = useMemo(() => JSON.stringify(model), [model]);
  const turned = turn === undefined ? undefined : screen.turns?.values[turn];
  const answer = useMemo(
    () => ledger.count((turned && screen.turns && setField(config, screen.turns.field, turned.literal)) ?? config),
    [config, turned],
  );
  const say = (now: GivenAnswer) => {
    const verdict = ledger.judge(lesson, at, now);
    const isRight = verdict.ok && verdict.verdict === 'right';
    put({ ...progress, answers: replaceAt(progress.answers, at, now), open: isRight ? withScreen(progress.open, at) : progress.open });
  };
  return (
    <>
      <p class="lesson-text">{screen.says}</p>
      {answer.ok && lit && <LessonPicture answer={answer} lit={lit} />}
      {screen.turns && (
        <Turns
          turns={screen.turns}
          turn={turn}
          setTurn={setTurn}
          total={answer.ok ? answer.totals.parameters : undefined}
          config={config}
        />
      )}
      <Question screen={screen} several={several} given={given} say={say} />
      <div class="take-away">
        {screen.hint !== undefined && (
          <button type="button" class="quiet" aria-expanded={hinted} aria-controls={id('hint')} onClick={() => setHinted(!hinted)}>
            {lessonTexts.hint}
          </button>
        )}
        {!isOpen && (
          <button type="button" class="quiet" onClick={() => put({ ...progress, open: withScreen(progress.open, at) })}>
            {lessonTexts.showMe}
          </button>
        )}
      </div>
      <p id={id('hint')} class="lesson-hint" hidden={!hinted}>
        {screen.hint}
      </p>
      <div role="status" class="lesson-verdict">
        {judged && <Verdict judged={judged} />}
        {isOpen && <Revealed screen={screen} />}
      </div>
      {answer.ok && lit && <LessonLayer answer={answer} lit={lit} />}
      {source !== undefined && (
        <p class="muted">
          {lessonTexts.source} {source}
        </p>
      )}
    </>
  );
}

function replaceAt(list: Progress['answers'], at: number, value: GivenAnswer): Progress['answers'] {
  const out = Array.from({ length: Math.max(list.length, at + 1) }, (_, i) => list[i] ?? null);
  out[at] = value;
  return out;
}

const withScreen = (open: readonly number[], at: number) => (open.includes(at) ? open : [...open, at]);

function Verdict({ judged }: { judged: JudgedAnswer | Refusal }) {
  if (!judged.ok) return <p class="refusal">{judged.error.message}</p>;
  const kind = judged.verdict === 'right' ? 'agrees' : judged.verdict === 'wrong' ? 'wrong' : 'convention';
  return (
    <p class="verdict" data-verdict={kind}>
      <strong class="verdict-word">{lessonTexts.verdicts[judged.verdict]}</strong>
      {judged.sentence !== undefined && <span>{judged.sentence}</span>}
    </p>
  );
}

function Revealed({ screen: { number, choices, sets, reveals } }: { screen: ShownScreen }) {
  const solution =
    (number && lessonTexts.solution(number.worked, grouped(number.value))) ??
    (choices && lessonTexts.rightChoices(choices.flatMap(({ right, says }) => (right ? says : [])))) ??
    (sets && lessonTexts.setTo(sets.field, grouped(sets.value))) ??
    '';
  return (
    <div class="lesson-reveal">
      {!reveals?.startsWith(solution) && (
        <p>
          <strong>{solution}</strong>
        </p>
      )}
      {reveals !== undefined && <p>{reveals}</p>}
    </div>
  );
}

interface QuestionProps {
  readonly screen: ShownScreen;
  readonly several: boolean;
  readonly given: GivenAnswer | undefined;
  readonly say: (answer: GivenAnswer) => void;
}

function Question({ screen: { asks, choices, sets }, several, given, say }: QuestionProps) {
  const id = useIds();
  const [chosen, setChosen] = useState<readonly number[]>(typeof given === 'object' ? given : []);
  const answer = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    if (choices) return say(chosen);
    const text = answer.current?.value ?? '';
    if (text.trim() !== '') say(text);
  };
  const toggle = (i: number) => setChosen(several ? (chosen.includes(i) ? chosen.filter((one) => one !== i) : [...chosen, i]) : [i]);
  return (
    <form class="asking lesson-question" onSubmit={submit}>
      {choices ? (
        <fieldset class="lesson-choices">
          <legend>
            {asks} {several && <span class="muted">{lessonTexts.chooseSeveral}</span>}
          </legend>
          {choices.map(({ says }, i) => (
            <label key={i}>
              <input type={several ? 'checkbox' : 'radio'} name={id('choice')} checked={chosen.includes(i)} onChange={() => toggle(i)} />{' '}
              <span>{says}</span>
            </label>
          ))}
        </fieldset>
      ) : (
        <label for={id('answer')}>{asks}</label>
      )}
      <div class="asking-line">
        {!choices && (
          <input
            id={id('answer')}
            ref={answer}
            class="claim-input"
            autocomplete="off"
            spellcheck={false}
            placeholder={sets ? sets.field : lessonTexts.answer}
            defaultValue={typeof given === 'string' ? given : ''}
          />
        )}
        <button type="submit" class="primary" disabled={choices !== undefined && chosen.length === 0}>
          {lessonTexts.check}
        </button>
      </div>
    </form>
  );
}

interface TurnsProps {
  readonly turns: NonNullable<ShownScreen['turns']>;
  readonly turn: number | undefined;
  readonly setTurn: (turn: number) => void;
  readonly total: string | undefined;
  readonly config: string;
}

/** A slider over the values of a field, or a checkbox if there are two. */
function Turns({ turns: { field, says = field, values }, turn, setTurn, total, config }: TurnsProps) {
  const id = useIds();
  const now = JSON.stringify(parseConfig(config)[field] ?? null);
  const at =
    turn ??
    Math.max(
      0,
      values.findIndex(({ literal }) => literal === now),
    );
  const said = values[at] && lessonTexts.turned(field, grouped(values[at].literal), grouped(total ?? values[at].parameters));
  return (
    <div class="lesson-turn">
      {values.length === 2 ? (
        <label>
          <input type="checkbox" checked={at === 1} onChange={() => setTurn(1 - at)} /> {says}
        </label>
      ) : (
        <>
          <label for={id('turn')}>{says}</label>
          <input
            id={id('turn')}
            type="range"
            min={0}
            max={values.length - 1}
            value={at}
            aria-valuetext={said}
            onInput={(event) => setTurn(Number(event.currentTarget.value))}
          />
        </>
      )}
      <output class="muted">{said}</output>
    </div>
  );
}

/** The exact results so far. Next to a result that the question asked for is the learner's answer, if it was given. */
function Ledgered({ lesson, shown, progress }: { lesson: Lesson; shown: LessonAnswer; progress: Progress }) {
  const isEnd = progress.at >= shown.screens.length;
  const lines = shown.screens.flatMap(({ books, number }, i) =>
    books && (isEnd || progress.open.includes(i)) ? [{ i, books, number }] : [],
  );
  if (!lesson.screens.some(({ books }) => books)) return null;
  return (
    <aside class="lesson-ledger">
      <h4>{lessonTexts.ledger}</h4>
      {lines.length === 0 ? (
        <p class="muted">{lessonTexts.nothing}</p>
      ) : (
        <table class="account">
          <thead>
            <tr>
              <th scope="col">{lessonTexts.line}</th>
              <th scope="col" class="digits">
                {lessonTexts.yours}
              </th>
              <th scope="col" class="digits">
                {lessonTexts.ours}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ i, books, number }) => (
              <tr key={i}>
                <th scope="row">{books.says}</th>
                <td class="digits">
                  {number?.value === books.value && typeof progress.answers[i] === 'string' ? progress.answers[i] : ''}
                </td>
                <td class="digits">{grouped(books.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </aside>
  );
}
