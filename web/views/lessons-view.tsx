// "Count it by hand": the lessons, a lesson made for the current model, and sets of exercises.

import { home, isFile } from '../support/build-info.ts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Ledger } from '../core/ledger.ts';
import { lessons } from '../data/lessons.ts';
import { learnedArticle } from '../lessons/learned-article.ts';
import * as lessonTexts from '../lessons/lesson-texts.ts';
import { loadProgress, NO_PROGRESS, saveProgress, type Progress } from '../lessons/progress.ts';
import { resolveLesson } from '../lessons/resolve.ts';
import { nameOf } from '../models/model.ts';
import { OWN_LESSON, writeSet, type LessonChoice } from '../settings/lesson-choice.ts';
import { pack } from '../config/link.ts';
import { exerciseLink } from '../export/exercise.ts';
import type { Lesson, LessonAnswer, Refusal } from '../types/index.ts';
import { NamedView } from '../parts/basics.tsx';
import { CopyButton, SaveButton } from '../parts/buttons.tsx';
import { lazy } from '../parts/lazy.tsx';
import { LessonPlayer, Refused } from '../parts/lesson-player.tsx';
import { HandIn, Results } from '../parts/lesson-results.tsx';
import type { AskingProps } from './view-props.ts';

const NAME = 'lessons';

/** Loaded on demand, because most readers only take lessons and do not write exercises. */
const ExerciseEditor = lazy(async () => (await import('./exercise-editor.tsx')).ExerciseEditor);

export function LessonsView({ store, ledger, state, link }: AskingProps) {
  const choice = state.details.lessons;
  const put = (lessons: LessonChoice | undefined) => store.act({ type: 'show', details: { lessons } });
  const model = state.models[state.active];
  return (
    <NamedView value={NAME}>
      <main class="column lessons" id={`${NAME}-answer`} tabIndex={-1}>
        <div class="view-lead">
          <h2>{choice?.kind === 'edit' ? lessonTexts.exercises : lessonTexts.title}</h2>
          {choice ? (
            <p>
              <button type="button" class="quiet" onClick={() => put(undefined)}>
                {lessonTexts.back}
              </button>
            </p>
          ) : (
            <p class="muted">{lessonTexts.lead}</p>
          )}
        </div>
        {!choice && <Contents name={nameOf(model.entry)} put={put} />}
        {choice?.kind === 'edit' && <ExerciseEditor ledger={ledger} />}
        {choice?.kind === 'broken' && <p class="refusal">{lessonTexts.noLesson(choice.trouble)}</p>}
        {choice?.kind === 'set' && <ExerciseSet choice={choice} ledger={ledger} />}
        {choice?.kind === 'lesson' && (
          <OneLesson
            key={choice.id === OWN_LESSON ? model.entry.text : choice.id}
            choice={choice}
            put={put}
            config={model.entry.text}
            name={nameOf(model.entry)}
            ledger={ledger}
            link={link}
            open={(article) => {
              store.act({ type: 'show', details: { articles: { kind: 'own', article } } });
              store.act({ type: 'view', view: 'articles' });
              scrollTo(0, 0);
            }}
          />
        )}
      </main>
    </NamedView>
  );
}

function Contents({ name, put }: { name: string; put: (choice: LessonChoice) => void }) {
  const open = (id: string, at: number) => put({ kind: 'lesson', id, at });
  return (
    <>
      <ul class="cards lesson-cards" aria-label={lessonTexts.list}>
        {Object.entries(lessons).map(([id, { title, lead, screens }]) => {
          const { at } = loadProgress(id);
          return (
            <li key={id}>
              <h3>{title}</h3>
              <p>{lead}</p>
              <p>
                <button type="button" class="primary" onClick={() => open(id, at < screens.length ? at : 0)}>
                  {at > 0 && at < screens.length ? lessonTexts.goOn(at + 1, screens.length) : lessonTexts.start}
                </button>{' '}
                <span class="muted">{at >= screens.length ? lessonTexts.done : lessonTexts.screens(screens.length)}</span>
              </p>
            </li>
          );
        })}
        <li>
          <h3>{lessonTexts.made(name)}</h3>
          <p>
            <button type="button" class="primary" onClick={() => open(OWN_LESSON, 0)}>
              {lessonTexts.start}
            </button>
          </p>
        </li>
        <li>
          <h3>{lessonTexts.exercises}</h3>
          <p>{lessonTexts.exercisesLead}</p>
          <p>
            <button type="button" onClick={() => put({ kind: 'edit' })}>
              {lessonTexts.makeSet}
            </button>
          </p>
        </li>
      </ul>
      <Posts />
    </>
  );
}

