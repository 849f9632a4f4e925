// The Read view: tensors that were read from files, lists and printed models, their totals, and their differences from the model of a
// configuration.

import { useMemo, useRef, useState } from 'preact/hooks';
import { openFiles, openPasted } from '../app/opening.ts';
import { READ_VIEW, type Read, type Store } from '../app/store.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import { parseFieldValue } from '../inputs/field-value.ts';
import { readFiles } from '../inputs/files.ts';
import { listRowNames } from '../export/names.ts';
import { nameOf, type Model } from '../models/model.ts';
import type { Ledger } from '../core/ledger.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import { read as words } from '../texts/read.ts';
import type { Comparison, Difference, Reading, ReadTensor, ReadTensors } from '../types/index.ts';
import { NamedView, useIds } from '../parts/basics.tsx';
import { CopyButton, OpenButton } from '../parts/buttons.tsx';
import type { AskingProps } from './view-props.ts';

/** The maximum number of rows that are drawn; the others are only counted. */
const MAX_ROWS = 1_000;

export function ReadView({ store, ledger, state: { read, models, active } }: AskingProps) {
  const id = useIds();
  const model = models[active];
  const [filled, setFilled] = useState<Filled>();
  const now = filled !== undefined && filled.of === read ? filled : undefined;
  const say = (field: string, text: string) => {
    if (!read) return;
    const others = Object.entries(now?.fields ?? {}).filter(([name]) => name !== field);
    const fields = Object.fromEntries(text.trim() === '' ? others : [...others, [field, parseFieldValue(text)]]);
    const reading = ledger.read(read.files, { fields });
    if (isTensors(reading)) setFilled({ of: read, fields, reading });
    else if (!reading.ok)
      setFilled({ of: read, fields: now?.fields ?? {}, reading: now?.reading ?? read.reading, trouble: reading.error.message });
  };
  return (
    <NamedView value={READ_VIEW}>
      <main class="column read" id={`${READ_VIEW}-answer`} tabIndex={-1}>
        {read ? (
          <Shown read={now ? { ...read, reading: now.reading } : read} store={store} filled={now} say={say}>
            <p class="read-actions">
              <button
                type="button"
                aria-describedby={id('why')}
                onClick={() => {
                  const reading = ledger.read(read.files, { config: model.entry.text });
                  if (isTensors(reading)) store.act({ type: 'read', read: { ...read, reading } });
                }}
              >
                {words.check(nameOf(model.entry))}
              </button>
              <span class="muted" id={id('why')}>
                {words.checkWhy}
              </span>
            </p>
          </Shown>
        ) : (
          <div class="view-lead">
            <h2>{words.lead}</h2>
            <p class="muted">{words.why}</p>
          </div>
        )}
        <Entry key={read ? 'read' : model.entry.text} store={store} example={read ? '' : listOf(model)} />
        {!read && <Example ledger={ledger} model={model} />}
      </main>
    </NamedView>
  );
}

/** Values that the user entered for fields that a printed model does not show, and the resulting answer. */
interface Filled {
  readonly of: Read;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reading: ReadTensors;
  readonly trouble?: string;
}

const isTensors = (reading: Reading): reading is ReadTensors => reading.ok && reading.kind !== 'config' && reading.kind !== 'other';

/** The maximum number of tensors in the example. */
const MAX_EXAMPLE = 1_500;

/** The current model as a list of tensors, to serve as an example; empty if it would be too long or the model is not counted. */
function listOf({ shown }: Model): string {
  if (!shown) return '';
  const lines: string[] = [];
  for (const row of shown.tensors) {
    if (row.kind !== 'parameter') continue;
    for (const name of listRowNames(row)) {
      if (lines.length === MAX_EXAMPLE) return '';
      lines.push(`${name}: [${row.shape.join(', ')}]`);
    }
  }
  return lines.join('\n');
}

/** The totals of the example list, shown until something has been read. */
function Example({ ledger, model }: { ledger: Ledger; model: Model }) {
  const reading = useMemo(() => {
    const text = listOf(model);
    const given = text === '' ? undefined : ledger.read(text);
    return given && isTensors(given) ? given : undefined;
  }, [model.shown]);
  if (!reading) return null;
  const { parameters, tensors } = reading.totals;
  return (
    <section class="sheet read-example">
      <h3>{words.exampleOf(nameOf(model.entry))}</h3>
      <p>
        <strong class="digits">{parameters && grouped(parameters)}</strong> {words.parameters}, {words.tensorsOf(tensors)}
      </p>
    </section>
  );
}

