// One model of the page: a config.json as text, its origin, the core's answer, and the undo history. Models are immutable; the store holds
// them.

import { findLiteral, haveSameValues, setField, removeField } from '../config/config-text.ts';
import { createParameterCounter } from '../answer/parameter-counter.ts';
import { fillMissingSection } from '../config/missing-section.ts';
import type { Base, Entry } from '../config/entry.ts';
import * as texts from '../texts/page.ts';
import type { Counter } from '../core/counter.ts';
import type { Answer, CountAnswer, FieldRow, Refusal } from '../types/index.ts';

/** The fields and classes that the form shows. */
export interface Form {
  readonly fields: readonly FieldRow[];
  readonly architectures: readonly string[];
}

export interface Model {
  readonly entry: Entry;
  readonly answer: Answer;
  /** The current answer, or the last valid one. */
  readonly shown?: CountAnswer;
  /** The entry that `shown` was computed from. */
  readonly shownOf?: Entry;
  /**
   * The last valid answer before the current session of edits, or before the last undo or redo. Absent if the count has not changed since,
   * and after another model was opened or restored.
   */
  readonly before?: CountAnswer;
  readonly form: Form;
  readonly past: readonly Entry[];
  readonly future: readonly Entry[];
  /** Identifies what was edited last. Successive edits with the same value are one undo step. */
  readonly session?: string;
  /** The field whose edit probably caused the refusal. */
  readonly blamed?: string;
}

const MAX_HISTORY = 200;

/** Opens another configuration. Its count is not compared with that of the previous model. */
export function openModel(counter: Counter, entry: Entry, previous?: Model): Model {
  const past = previous ? addToPast(previous) : [];
  const now = countEntry(counter, entry, { shown: previous?.shown, shownOf: previous?.shownOf, past, future: [] });
  // If the new configuration is refused, the previous count is no longer shown. If its model type is still loading, the previous count
  // stays.
  return now.answer.ok || isWaiting(now) ? now : { ...now, shown: undefined, shownOf: undefined };
}

/** Edits the text. `session` identifies what is edited; successive edits with the same session are undone together. */
export function editText(counter: Counter, model: Model, text: string, session: string): Model {
  if (text === model.entry.text) return model;
  const goesOn = model.session === session;
  return countEntry(
    counter,
    { ...model.entry, text },
    {
      shown: model.shown,
      shownOf: model.shownOf,
      before: goesOn ? model.before : model.shown,
      past: goesOn ? model.past : addToPast(model),
      future: [],
      session,
      blamed: model.blamed,
      trouble: model.answer.ok ? undefined : model.answer.error.message,
    },
  );
}

/**
 * Sets a field to `literal`, which is JSON. If it is undefined the field is removed. A field of the original configuration returns to its
 * original place.
 */
export function editField(counter: Counter, model: Model, path: string, literal: string | undefined): Model {
  const { text, base } = model.entry;
  const like = base?.text ?? model.past.at(-1)?.text;
  const next = literal === undefined ? removeField(text, path) : setField(fillSection(counter, model, path), path, literal, like);
  return next === undefined ? model : editText(counter, model, next, path);
}

/** The model's text. If the edited field's section is missing and adding it would change the defaults in it, they are added to the text. */
function fillSection(counter: Counter, { entry: { text }, answer }: Model, path: string): string {
  if (!path.includes('.') || !answer.ok) return text;
  return fillMissingSection(text, path, answer.fields, createParameterCounter(counter));
}

export function undoOrRedo(counter: Counter, model: Model, direction: 'undo' | 'redo'): Model {
  const [from, to] = direction === 'undo' ? [model.past, model.future] : [model.future, model.past];
  const entry = from.at(-1);
  if (!entry) return model;
  const [left, right] = [from.slice(0, -1), [...to, model.entry]];
  // Undoing the switch to a different model is not shown as a change of the count.
  const before = haveSameOrigin(entry, model.entry) ? model.shown : undefined;
  const history = direction === 'undo' ? { past: left, future: right } : { past: right, future: left };
  return countEntry(counter, entry, { shown: model.shown, shownOf: model.shownOf, before, ...history });
}

/** Whether the model type has not been loaded yet. */
export const isWaiting = ({ answer }: Model): boolean => !answer.ok && answer.error.code === 'not_loaded';

/** Counts a model again after more model types have been loaded. */
export const recount = (counter: Counter, { entry, answer: _answer, form: _form, ...rest }: Model): Model =>
  countEntry(counter, entry, rest);

/** Records the published model that `text` describes. Does nothing if the model's text has changed since. */
export const identify = (model: Model, base: Base, text: string): Model =>
  model.entry.text === text
    ? { ...model, entry: { ...model.entry, known: { base, text } }, shownOf: { ...model.entry, known: { base, text } } }
    : model;

const haveSameOrigin = (a: Entry, b: Entry) =>
  a.base?.id === b.base?.id && a.base?.kind === b.base?.kind && a.title === b.title && (a.base !== undefined || a.known === b.known);

const addToPast = ({ past, entry }: Model) => [...past, entry].slice(-MAX_HISTORY);

