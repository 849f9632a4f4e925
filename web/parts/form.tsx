// The form: the fields that the model type reads, in groups, and the fields that it ignores. Each nested section of the configuration has a
// collapsible panel.

import { Fragment, type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findLiteral, removeSpaces } from '../config/config-text.ts';
import { grouped } from '../support/numbers.ts';
import { discardEdits, type Model } from '../models/model.ts';
import { shallowEqual } from '../support/shallow-equal.ts';
import * as texts from '../texts/page.ts';
import type { FieldRow, Refusal } from '../types/index.ts';
import type { Act } from '../app/store.ts';
import { focusedIn, memo, Spoken, useIds, useLit } from './basics.tsx';
import { Control, kindOf, unquoted } from './controls.tsx';
import { LayerStrip } from './layer-strip.tsx';
import { MathSymbol } from './math.tsx';

/** The maximum number of ignored fields that are listed; the others are only counted. A pasted text may have any number of them. */
const MAX_IGNORED = 100;

interface FormProps {
  readonly model: Model;
  readonly act: Act;
  /** Values near the refused one that would be accepted for the field with the error. */
  readonly nearest?: readonly string[];
}

const NONE: readonly string[] = [];

export function Form({ model, act, nearest = NONE }: FormProps) {
  const { answer, entry, form } = model;
  const fields = form.fields.filter(({ source }) => source !== 'ignored');
  const ignored = form.fields.filter(({ source }) => source === 'ignored');
  const error = answer.ok ? undefined : answer.error;
  // If two fields conflict, the error is shown at the one that was edited.
  const wrong = error && (fieldOf(model.blamed ?? '', fields) ?? fieldOf(error.field, fields));
  const origin = discardEdits(entry);
  const body = useKeptFocus();

  return (
    <div class="config-form">
      {error && !wrong && (
        <p class="error" role="alert">
          {error.message}
        </p>
      )}
      {error?.nearest && !wrong && <Nearest error={error} act={act} />}
      <div ref={body} inert={error?.code === 'malformed_json' || undefined}>
        {sectionsOf(fields).map(([section, rows]) => (
          <Section key={section} name={section}>
            {groupsOf(rows).map(([group, own]) => (
              <section key={group} class="group">
                <h3>{texts.panel.groups[group] ?? group}</h3>
                <div class="fields">
                  {own.map((row) => (
                    <Field
                      key={row.name + kindOf(row)}
                      row={row}
                      literal={findLiteral(entry.text, row.given_as ?? row.name)}
                      origin={origin === undefined ? undefined : (findLiteral(origin, row.given_as ?? row.name) ?? '')}
                      error={row === wrong ? error?.message : undefined}
                      nearest={row === wrong ? nearest : NONE}
                      layers={kindOf(row) === 'layers' ? layersOf(row, fields) : undefined}
                      act={act}
                    />
                  ))}
                </div>
              </section>
            ))}
          </Section>
        ))}
      </div>
      {ignored.length > 0 && <Ignored fields={ignored} />}
    </div>
  );
}

const Section = ({ name, children }: { name: string; children: ComponentChildren }) =>
  name === '' ? (
    <Fragment>{children}</Fragment>
  ) : (
    <details class="section" open>
      <summary>
        <code>{name}</code>
      </summary>
      {children}
    </details>
  );

/** Groups fields by section: `text_config.hidden_size` belongs to `text_config`. */
const sectionsOf = (fields: readonly FieldRow[]) =>
  by(fields, ({ name }) => name.slice(0, Math.max(0, name.lastIndexOf('.')))).sort(([a], [b]) => rankOf(a) - rankOf(b));

/** The order of sections, by their names: the top level, the text model, other sections, vision and audio. */
const rankOf = (section: string) =>
  section === '' ? 0 : /text|language|decoder|llm/.test(section) ? 1 : /vision|audio|image/.test(section) ? 3 : 2;

/** The value of `num_hidden_layers` in the section that contains the field; undefined if there is none. */
function layersOf({ name }: FieldRow, rows: readonly FieldRow[]): number | undefined {
  const count = rows.find((row) => row.name === `${name.slice(0, name.lastIndexOf('.') + 1)}num_hidden_layers`)?.value;
  return typeof count === 'number' ? count : undefined;
}

/** Groups fields by topic, in the order of `texts.panel.groups`. Unknown topics come last. */
function groupsOf(fields: readonly FieldRow[]): [string, FieldRow[]][] {
  const known = Object.keys(texts.panel.groups);
  const place = (group: string) => (known.includes(group) ? known.indexOf(group) : known.length);
  return by(fields, ({ group }) => group ?? 'other').sort(([a], [b]) => place(a) - place(b));
}

