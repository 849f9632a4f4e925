// The Target size view, which finds the configurations in a search space that are nearest to a number of parameters.

import { useEffect, useRef, useState } from 'preact/hooks';
import { startSearch } from '../app/start-search.ts';
import { grouped, MINUS, percent, short, typedShort } from '../support/numbers.ts';
import { MAX_MODELS } from '../config/link.ts';
import { nameOf, editField } from '../models/model.ts';
import type { Entry } from '../config/entry.ts';
import {
  createTargetSetting,
  isUntouched,
  NO_LIMITS,
  toSearchRequest,
  listSearchable,
  listShapes,
  type Part,
  type Shape,
  type TargetSetting,
} from '../settings/target-setting.ts';
import * as words from '../texts/target.ts';
import type { CountAnswer, FieldRow, Refusal, SearchAnswer, SearchRequest } from '../types/index.ts';
import { NamedView, useIds } from '../parts/basics.tsx';
import { CopyLink, Segmented } from '../parts/buttons.tsx';
import type { AskingProps } from './view-props.ts';

const NAME = 'target';

export function TargetView(props: AskingProps) {
  const { answer } = props.state.models[props.state.active];
  return (
    <NamedView value={NAME}>
      <main class="column target" id={`${NAME}-answer`} tabIndex={-1}>
        <div class="view-lead">
          <h2>{words.title}</h2>
          <p class="muted">{words.lead}</p>
        </div>
        {answer.ok ? <Target {...props} answer={answer} /> : <p class="refusal">{answer.error.message}</p>}
      </main>
    </NamedView>
  );
}

interface Running {
  readonly answer?: SearchAnswer | Refusal;
  readonly busy: boolean;
  readonly cancelled?: boolean;
}

function Target({ store, ledger, state, answer, link, isAddress }: AskingProps & { answer: CountAnswer }) {
  const id = useIds();
  const model = state.models[state.active];
  const wish = state.details.target ?? createTargetSetting(answer, typedShort(answer.totals.parameters));
  const put = (changed: Partial<TargetSetting>) => store.act({ type: 'show', details: { target: { ...wish, ...changed } } });
  /** Changes the target. If the user has not changed the search space, it is adapted to the new target. */
  const want = (change: Partial<Pick<TargetSetting, 'target' | 'total'>>) => {
    const next = { ...wish, ...change };
    put(isUntouched(answer, wish) ? createTargetSetting(answer, next.target, next.total) : next);
  };
  const putPart = (field: string, part: Part) => put({ parts: { ...wish.parts, [field]: part } });
  const request = toSearchRequest(wish, answer);
  const [searches, setSearches] = useState(0);
  const { running, begin, cancel } = useSearch(ledger, model.entry.text, request, searches);
  const searchIn = (change: Partial<TargetSetting>) => {
    put(change);
    setSearches(searches + 1);
  };
  /** Makes a new entry by applying the field values of a search result to the current model. */
  const entryOf = (fields: Readonly<Record<string, number>>, total: string): Entry => {
    let other = model;
    for (const [path, value] of Object.entries(fields)) other = editField(store.counter, other, path, String(value));
    return { text: other.entry.text, title: words.candidate(short(total)) };
  };
  return (
    <>
      <form
        class="asking"
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
      >
        <label for={id('number')}>{words.target}</label>
        <span class="asking-line">
          <input
            id={id('number')}
            class="claim-input"
            value={wish.target}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => want({ target: event.currentTarget.value })}
          />
          {(answer.totals.active ?? answer.totals.parameters) !== answer.totals.parameters && (
            <Segmented label={words.ofWhat} name="total" choices={words.totals} chosen={wish.total} choose={(total) => want({ total })} />
          )}
          {running.busy ? (
            // A second button, because Preact redraws before the default action of a click: if one button changed its type, the click that
            // cancels the search would find a submit button again and start a new search.
            <button key="cancel" type="button" onClick={cancel}>
              {words.cancel}
            </button>
          ) : (
            <button key="begin" type="submit" class="primary" disabled={request.vary.length === 0}>
              {words.begin}
            </button>
          )}
          <CopyLink link={link} isAddress={isAddress} />
        </span>
        {request.vary.length === 0 && <p class="meaning">{words.nothingVaries}</p>}
        <Space name={nameOf(model.entry)} fields={listSearchable(answer)} parts={wish.parts} put={putPart} />
        <fieldset class="limits">
          <legend>{words.limits}</legend>
          {listShapes(answer).map((shape) => (
            <Limit key={shape} shape={shape} wish={wish} put={put} />
          ))}
        </fieldset>
      </form>
      <div class="target-found">
        <Progress running={running} />
        {running.answer?.ok && (
          <Found
            answer={running.answer}
            fit={() => searchIn(createTargetSetting(answer, wish.target, wish.total))}
            free={() => searchIn({ limits: NO_LIMITS })}
            open={(fields, total) => {
              store.act({ type: 'open', entry: entryOf(fields, total) });
              store.act({ type: 'view', view: '' });
            }}
            compare={(fields, total) => {
              if (state.models.length === MAX_MODELS) return store.act({ type: 'say', message: words.full });
              store.act({ type: 'add', entry: entryOf(fields, total) });
              store.act({ type: 'view', view: 'compare' });
            }}
          />
        )}
      </div>
    </>
  );
}