/** `trouble` is the error message of the previous answer, if it was refused. */
function countEntry(
  counter: Counter,
  entry: Entry,
  { trouble, ...rest }: Omit<Model, 'entry' | 'answer' | 'form'> & { trouble?: string },
): Model {
  const answer = counter.count(entry.text);
  if (!answer.ok)
    return {
      ...rest,
      entry,
      answer,
      form: createRefusedForm(counter, entry.text, answer, rest.shown),
      blamed: findBlamedField(answer, { ...rest, trouble }),
    };
  const before = rest.before && areDifferent(rest.before, answer) ? rest.before : undefined;
  return {
    ...rest,
    before,
    entry,
    answer,
    blamed: undefined,
    shown: answer,
    shownOf: entry,
    form: { fields: answer.fields, architectures: answer.architectures },
  };
}

/**
 * The field edited last, if the error message names it. Otherwise the field that was blamed for the previous error, as long as the error
 * message is unchanged.
 */
function findBlamedField(
  { error }: Refusal,
  { session, blamed, trouble }: Pick<Model, 'session' | 'blamed'> & { trouble?: string },
): string | undefined {
  const last = session?.slice(session.lastIndexOf('.') + 1) ?? '';
  if (session !== undefined && error.message.split(/[^\w.]+/).some((word) => word === session || word === last)) return session;
  return trouble === error.message ? blamed : undefined;
}

/** The largest number of invalid fields that are removed to build the form. */
const MAX_REMOVED = 8;

/**
 * Builds the form for a refused text: removes the fields that cause the refusal, so that the rest can be counted and the form lists the
 * fields of the model type. If that fails, uses `shown` while the text is not valid JSON, or else the defaults of the model type.
 */
function createRefusedForm(counter: Counter, text: string, refusal: Refusal, shown: CountAnswer | undefined): Form {
  let answer: Answer = refusal;
  let rest = text;
  for (let i = 0; i < MAX_REMOVED && !answer.ok && answer.error.field; i++) {
    const without = removeField(rest, answer.error.field);
    if (without === rest) break;
    rest = without;
    answer = counter.count(rest);
  }
  if (!answer.ok) {
    const type = findLiteral(text, 'model_type');
    if (refusal.error.code === 'malformed_json' && shown && (type === undefined || JSON.stringify(shown.model_type) === type))
      answer = shown;
    else if (type !== undefined) answer = counter.count(`{"model_type": ${type}}`);
  }
  const form: Form = answer.ok ? { fields: answer.fields, architectures: answer.architectures } : { fields: [], architectures: [] };
  return { ...form, fields: withMissing(form.fields, refusal) };
}

/** Adds the missing required field of a refusal, so that it can be filled in, unless a field with a similar name is given. */
function withMissing(fields: readonly FieldRow[], answer: Answer): readonly FieldRow[] {
  const error = answer.ok ? undefined : answer.error;
  if (error?.code !== 'missing_field' || !error.field || error.nearest || fields.some(({ name }) => name === error.field)) return fields;
  return [...fields, { name: error.field, type: 'integer', source: 'default' }];
}

const areDifferent = (a: CountAnswer, b: CountAnswer) =>
  a.totals.stored !== b.totals.stored ||
  a.totals.parameters !== b.totals.parameters ||
  a.tensors.length !== b.tensors.length ||
  a.tensors.some((row, i) => row.name !== b.tensors[i].name || row.total !== b.tensors[i].total);

/** Whether the current text is refused, so that the shown answer, if there is one, belongs to an earlier text. */
export const isStale = ({ answer }: Model) => !answer.ok;

/** The named configuration that an entry comes from, without later edits. */
const originOf = ({ base, known }: Entry): { base: Base; text: string } | undefined => (base ? { base, text: base.text } : known);

/** The text of the named configuration that an entry comes from. Undefined if there is none, for example for a pasted configuration. */
export const discardEdits = (entry: Entry): string | undefined => originOf(entry)?.text;

export function isEdited(entry: Entry): boolean {
  const origin = originOf(entry);
  return origin !== undefined && !haveSameValues(origin.text, entry.text);
}

/** The name of the model, model type or file that an entry comes from. */
export const originName = (entry: Entry): string => originOf(entry)?.base.name ?? entry.title ?? texts.configName;

/** The name of an entry, marked if it was edited. */
export function nameOf(entry: Entry): string {
  const name = originName(entry);
  return isEdited(entry) ? texts.edited(name) : name;
}

/** The name of the entry that the shown answer belongs to. */
export const shownNameOf = ({ shownOf, entry }: Model) => nameOf(shownOf ?? entry);

/** The publisher of a model, or a description of where else the configuration comes from. */
export function ownerOf({ base, known, from }: Entry): string {
  const origin = base ?? known?.base;
  if (!origin) return from ?? texts.ownConfiguration;
  const owner = origin.kind === 'model' ? origin.id.slice(0, origin.id.indexOf('/')) : texts.typeDefaults;
  return base ? owner : texts.recognisedAs(owner);
}

/** The catalogue entry of the current model, if it is a published model, unedited and counted. */
export function publishedOf(model: Model) {
  return isStale(model) || isEdited(model.entry) ? undefined : originOf(model.entry)?.base.published;
}