/** The place to paste text and open files. */
function Entry({ store, example }: { store: Store; example: string }) {
  const id = useIds();
  const text = useRef<HTMLTextAreaElement>(null);
  return (
    <section class="read-entry">
      <dl class="read-ways">
        {words.ways.map(({ what, how }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
      <label for={id('text')}>{words.label}</label>
      <textarea id={id('text')} ref={text} rows={6} spellcheck={false} placeholder={words.example} defaultValue={example} />
      <p class="read-actions">
        <button type="button" class="primary" onClick={() => openPasted(store, text.current?.value ?? '', false)}>
          {words.paste}
        </button>
        <OpenButton label={words.open} openFiles={(files) => void openFiles(store, readFiles(files))} />
      </p>
    </section>
  );
}

/** The fields that the text does not show, with their assumed values: "num_local_experts = 128, …". */
const openFields = (open: NonNullable<ReadTensors['recognised']>['open']) =>
  open.map(({ field, assumed }) => `${field} = ${JSON.stringify(assumed)}`).join(', ');

interface ShownProps {
  readonly read: Read;
  readonly store: Store;
  readonly filled: Filled | undefined;
  /** Sets a field; an empty value removes it. */
  readonly say: (field: string, text: string) => void;
  /** Actions for the tensors that were read. */
  readonly children: preact.ComponentChildren;
}

function Shown({ read: { title, reading }, store, filled, say, children }: ShownProps) {
  const { totals, recognised, check } = reading;
  return (
    <>
      <header class="read-total">
        <p class="muted">{words.kinds[reading.kind]}</p>
        <h2>{reading.class ?? title}</h2>
        <p class="figure">
          <span class="number">{grouped(totals.parameters ?? totals.shown ?? totals.tensors)}</span>
          <CopyButton label="Copy" title={texts.total.copy} text={() => totals.parameters ?? totals.shown ?? totals.tensors} />
        </p>
        <p class="words">
          <strong>
            {totals.parameters === undefined
              ? totals.shown === undefined
                ? words.tensors(totals.tensors)
                : words.shown
              : totals.if_tied
                ? words.ifTied(totals.if_tied)
                : words.parameters}
          </strong>
        </p>
        {reading.partial && (
          <p class="refusal">{reading.kind === 'printed_model' && reading.problems.length === 0 ? words.partialPrint : words.partial}</p>
        )}
      </header>
      <Problems reading={reading} />
      {reading.notes?.map((note) => (
        <p class="muted" key={note}>
          {note}
        </p>
      ))}
      <Sums reading={reading} />
      {children}
      {check && (check.ok ? <Compared comparison={check} of={words.checked} /> : <p class="refusal">{check.error.message}</p>)}
      {recognised && (
        <Compared
          comparison={recognised}
          of={words[reading.kind === 'gguf' ? 'converted' : 'recognised'](recognised.model_type, recognised.architecture)}
          hidden={reading.kind !== 'gguf'}
        >
          {recognised.open.length > 0 && <p>{words.unsaid(openFields(recognised.open))}</p>}
          <Unsaid open={recognised.open} filled={filled} say={say} />
          <button
            type="button"
            onClick={() => {
              store.act({ type: 'view', view: '' });
              store.act({ type: 'open', entry: { text: JSON.stringify(recognised.config, null, 2) } });
            }}
          >
            {words.count}
          </button>
        </Compared>
      )}
      <Tensors reading={reading} />
    </>
  );
}

/** Inputs for the fields whose values the text does not show, including those that the user has already filled in. */
function Unsaid({ open, filled, say }: Pick<ShownProps, 'filled' | 'say'> & Pick<NonNullable<ReadTensors['recognised']>, 'open'>) {
  const id = useIds();
  const known = Object.keys(filled?.fields ?? {});
  const names = [...known, ...open.map(({ field }) => field).filter((field) => !known.includes(field))];
  if (names.length === 0) return null;
  return (
    <fieldset class="unsaid">
      <legend>{words.fill}</legend>
      {names.map((field) => {
        const assumed = open.find((one) => one.field === field);
        return (
          <p key={field}>
            <label for={id(field)}>
              <code>{field}</code>
            </label>{' '}
            <input
              id={id(field)}
              class="digits"
              spellcheck={false}
              placeholder={assumed && JSON.stringify(assumed.assumed)}
              onChange={({ currentTarget }) => say(field, currentTarget.value)}
            />
          </p>
        );
      })}
      {filled?.trouble && <p class="refusal">{filled.trouble}</p>}
    </fieldset>
  );
}

function Problems({ reading: { problems, problems_left_out: more } }: { reading: ReadTensors }) {
  if (problems.length === 0) return null;
  return (
    <details class="problems" open={problems.length < 6}>
      <summary>{words.problems}</summary>
      <ul>
        {problems.map(({ line, message }, i) => (
          <li key={i}>
            {line !== undefined && words.line(line)}
            {message}
          </li>
        ))}
        {more && <li class="muted">{words.more(more)}</li>}
      </ul>
    </details>
  );
}

/** The totals other than the parameter count, the parts, and the number types. */
function Sums({ reading: { totals, parts, dtypes, quantized_modules } }: { reading: ReadTensors }) {
  const rows = Object.entries(words.sums).flatMap(([name, meaning]) => {
    const value = (totals as Readonly<Record<string, string | undefined>>)[name];
    return value === undefined || value === '0' || (name === 'elements' && value === totals.parameters) ? [] : [{ name, meaning, value }];
  });
  return (
    <div class="accounts">
      <table class="account">
        <tbody>
          {rows.map(({ name, meaning, value }) => (
            <tr key={name}>
              <th scope="row">{meaning}</th>
              <td class="digits">
                {grouped(value)}
                {name === 'trainable' && totals.trainable_share && ` (${words.share(totals.trainable_share)})`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table class="account">
        <tbody>
          {parts.map(({ part, parameters }) => (
            <tr key={part}>
              <th scope="row">{partLabel(part)}</th>
              <td class="digits">{grouped(parameters)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {dtypes.length > 0 && (
        <table class="account">
          <thead>
            <tr>
              <th scope="col">{words.dtype}</th>
              <th scope="col" class="digits">
                {words.elements}
              </th>
              <th scope="col" class="digits">
                {words.bytes}
              </th>
            </tr>
          </thead>
          <tbody>
            {dtypes.map(({ dtype, elements, bytes }) => (
              <tr key={dtype}>
                <th scope="row">{dtype}</th>
                <td class="digits">{grouped(elements)}</td>
                <td class="digits">{grouped(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {quantized_modules && <p class="muted">{words.quantized(quantized_modules)}</p>}
    </div>
  );
}

interface ComparedProps {
  readonly comparison: Comparison;
  readonly of: string;
  /** Whether missing tensors may exist but not be shown in the input, as in a printed model. */
  readonly hidden?: boolean;
  readonly children?: preact.ComponentChildren;
}

export function Compared({ comparison, of, hidden = false, children }: ComparedProps) {
  const { totals, agrees, missing, unexpected, other_shape, tied_stored } = comparison;
  return (
    <section class="compared">
      <h3>{of}</h3>
      <p>{agrees ? words.agrees(totals.matched_tensors, totals.matched) : words.differs(totals.matched_tensors)}</p>
      <Differences title={hidden ? words.hiddenList : words.lists.missing} list={missing} more={comparison.missing_left_out} />
      <Differences title={words.lists.unexpected} list={unexpected} more={comparison.unexpected_left_out} />
      <Differences title={words.lists.other_shape} list={other_shape} more={comparison.other_shape_left_out} />
      <Differences title={words.lists.tied_stored} list={tied_stored} more={comparison.tied_stored_left_out} />
      {children}
    </section>
  );
}

function Differences({ title, list, more }: { title: string; list: readonly Difference[]; more: number | undefined }) {
  if (list.length === 0) return null;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={title}>
      <table class="sources">
        <caption>{title}</caption>
        <Columns />
        <tbody>
          {list.map(({ name, shape, expected, tensors, total }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {shapeText(shape)} {expected && words.expected(shapeText(expected))}
              </td>
              <td class="digits">{grouped(tensors)}</td>
              <td class="digits">{grouped(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more && <p class="muted">{words.more(more)}</p>}
    </div>
  );
}

const Columns = () => (
  <thead>
    <tr>
      <th scope="col">{words.name}</th>
      <th scope="col">{words.shape}</th>
      <th scope="col" class="digits">
        {words.copies}
      </th>
      <th scope="col" class="digits">
        {words.total}
      </th>
    </tr>
  </thead>
);

function Tensors({ reading: { tensors, tensors_left_out = 0 } }: { reading: ReadTensors }) {
  const more = tensors.length - MAX_ROWS + tensors_left_out;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={words.title}>
      <table class="sources">
        <caption>{words.title}</caption>
        <Columns />
        <tbody>
          {tensors.slice(0, MAX_ROWS).map((tensor, i) => (
            <tr key={i} data-kind={tensor.kind}>
              <th scope="row">
                <code>{tensor.name}</code>
                {tensor.checkpoint && <code class="muted"> {tensor.checkpoint}</code>}
              </th>
              <td>
                {tensor.shape && shapeText(tensor.shape)} <span class="muted">{marksOf(tensor)}</span>
              </td>
              <td class="digits">{grouped(tensor.copies ?? '1')}</td>
              <td class="digits">{tensor.total !== undefined && grouped(tensor.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="muted">{words.more(more)}</p>}
    </div>
  );
}

const marksOf = ({ dtype, kind, taken, trainable }: ReadTensor) =>
  [dtype, kind && words.marks[kind], taken && words.marks.taken, trainable === false && words.marks.frozen].filter(Boolean).join(', ');
