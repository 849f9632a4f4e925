// The head of an answer: the model's name and class, its exact parameter count, a comparison with the published count, and notes.

import { groupAdded } from '../answer/breakdown.ts';
import { difference, grouped, percent, typedShort } from '../support/numbers.ts';
import { isStale, nameOf, ownerOf, publishedOf, type Model } from '../models/model.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, Note } from '../types/index.ts';
import { CopyButton } from './buttons.tsx';
import { Spoken, useIds } from './basics.tsx';
import type { Published } from '../config/entry.ts';
import type { Act } from '../app/store.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Numbers with more digits than this are set in a smaller font. */
const LONG = 16;
/** The maximum number of notes that are listed; the others are only counted. */
const MAX_NOTES = 8;

interface TotalProps {
  readonly model: Model;
  readonly act: Act;
  /** The list of edits, if there are any. It replaces the note about the effect of the last edit. */
  readonly edits?: ComponentChildren;
  /** Further buttons next to the number, for exports. */
  readonly children?: ComponentChildren;
}

export function Total({ model, act, edits, children }: TotalProps) {
  const id = useIds();
  const { shown, entry, answer } = model;
  const stale = isStale(model);
  const total = shown?.totals.parameters;
  return (
    <div class="total">
      <p class="owner">{ownerOf(entry)}</p>
      <div class="title">
        <h2 id={id('name')}>{nameOf(entry)}</h2>
        {shown && <ArchitectureChoice model={model} shown={shown} act={act} />}
      </div>
      <div class="figure">
        <span class="number" data-long={total !== undefined && total.length > LONG ? '' : undefined}>
          {total === undefined ? texts.total.notCounted : grouped(total)}
        </span>
        <CopyButton label="Copy" title={stale ? texts.total.wait : texts.total.copy} text={() => total} disabled={stale} />
        {children}
      </div>
      {shown && <Headline answer={shown} />}
      <p class="words">
        {answer.ok && (edits || <Change model={model} />)}
        <Verdict published={publishedOf(model)} shown={shown} />
        {stale && shown && <span class="stale">{lastValid(model)}</span>}
        {!answer.ok && <span class="refusal">{answer.error.message}</span>}
      </p>
      {answer.ok && <Notes notes={answer.notes} />}
    </div>
  );
}

function lastValid({ entry, shownOf }: Model): string {
  const name = shownOf && nameOf(shownOf);
  return name === undefined || name === nameOf(entry) ? texts.total.lastValid : texts.total.lastValidOf(name);
}

function ArchitectureChoice({ model, shown, act }: { model: Model; shown: CountAnswer; act: Act }) {
  const id = useIds();
  const chosen = model.answer.ok ? model.answer.architecture : shown.architecture;
  const known = model.form.architectures;
  const choices = known.includes(chosen) ? known : [...known, chosen];
  const choose = (event: Event) =>
    act({ type: 'set', path: 'architectures', literal: JSON.stringify([(event.currentTarget as HTMLSelectElement).value]) });
  return (
    <p class="class">
      <code>{shown.model_type}</code>
      <label for={id('architecture')}>
        <Spoken>{texts.total.architecture}</Spoken>
      </label>
      <select id={id('architecture')} value={chosen} onChange={choose}>
        {choices.map((name) => (
          <option key={name} value={name} selected={name === chosen}>
            {name}
          </option>
        ))}
      </select>
    </p>
  );
}

export function Change({ model: { before, shown } }: { model: Model }) {
  if (!before || !shown || before.totals.parameters === shown.totals.parameters) return null;
  return (
    <span class="was">
      <Spoken>{texts.total.before}</Spoken>
      <s>{grouped(before.totals.parameters)}</s> <span class="change">{difference(before.totals.parameters, shown.totals.parameters)}</span>
    </span>
  );
}

/** Says whether the count equals the published count, if there is one, and where the published count comes from. */
function Verdict({ published, shown }: { published: Published | undefined; shown: CountAnswer | undefined }) {
  if (!published || !shown) return null;
  const { parameters, stored, beyond, source, recorded } = published;
  const exact = parameters === shown.totals.parameters;
  const buffers = !exact && parameters === shown.totals.stored; // some published counts include buffers
  const verdict =
    exact && beyond
      ? texts.published.derived(
          stored ? grouped(stored) : '',
          Object.entries(beyond)
            .map(([what, count]) => `${what} (${grouped(count)})`)
            .join(', '),
        )
      : exact
        ? texts.published.equal(source)
        : buffers
          ? texts.published.withBuffers(source, grouped(parameters))
          : texts.published.other(grouped(parameters));
  return (
    <span class="check" data-exact={exact || buffers ? '' : undefined}>
      {verdict} <span class="check-source">{texts.published.source(source, recorded)}</span>
    </span>
  );
}

/** A summary in one line: the total and, if they differ from it, the active parameters and the elements of the published files. */
function Headline({ answer }: { answer: CountAnswer }) {
  const id = useIds();
  const [open, setOpen] = useState(false);
  const { parameters, active = parameters, published = parameters } = answer.totals;
  return (
    <div class="headline">
      <strong>{texts.headline.total(typedShort(parameters))}</strong>
      {active !== parameters && (
        <span title={answer.definitions.active}>
          <strong>{texts.headline.active(typedShort(active))}</strong> <span class="muted">({percent(active, parameters)})</span>
        </span>
      )}
      {published !== parameters && (
        <>
          <button type="button" class="held" aria-expanded={open} aria-controls={id('files')} onClick={() => setOpen(!open)}>
            {texts.headline.held(typedShort(published))}
          </button>
          <table class="in-files" id={id('files')} hidden={!open}>
            <tbody>
              {listHeld(answer).map(([what, count]) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td class="digits">{grouped(count)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{texts.headline.label}</th>
                <td class="digits">{grouped(published)}</td>
              </tr>
            </tfoot>
          </table>
        </>
      )}
    </div>
  );
}

/** The counts that add up to the number of elements in the published files: parameters, buffers and additional tensors. */
const listHeld = (answer: CountAnswer): [what: string, count: string][] => [
  [texts.headline.parameters, answer.totals.parameters],
  ...(answer.totals.buffers === '0' ? [] : [[texts.headline.buffers, answer.totals.buffers] as [string, string]]),
  ...groupAdded(answer).map(({ label, beside = 0n }): [string, string] => [label, String(beside)]),
];

function Notes({ notes }: { notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  const sorted = [...notes].sort((a, b) => Number(b.level === 'warning') - Number(a.level === 'warning'));
  const hidden = sorted.length - MAX_NOTES;
  return (
    <ul class="notes" aria-label={texts.total.notes}>
      {sorted.slice(0, MAX_NOTES).map(({ level, message }, i) => (
        <li key={i} data-level={level}>
          {message}
        </li>
      ))}
      {hidden > 0 && <li>{texts.total.moreNotes(hidden)}</li>}
    </ul>
  );
}