function by(fields: readonly FieldRow[], keyOf: (field: FieldRow) => string): [string, FieldRow[]][] {
  const found = new Map<string, FieldRow[]>();
  for (const field of fields) {
    const list = found.get(keyOf(field));
    if (list) list.push(field);
    else found.set(keyOf(field), [field]);
  }
  return [...found];
}

/** The row of the field that an error names, if there is one. An error at `layer_types[3]` belongs to `layer_types`. */
function fieldOf(field: string, rows: readonly FieldRow[]): FieldRow | undefined {
  if (!field) return undefined;
  const named = ({ name, given_as }: FieldRow) => [name, ...(given_as ? [given_as] : [])];
  return (
    rows.find((row) => named(row).includes(field)) ??
    rows.find((row) => named(row).some((name) => field.startsWith(`${name}[`) || field.startsWith(`${name}.`)))
  );
}

/** Offers the model types or classes that were probably meant, as buttons. */
function Nearest({ error, act }: { error: Refusal['error']; act: Act }) {
  const isType = error.field === 'model_type';
  const use = (name: string) =>
    act({ type: 'set', path: isType ? 'model_type' : 'architectures', literal: JSON.stringify(isType ? name : [name]) });
  return (
    <p class="nearest">
      {error.nearest?.map((name) => (
        <button key={name} type="button" class="quiet" onClick={() => use(name)}>
          {texts.panel.use(name)}
        </button>
      ))}
    </p>
  );
}

function Ignored({ fields }: { fields: readonly FieldRow[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="ignored" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.panel.ignored(fields.length)}</summary>
      {open && (
        <ul>
          {fields.slice(0, MAX_IGNORED).map(({ name, reason }) => (
            <li key={name}>
              <code>{name}</code> {reason}
            </li>
          ))}
          {fields.length > MAX_IGNORED && <li>{texts.panel.moreIgnored(fields.length - MAX_IGNORED)}</li>}
        </ul>
      )}
    </details>
  );
}

interface FieldProps {
  readonly row: FieldRow;
  /** The field's literal in the configuration text. */
  readonly literal: string | undefined;
  /**
   * The field's literal in the named configuration that the model comes from: empty if the field is missing there, undefined if there is no
   * such configuration.
   */
  readonly origin: string | undefined;
  readonly error: string | undefined;
  readonly nearest: readonly string[];
  /** For a list with one entry per layer: the number of layers. */
  readonly layers: number | undefined;
  readonly act: Act;
}

/** One field: its name, the source of its value, its control, its meaning, its error. */
const Field = memo(function Field({ row, literal, origin, error, nearest, layers, act }: FieldProps) {
  const ids = useIds();
  const id = ids(`field-${row.name}`);
  const [taken, setTaken] = useState<string | undefined>();
  const lit = useLit((name) => name === row.name);
  const element = useRef<HTMLDivElement>(null);
  const kind = kindOf(row);
  const source = sourceOf(row, literal);
  const missing = literal === undefined && row.value === undefined && error !== undefined;
  const put = (value?: string) => act({ type: 'set', path: row.given_as ?? row.name, literal: value });
  const edited = origin !== undefined && removeSpaces(origin) !== removeSpaces(literal ?? '');
  // Restores the literal from before the edits. Removes the field if it was not edited, or if there was none before.
  const reset = () => {
    put(edited && origin !== '' ? origin : undefined);
    element.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
  };
  const described = [`${id}-meaning`, taken && `${id}-taken`, error && `${id}-error`].filter(Boolean).join(' ');
  const meaning = [row.meaning, source === 'derived' && row.formula && texts.field.derivation(row.formula)].filter(Boolean).join(' ');
  const Chosen = kind === 'layers' ? LayerStrip : Control;
  const name = <code>{row.name.slice(row.name.lastIndexOf('.') + 1)}</code>;
  return (
    <div
      ref={element}
      class="field"
      data-kind={kind}
      data-field={row.name}
      data-source={source}
      data-wrong={error === undefined ? undefined : ''}
      data-lit={lit ? '' : undefined}
    >
      <div class="field-name">
        {/* A group of controls is labelled through aria-labelledby, a single control by a `label`. */}
        {kind === 'layers' ? <span id={`${id}-name`}>{name}</span> : <label for={id}>{name}</label>}
        <span class="symbol" aria-hidden="true">
          {row.symbol && <MathSymbol text={row.symbol} />}
        </span>
        <span class="source" data-edited={edited ? '' : undefined}>
          {missing ? texts.field.missing : said(row, literal, edited ? origin : undefined, source)}
        </span>
      </div>
      <div class="field-body">
        <Chosen
          row={row}
          literal={literal}
          id={id}
          describedBy={described}
          wrong={error !== undefined}
          layers={layers}
          put={put}
          say={setTaken}
        />
        <p class="meaning" id={`${id}-meaning`}>
          {meaning}
        </p>
        {error && (
          <div class="trouble">
            <p class="error" id={`${id}-error`}>
              {error}
            </p>
            {nearest.length > 0 && (
              <p class="would-do">
                {nearest.map((value) => (
                  <button key={value} type="button" class="quiet" onClick={() => put(value)}>
                    {texts.field.wouldDo(grouped(value))}
                  </button>
                ))}
              </p>
            )}
          </div>
        )}
      </div>
      {taken && (
        <p class="taken" id={`${id}-taken`}>
          {taken}
        </p>
      )}
      {/* After the control in the document, so that Tab reaches the control first. */}
      <button
        type="button"
        class="reset"
        hidden={literal === undefined && !edited}
        title={edited && origin !== '' ? texts.field.back(row.name, valueText(origin)) : texts.field.reset(row.name)}
        onClick={reset}
      >
        <span aria-hidden="true">{edited ? '↺' : '×'}</span>
        <Spoken>{edited && origin !== '' ? texts.field.backSpoken(row.name, valueText(origin)) : texts.field.resetSpoken(row.name)}</Spoken>
      </button>
    </div>
  );
}, sameField);

