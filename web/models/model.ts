// One model as the page holds it: a config.json as text, what it was made from, what the core said of it, and what came before the last
// edit. Values that change into new ones; the store keeps them.

import { findLiteral, haveSameValues, setField, removeField } from '../config/config-text.ts';
import type { Base, Entry } from '../config/entry.ts';
import * as texts from '../texts/page.ts';
import type { Counter } from '../core/counter.ts';
import type { Answer, CountAnswer, FieldRow, Refusal } from '../types/index.ts';

/** What the form shows. */
export interface Form {
  readonly fields: readonly FieldRow[];
  readonly architectures: readonly string[];
}

export interface Model {
  readonly entry: Entry;
  readonly answer: Answer;
  /** The answer, or the last valid one. */
  readonly shown?: CountAnswer;
  /** What `shown` is the answer to. */
  readonly shownOf?: Entry;
  /** The answer before the last edit, where that changed anything. */
  readonly before?: CountAnswer;
  readonly form: Form;
  readonly past: readonly Entry[];
  readonly future: readonly Entry[];
  /** Edits of one field in a row are one edit. */
  readonly session?: string;
  /** The field whose edit is why the text is refused. */
  readonly blamed?: string;
}

const MAX_HISTORY = 200;

/** Another configuration: nothing to compare it with. */
export function openModel(counter: Counter, entry: Entry, previous?: Model): Model {
  const past = previous ? addToPast(previous) : [];
  const now = countEntry(counter, entry, { shown: previous?.shown, shownOf: previous?.shownOf, past, future: [] });
  // The number of what was there before is none of what comes in its place. While its type is on its way, it is not there yet.
  return now.answer.ok || isWaiting(now) ? now : { ...now, shown: undefined, shownOf: undefined };
}

/** `session`: what is being edited; edits of one thing in a row are undone together. */
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

/** `literal`: JSON; none takes the field out. A field that the base has goes back to its place there. */
export function editField(counter: Counter, model: Model, path: string, literal: string | undefined): Model {
  const { text, base } = model.entry;
  const next = literal === undefined ? removeField(text, path) : setField(text, path, literal, base?.text ?? model.past.at(-1)?.text);
  return next === undefined ? model : editText(counter, model, next, path);
}

export function undoOrRedo(counter: Counter, model: Model, direction: 'undo' | 'redo'): Model {
  const [from, to] = direction === 'undo' ? [model.past, model.future] : [model.future, model.past];
  const entry = from.at(-1);
  if (!entry) return model;
  const [left, right] = [from.slice(0, -1), [...to, model.entry]];
  // From one model to another nothing was edited.
  const before = haveSameOrigin(entry, model.entry) ? model.shown : undefined;
  const history = direction === 'undo' ? { past: left, future: right } : { past: right, future: left };
  return countEntry(counter, entry, { shown: model.shown, shownOf: model.shownOf, before, ...history });
}

/** Whether its type was not there yet. */
export const isWaiting = ({ answer }: Model): boolean => !answer.ok && answer.error.code === 'not_loaded';

/** The same, counted by a counter that has more types now. */
export const recount = (counter: Counter, { entry, answer: _answer, form: _form, ...rest }: Model): Model =>
  countEntry(counter, entry, rest);

/** The model, now that it is known to be a published one. */
export const identify = (model: Model, base: Base, text: string): Model =>
  model.entry.text === text
    ? { ...model, entry: { ...model.entry, known: { base, text } }, shownOf: { ...model.entry, known: { base, text } } }
    : model;

const haveSameOrigin = (a: Entry, b: Entry) =>
  a.base?.id === b.base?.id && a.base?.kind === b.base?.kind && a.title === b.title && (a.base !== undefined || a.known === b.known);

const addToPast = ({ past, entry }: Model) => [...past, entry].slice(-MAX_HISTORY);

/** `trouble`: of the answer before. */
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

/** The field that was edited last, where the refusal names it; that of the edit before, as long as it is the same refusal. */
function findBlamedField(
  { error }: Refusal,
  { session, blamed, trouble }: Pick<Model, 'session' | 'blamed'> & { trouble?: string },
): string | undefined {
  const last = session?.slice(session.lastIndexOf('.') + 1) ?? '';
  if (session !== undefined && error.message.split(/[^\w.]+/).some((word) => word === session || word === last)) return session;
  return trouble === error.message ? blamed : undefined;
}

/** More fields than anybody gets wrong at once. */
const MAX_REMOVED = 8;

/**
 * The fields of a refused text without those that it is refused for, so that the mistake can be seen and mended in the form. Defaults are
 * those of this text: of `shown` only where the text is not JSON yet.
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

/** A field that must be given, and of which the core can say nothing else without it, gets a place in the form. */
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

/** Whether what is shown is not the answer to what is entered. */
export const isStale = ({ answer }: Model) => !answer.ok;

/** What a configuration is known as, without what was edited since. */
const originOf = ({ base, known }: Entry): { base: Base; text: string } | undefined => (base ? { base, text: base.text } : known);

/** What a configuration was before it was edited, where that has a name. */
export const discardEdits = (entry: Entry): string | undefined => originOf(entry)?.text;

export function isEdited(entry: Entry): boolean {
  const origin = originOf(entry);
  return origin !== undefined && !haveSameValues(origin.text, entry.text);
}

/** What a configuration was known as before it was edited. */
export const originName = (entry: Entry): string => originOf(entry)?.base.name ?? entry.title ?? texts.configName;

/** What the page is about, in words. */
export function nameOf(entry: Entry): string {
  const name = originName(entry);
  return isEdited(entry) ? texts.edited(name) : name;
}

/** The name of what is shown. */
export const shownNameOf = ({ shownOf, entry }: Model) => nameOf(shownOf ?? entry);

/** Who publishes it, or what else it is. */
export function ownerOf({ base, known, from }: Entry): string {
  const origin = base ?? known?.base;
  if (!origin) return from ?? texts.ownConfiguration;
  const owner = origin.kind === 'model' ? origin.id.slice(0, origin.id.indexOf('/')) : texts.typeDefaults;
  return base ? owner : texts.recognisedAs(owner);
}

/** The published figures of what is shown as it was published. */
export function publishedOf(model: Model) {
  return isStale(model) || isEdited(model.entry) ? undefined : originOf(model.entry)?.base.published;
}
