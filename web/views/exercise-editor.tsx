// The editor for teachers: questions chosen from templates or written by hand, a preview of the exercises, and the link to share.

import { useEffect, useState } from 'preact/hooks';
import { parseConfig } from '../config/config-text.ts';
import { pack } from '../config/link.ts';
import type { Ledger } from '../core/ledger.ts';
import { firstCourse } from '../data/first-course.ts';
import { exerciseFrame, exerciseLink, exerciseWidget } from '../export/exercise.ts';
import * as lessonTexts from '../lessons/lesson-texts.ts';
import { NO_PROGRESS, type Progress } from '../lessons/progress.ts';
import { resolveLesson } from '../lessons/resolve.ts';
import { NO_SCREENS, writeSet } from '../settings/lesson-choice.ts';
import type { Lesson, LessonScreen } from '../types/index.ts';
import { useIds } from '../parts/basics.tsx';
import { CopyButton } from '../parts/buttons.tsx';
import { LessonPlayer } from '../parts/lesson-player.tsx';

interface EditorProps {
  readonly ledger: Ledger;
}

const EMPTY: Lesson = { title: lessonTexts.untitled, screens: [] };

export function ExerciseEditor({ ledger }: EditorProps) {
  const id = useIds();
  const [set, setSet] = useState<Lesson>(EMPTY);
  const [trouble, setTrouble] = useState('');
  const [resolved, setResolved] = useState<Lesson>();
  const [progress, setProgress] = useState<Progress>(NO_PROGRESS);
  useEffect(() => {
    let isLast = true;
    resolveLesson(set).then(
      (lesson) => {
        if (!isLast) return;
        setTrouble('');
        setResolved(lesson);
      },
      (error: Error) => isLast && setTrouble(error.message),
    );
    return () => void (isLast = false);
  }, [set]);
  const change = (changed: Partial<Lesson>) => {
    setProgress(NO_PROGRESS);
    setSet({ ...set, ...changed });
  };
  const has = (screen: LessonScreen) => set.screens.some(({ title, asks }) => title === screen.title && asks === screen.asks);
  const toggle = (screen: LessonScreen) =>
    change({ screens: has(screen) ? set.screens.filter((one) => one.title !== screen.title || one.asks !== screen.asks) : [...set.screens, screen] }); // prettier-ignore
  /** Sets the model of a screen: a name, or a configuration as JSON. */
  const setModel = (i: number, typed: string) => {
    const config = parseConfig(typed);
    const model = Object.keys(config).length > 0 ? config : typed.trim() || undefined;
    change({ screens: set.screens.map((one, at) => (at === i ? { ...one, model } : one)) });
  };
  const read = (event: Event) => {
    const area = event.currentTarget as HTMLTextAreaElement;
    try {
      const value = JSON.parse(area.value) as Lesson;
      if (!Array.isArray(value.screens)) throw new Error(NO_SCREENS);
      setTrouble('');
      setProgress(NO_PROGRESS);
      setSet(value);
    } catch (error) {
      setTrouble(lessonTexts.noLesson((error as Error).message));
    }
  };
  const packed = async () => `~${await pack(writeSet(set))}`;
  return (
    <div class="exercise-editor">
      <p class="muted">{lessonTexts.exercisesLead}</p>
      <p class="field-line">
        <label for={id('set-title')}>{lessonTexts.setTitle}</label>
        <input id={id('set-title')} value={set.title} onInput={(event) => change({ title: event.currentTarget.value })} />
      </p>
      <fieldset class="lesson-choices">
        <legend>{lessonTexts.bank}</legend>
        <button type="button" class="quiet" onClick={() => change({ title: firstCourse.title, screens: firstCourse.screens })}>
          {lessonTexts.trySet(firstCourse.screens.length)}
        </button>
        {firstCourse.screens.map((screen) => (
          <label key={screen.title}>
            <input type="checkbox" checked={has(screen)} onChange={() => toggle(screen)} /> <span>{screen.title}</span>
          </label>
        ))}
      </fieldset>
      {set.screens.length > 0 && (
        <ol class="exercise-models">
          {set.screens.map((screen, i) => (
            <li key={i}>
              <label>
                {screen.title ?? screen.asks}{' '}
                <input
                  aria-label={`${lessonTexts.modelOf}: ${screen.title ?? screen.asks}`}
                  value={typeof screen.model === 'object' ? JSON.stringify(screen.model) : (screen.model ?? '')}
                  spellcheck={false}
                  onChange={(event) => setModel(i, event.currentTarget.value)}
                />
              </label>
            </li>
          ))}
        </ol>
      )}
      <OwnQuestion add={(screen) => change({ screens: [...set.screens, screen] })} />
      <details>
        <summary>{lessonTexts.asJson}</summary>
        <textarea rows={12} spellcheck={false} aria-label={lessonTexts.asJson} value={JSON.stringify(set, null, 2)} onChange={read} />
      </details>
      {trouble !== '' && (
        <p class="refusal" role="status">
          {trouble}
        </p>
      )}
      {set.screens.length === 0 ? (
        <p class="muted">{lessonTexts.emptySet}</p>
      ) : (
        <>
          <div class="take-away">
            <CopyButton
              label={lessonTexts.copySet}
              title={lessonTexts.copySetTitle}
              text={async () => exerciseLink(await packed())}
              instead={lessonTexts.tooLong}
            />
            <CopyButton
              label={lessonTexts.copyFrame}
              title={lessonTexts.copyFrameTitle}
              text={async () => exerciseFrame(await packed(), set.title)}
              instead={lessonTexts.tooLong}
            />
            <CopyButton
              label={lessonTexts.copyWidget}
              title={lessonTexts.copyWidgetTitle}
              text={() => exerciseWidget(writeSet(set), set.title)}
            />
          </div>
          <h3>{lessonTexts.preview}</h3>
          {resolved && resolved.screens.length > 0 && (
            <LessonPlayer
              key={JSON.stringify(resolved)}
              lesson={resolved}
              ledger={ledger}
              progress={progress}
              put={setProgress}
              end={() => null}
            />
          )}
        </>
      )}
    </div>
  );
}

/** A form in which the teacher writes a question. */
function OwnQuestion({ add }: { add: (screen: LessonScreen) => void }) {
  const [asks, setAsks] = useState('');
  const [model, setModel] = useState('meta-llama/Llama-3.1-8B');
  const [expression, setExpression] = useState('');
  const [value, setValue] = useState('');
  const [says, setSays] = useState('');
  const [trouble, setTrouble] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (asks.trim() === '' || expression.trim() === '') return setTrouble(lessonTexts.noExpression);
    setTrouble('');
    add({ says: '', asks, model, number: { expression, ...(value && says && { wrong: [{ value, says }] }) } });
  };
  const field = (label: string, typed: string, set: (typed: string) => void) => (
    <label class="field-line">
      {label} <input value={typed} onInput={(event) => set(event.currentTarget.value)} />
    </label>
  );
  return (
    <details>
      <summary>{lessonTexts.ownQuestion}</summary>
      <form onSubmit={submit}>
        {field(lessonTexts.asks, asks, setAsks)}
        {field(lessonTexts.modelOf, model, setModel)}
        {field(lessonTexts.expression, expression, setExpression)}
        {field(lessonTexts.wrongValue, value, setValue)}
        {field(lessonTexts.wrongSays, says, setSays)}
        {trouble && <p class="refusal">{trouble}</p>}
        <button type="submit">{lessonTexts.add}</button>
      </form>
    </details>
  );
}