/** Formats a literal for display. */
const valueText = (literal: string) => (/^\d+$/.test(literal) ? grouped(literal) : unquoted(literal).slice(0, 40));

/**
 * A note about the value; the first of these that applies: the value before the edits, its source unless it is given, the alias that the
 * text uses, or the default if the edits added the field with another value. Otherwise empty.
 */
function said(row: FieldRow, literal: string | undefined, origin: string | undefined, source: 'given' | 'default' | 'derived'): string {
  if (origin !== undefined && origin !== '') return texts.field.was(valueText(origin));
  if (source !== 'given') return texts.field[source];
  if (row.given_as) return texts.field.givenAs(row.given_as);
  const usual =
    typeof row.default === 'number' || typeof row.default === 'boolean' || typeof row.default === 'string' ? row.default : undefined;
  if (origin === '' && usual !== undefined && String(usual) !== unquoted(literal ?? ''))
    return texts.field.usually(valueText(String(usual)));
  return '';
}

/** Compares fields by content, because each answer creates new rows. */
function sameField(a: FieldProps, b: FieldProps): boolean {
  return (
    a.literal === b.literal &&
    a.origin === b.origin &&
    a.error === b.error &&
    a.nearest === b.nearest &&
    a.layers === b.layers &&
    a.act === b.act &&
    sameRow(a.row, b.row)
  );
}

/** Formulas are compared by their text, because their trees may be new in each answer. */
const sameRow = (a: FieldRow, b: FieldRow) =>
  shallowEqual({ ...a, value: '', default: '', choices: '', math: '' }, { ...b, value: '', default: '', choices: '', math: '' }) &&
  [a.value, a.default, a.choices].every((value, i) => alike(value, [b.value, b.default, b.choices][i]));

const alike = (a: unknown, b: unknown) =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => item === b[i]));

/** Where the value comes from. The row may belong to the answer for an earlier text, so the current text decides whether it is given. */
function sourceOf(row: FieldRow, literal: string | undefined): 'given' | 'default' | 'derived' {
  if (literal === undefined) return row.source === 'derived' ? 'derived' : 'default';
  return row.source === 'derived' && literal === 'null' ? 'derived' : 'given';
}

/** A CSS selector for the controls of a field that can be focused. */
export const FOCUSABLE = '.field-body :is(input, select, [tabindex="0"]), .strip-foot button:not([disabled])';

/** Keeps the focus on a field that is drawn anew, because it moves to another group or gets another kind of control. */
function useKeptFocus() {
  const body = useRef<HTMLDivElement>(null);
  const focused = useRef<{ field: string; at: number | null }>(undefined);
  const element = body.current;
  const active = element && (focusedIn(element) as HTMLInputElement | null);
  const field = active && element.contains(active) ? active.closest<HTMLElement>('.field')?.dataset.field : undefined;
  focused.current = field === undefined || active?.classList.contains('reset') ? undefined : { field, at: active?.selectionStart ?? null };
  useLayoutEffect(() => {
    const wanted = focused.current;
    if (!wanted || !body.current || body.current.contains(focusedIn(body.current))) return;
    const input = body.current.querySelector<HTMLInputElement>(`[data-field="${CSS.escape(wanted.field)}"] :is(${FOCUSABLE})`);
    input?.focus();
    if (wanted.at !== null) input?.setSelectionRange(wanted.at, wanted.at);
  });
  return body;
}