/**
 * A search that starts when the view opens and again for each new value of `searches`, in both cases only if a field varies, and when
 * `begin` is called. It ends when the view closes.
 */
function useSearch(ledger: AskingProps['ledger'], config: string, request: SearchRequest, searches: number) {
  const [running, setRunning] = useState<Running>({ busy: false });
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);
  const begin = () => {
    stop.current();
    setRunning({ busy: true });
    stop.current = startSearch(ledger, config, request, (found) => setRunning({ answer: found, busy: found.ok && !found.done }));
  };
  useEffect(() => {
    if (request.vary.length > 0) begin();
  }, [searches]);
  const cancel = () => {
    stop.current();
    setRunning({ ...running, busy: false, cancelled: true });
  };
  return { running, begin, cancel };
}

interface SpaceProps {
  readonly name: string;
  readonly fields: readonly FieldRow[];
  readonly parts: TargetSetting['parts'];
  readonly put: (field: string, part: Part) => void;
}

/** The fields of the model: fixed, varying, or tied to another field. */
function Space({ name, fields, parts, put }: SpaceProps) {
  return (
    <table class="account space">
      <caption>
        {words.fields}: {name}
      </caption>
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col" class="digits">
            {words.value}
          </th>
          <th scope="col">{words.mode}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((row) => (
          <SpaceRow
            key={row.name}
            row={row}
            part={parts[row.name] ?? { mode: 'fixed' }}
            others={fields}
            put={(part) => put(row.name, part)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface SpaceRowProps {
  readonly row: FieldRow;
  readonly part: Part;
  readonly others: readonly FieldRow[];
  readonly put: (part: Part) => void;
}

function SpaceRow({ row: { name, value, meaning }, part, others, put }: SpaceRowProps) {
  const box = (member: 'from' | 'to' | 'step' | 'times' | 'multiple') => (
    <label>
      <span class="meaning">{words[member]}</span>{' '}
      <input
        class={`small-number ${member}`}
        inputMode="decimal"
        aria-label={words.ofField(words[member], name)}
        value={part[member] ?? ''}
        onInput={(event) => put({ ...part, [member]: event.currentTarget.value })}
      />
    </label>
  );
  const choose = (mode: Part['mode']) => {
    const now = String(value);
    const [other] = others.filter((row) => row.name !== name);
    put({ from: now, to: now, step: '1', of: other?.name, times: '1', multiple: '', ...part, mode });
  };
  return (
    <tr data-field={name} data-mode={part.mode}>
      <th scope="row">
        <code title={meaning}>{name}</code>
      </th>
      <td class="digits">{grouped(String(value))}</td>
      <td class="space-part">
        <select
          aria-label={words.ofField(words.mode, name)}
          value={part.mode}
          onChange={(event) => choose(event.currentTarget.value as Part['mode'])}
        >
          {(Object.keys(words.modes) as Part['mode'][]).map((mode) => (
            <option key={mode} value={mode} selected={mode === part.mode}>
              {words.modes[mode]}
            </option>
          ))}
        </select>
        {part.mode === 'vary' && (
          <>
            {box('from')} {box('to')} {box('step')}
          </>
        )}
        {part.mode === 'tied' && (
          <>
            <label>
              <span class="spoken">{words.of}</span>
              <select
                aria-label={words.ofField(words.of, name)}
                value={part.of}
                onChange={(event) => put({ ...part, of: event.currentTarget.value })}
              >
                {others.map(
                  (other) =>
                    other.name !== name && (
                      <option key={other.name} value={other.name} selected={other.name === part.of}>
                        {other.name}
                      </option>
                    ),
                )}
              </select>
            </label>
            {box('times')} {box('multiple')}
          </>
        )}
      </td>
    </tr>
  );
}

function Limit({ shape, wish, put }: { shape: Shape; wish: TargetSetting; put: (changed: Partial<TargetSetting>) => void }) {
  const bounds = wish.limits[shape];
  const box = (member: 'least' | 'most') => (
    <label>
      <span class="meaning">{words[member]}</span>{' '}
      <input
        class="small-number"
        inputMode="decimal"
        aria-label={words.ofField(words[member], words.limitNames[shape])}
        value={bounds[member]}
        onInput={(event) => put({ limits: { ...wish.limits, [shape]: { ...bounds, [member]: event.currentTarget.value } } })}
      />
    </label>
  );
  return (
    <p class="limit">
      <span>{words.limitNames[shape]}</span> {box('least')} {box('most')}
    </p>
  );
}

function Progress({ running: { answer, busy, cancelled } }: { running: Running }) {
  return (
    <div class="progress" role="status">
      {busy && <progress max={100} value={answer?.ok ? answer.percent : undefined} aria-label={words.begin} />}
      {answer && !answer.ok && (
        <p class="refusal">
          {answer.error.field && <code>{answer.error.field}</code>} {answer.error.message}
        </p>
      )}
      {answer?.ok && (
        <p class="muted">
          {answer.done
            ? words.done(grouped(answer.evaluations), grouped(answer.points))
            : words.progress(answer.percent, grouped(answer.evaluations), grouped(answer.points))}{' '}
          {cancelled && words.cancelled} {answer.done && !answer.exact && words.notExact}{' '}
          {answer.through.length > 0 && words.through(answer.through.join(', '))}
        </p>
      )}
    </div>
  );
}

interface FoundProps {
  readonly answer: SearchAnswer;
  /** Replaces the ranges by those that are suggested for the target, and searches again. */
  readonly fit: () => void;
  /** Removes the limits on shapes, and searches again. */
  readonly free: () => void;
  readonly open: (fields: Readonly<Record<string, number>>, total: string) => void;
  readonly compare: (fields: Readonly<Record<string, number>>, total: string) => void;
}

/** If the nearest result differs from the target by more than this percentage, other ranges are offered. */
const FAR = 5n;

/** The absolute value of a difference. */
const size = (difference: string) => difference.replace(/^-/, '');

function Found({ answer, fit, free, open, compare }: FoundProps) {
  const [first] = answer.found;
  if (!first)
    return answer.done ? (
      <p class="muted">
        {words.none}{' '}
        <button type="button" class="quiet" onClick={free}>
          {words.noLimits}
        </button>
      </p>
    ) : null;
  const isFar = answer.done && BigInt(size(first.difference)) * 100n > BigInt(answer.target) * FAR;
  const names = Object.keys(first.fields);
  return (
    <div class="table-box">
      {isFar && (
        <p class="far">
          {words.far(short(first.total))}{' '}
          <button type="button" class="quiet" onClick={fit}>
            {words.fit(short(answer.target))}
          </button>
        </p>
      )}
      <table class="account found">
        <caption>{words.found}</caption>
        <thead>
          <tr>
            <th scope="col" class="digits">
              {words.rank}
            </th>
            <th scope="col" class="digits">
              {words.total}
            </th>
            <th scope="col" class="digits">
              {words.difference}
            </th>
            <th scope="col" class="digits">
              {words.percentOff}
            </th>
            <th scope="col">
              <span class="spoken">{words.open}</span>
            </th>
            {names.map((name) => (
              <th key={name} scope="col" class="digits">
                <code>{name}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.found.map(({ total, difference, fields }, i) => (
            <tr key={i}>
              <td class="digits">{i + 1}</td>
              <th scope="row" class="digits">
                {grouped(total)}
              </th>
              <td class="digits">
                {difference.startsWith('-') ? MINUS + grouped(difference.slice(1)) : difference === '0' ? '0' : `+${grouped(difference)}`}
              </td>
              <td class="digits">{percent(size(difference), answer.target)}</td>
              <td>
                <span class="row-actions">
                  <button type="button" class="quiet" title={words.openTitle(i + 1)} onClick={() => open(fields, total)}>
                    {words.open}
                  </button>
                  <button type="button" class="quiet" title={words.compareTitle(i + 1)} onClick={() => compare(fields, total)}>
                    {words.compare}
                  </button>
                </span>
              </td>
              {names.map((name) => (
                <td key={name} class="digits">
                  {grouped(fields[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