/** Links to example posts. They are stored next to the hosted page. */
function Posts() {
  const place = isFile ? home : '';
  if (isFile && home === '') return null;
  return (
    <section>
      <h3>{lessonTexts.posts}</h3>
      <ul>
        {lessonTexts.postNames.map(([name, title]) => (
          <li key={name}>
            <a href={`${place}examples/posts/${name}.html`}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Replaces the names of models in a lesson by their configurations. Returns the lesson once these have loaded. */
function useResolved(lesson: Lesson | undefined): { readonly lesson?: Lesson; readonly trouble: string } {
  const [resolved, setResolved] = useState<{ readonly lesson?: Lesson; readonly trouble: string }>({ trouble: '' });
  useEffect(() => {
    let isLast = true;
    if (lesson)
      resolveLesson(lesson).then(
        (whole) => isLast && setResolved({ lesson: whole, trouble: '' }),
        (error: Error) => isLast && setResolved({ trouble: error.message }),
      );
    return () => void (isLast = false);
  }, [lesson]);
  return resolved;
}

/**
 * Makes a lesson about the current model, or returns a refusal if no lesson can be made. The generating code is loaded when the lesson is
 * opened.
 */
function useMade(wanted: boolean, name: string, config: string, ledger: Ledger): Lesson | Refusal | undefined {
  const [made, setMade] = useState<Lesson | Refusal>();
  useEffect(() => {
    let isLast = true;
    if (wanted) void import('../lessons/generate.ts').then(({ generateLesson }) => isLast && setMade(generateLesson(name, config, ledger)));
    return () => void (isLast = false);
  }, [wanted, config]);
  return made;
}

interface OneLessonProps {
  readonly choice: Extract<LessonChoice, { kind: 'lesson' }>;
  readonly put: (choice: LessonChoice) => void;
  /** The current model's configuration. */
  readonly config: string;
  readonly name: string;
  readonly ledger: Ledger;
  readonly link: AskingProps['link'];
  readonly open: (article: ReturnType<typeof learnedArticle>) => void;
}

function OneLesson({ choice, put, config, name, ledger, link, open }: OneLessonProps) {
  const { id } = choice;
  const own = id === OWN_LESSON || !Object.hasOwn(lessons, id);
  const made = useMade(own, name, config, ledger);
  const refused = made && 'ok' in made ? made : undefined;
  const { lesson, trouble } = useResolved(own ? (refused ? undefined : (made as Lesson | undefined)) : lessons[id]);
  const key = own ? `${OWN_LESSON} ${name}` : id;
  const [progress, setProgress] = useState<Progress>(() => ({ ...loadProgress(key), at: choice.at }));
  // The Back button or a link may change the screen in the address.
  useEffect(() => {
    if (choice.at !== progress.at) setProgress({ ...progress, at: choice.at });
  }, [choice.at]);
  const change = (now: Progress) => {
    setProgress(now);
    saveProgress(key, now);
    if (now.at !== choice.at) put({ kind: 'lesson', id: own ? OWN_LESSON : id, at: now.at });
  };
  if (refused) return <Refused refusal={refused} />;
  if (trouble) return <p class="refusal">{trouble}</p>;
  if (!lesson) return null;
  const article = (shown: LessonAnswer) => learnedArticle(lesson, progress.answers, shown.screens.map(({ books }) => books?.says)); // prettier-ignore
  const right = (shown: LessonAnswer) =>
    shown.screens.filter((_, i) => {
      const given = progress.answers[i] ?? undefined;
      const judged = given === undefined ? undefined : ledger.judge(lesson, i, given);
      return judged?.ok && judged.verdict === 'right';
    }).length;
  return (
    <LessonPlayer
      lesson={lesson}
      ledger={ledger}
      progress={progress}
      put={change}
      tools={
        <CopyButton label={lessonTexts.copyLink} title={lessonTexts.copyLinkTitle} text={() => link()} instead={lessonTexts.tooLong} />
      }
      end={(shown) => (
        <>
          <p>{lessonTexts.endLead(right(shown), shown.screens.length)}</p>
          <div class="take-away">
            <button type="button" class="primary" title={lessonTexts.exportTitle} onClick={() => open(article(shown))}>
              {lessonTexts.exportArticle}
            </button>
            <SaveButton
              label={lessonTexts.saveArticle}
              title={lessonTexts.exportTitle}
              fileName={() => 'article.json'}
              type="application/json"
              content={() => JSON.stringify(article(shown), null, 2)}
            />
            <button type="button" class="quiet" onClick={() => change(NO_PROGRESS)}>
              {lessonTexts.again}
            </button>
          </div>
        </>
      )}
    />
  );
}

/** A set of exercises from a link. If the link contains answers, they are shown as handed in. */
function ExerciseSet({ choice, ledger }: { choice: Extract<LessonChoice, { kind: 'set' }>; ledger: Ledger }) {
  const { lesson, trouble } = useResolved(choice.lesson);
  const [progress, setProgress] = useState<Progress>(NO_PROGRESS);
  const shown = useMemo(() => lesson && ledger.lesson(lesson), [lesson]);
  return (
    <>
      {choice.cut && (
        <p class="refusal" role="status">
          {lessonTexts.cut(choice.lesson.screens.length)}
        </p>
      )}
      {trouble && <p class="refusal">{trouble}</p>}
      {lesson && shown && !shown.ok && <Refused refusal={shown} />}
      {lesson && shown?.ok && choice.answers && <Results lesson={lesson} shown={shown} answers={choice.answers} ledger={ledger} />}
      {lesson && !choice.answers && (
        <LessonPlayer
          lesson={lesson}
          ledger={ledger}
          progress={progress}
          put={setProgress}
          end={(answer) => (
            <HandIn
              lesson={lesson}
              shown={answer}
              answers={progress.answers}
              ledger={ledger}
              link={async () => exerciseLink(`~${await pack(writeSet(choice.lesson, progress.answers))}`)}
            />
          )}
        />
      )}
    </>
  );
}
