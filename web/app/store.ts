// The store holds the state of the page. Only actions change the state, and all views are drawn from it.

import type { Writing } from '../answer/formula.ts';
import { MAX_MODELS } from '../config/link.ts';
import type { Base, Entry } from '../config/entry.ts';
import { editText, identify, isWaiting, type Model, openModel, recount, undoOrRedo, editField } from '../models/model.ts';
import type { Details } from '../settings/details.ts';
import { shallowEqual } from '../support/shallow-equal.ts';
import type { HubOffer } from '../hub/address.ts';
import type { LazyCounter } from '../core/lazy-counter.ts';
import type { InputFile, ReadTensors } from '../types/index.ts';

/** The name in addresses of the view that shows tensors read from files. */
export const READ_VIEW = 'read';

/** The name in addresses of the view that checks a stated number. */
export const CHECK_VIEW = 'check';

/** The name in addresses of the view with cards for all views that have no tab. */
export const MORE_VIEW = 'more';

/** The name in addresses of the comparison. */
export const COMPARE_VIEW = 'compare';

export type Theme = '' | 'light' | 'dark';

export interface Preferences {
  /** Empty for the system's theme. */
  readonly theme: Theme;
  /** Whether single-key shortcuts are on. */
  readonly keys: boolean;
  /** Whether formulas show symbols, config names or values. */
  readonly writing: Writing;
  /** Whether the user has clicked one of the introductory questions, which are then hidden. */
  readonly asked: boolean;
}

/** Tensors that were read from files or text. */
export interface Read {
  readonly title: string;
  /** The files that the tensors come from, kept to read them again with a configuration. */
  readonly files: readonly InputFile[];
  readonly reading: ReadTensors;
}

/** The models on the page, and the index of the active one. */
export interface Arrangement {
  readonly models: readonly Model[];
  readonly active: number;
}

export interface State {
  /** The name of the view. Empty for the first view, which shows one model. */
  readonly view: string;
  /** The settings of views. A view without an entry uses its defaults. */
  readonly details: Partial<Details>;
  /** One to four models. */
  readonly models: readonly Model[];
  /** The index of the model that is edited. */
  readonly active: number;
  /** Earlier and later arrangements, for undo and redo. In both lists, the last one is the next to be restored. */
  readonly past: readonly Arrangement[];
  readonly future: readonly Arrangement[];
  /** The tensors that were last read from files or text. Links do not contain them. */
  readonly read?: Read;
  readonly preferences: Preferences;
  /** A message about the last action, shown in a banner; empty if there is none. */
  readonly message: string;
  /** A model that the page offers to load from the Hub. */
  readonly wish?: HubOffer;
}

/** `at` is the index of the model; by default the active one. */
export type Action =
  /** Replaces a model. In the comparison, adds one instead if `at` is absent and there is room. */
  | { readonly type: 'open'; readonly entry: Entry; readonly at?: number }
  /** Adds a model, if there is room. */
  | { readonly type: 'add'; readonly entry: Entry }
  /** Removes a model, unless it is the last one. */
  | { readonly type: 'remove'; readonly at: number }
  /** Moves a model to the front. The comparison compares the others with it. */
  | { readonly type: 'lead'; readonly at: number }
  /** Keeps a copy of the active model to compare its edits with. */
  | { readonly type: 'pin' }
  /** Undoes or redoes a change of the arrangement. */
  | { readonly type: 'rearrange'; readonly direction: 'undo' | 'redo' }
  | { readonly type: 'view'; readonly view: string }
  /** Shows tensors that were read from files or text. */
  | { readonly type: 'read'; readonly read: Read }
  /** Changes the settings of views. */
  | { readonly type: 'show'; readonly details: Partial<Details> }
  /** Shows the contents of a link. */
  | {
      readonly type: 'follow';
      readonly view: string;
      readonly details?: Partial<Details>;
      readonly entries: readonly Entry[];
      readonly message: string;
      readonly wish?: HubOffer;
      /** The tensors that were shown at this history step. */
      readonly read?: Read;
    }
  | { readonly type: 'text'; readonly text: string; readonly at?: number }
  /** Sets a field of the configuration, or removes it if there is no literal. */
  | { readonly type: 'set'; readonly path: string; readonly literal?: string; readonly at?: number }
  | { readonly type: 'travel'; readonly direction: 'undo' | 'redo'; readonly at?: number }
  | { readonly type: 'activate'; readonly at: number }
  /** Records the published model that a text describes. */
  | { readonly type: 'identify'; readonly base: Base; readonly text: string; readonly at?: number }
  | { readonly type: 'prefer'; readonly preferences: Partial<Preferences> }
  /** Counts models again after more model types have been loaded. */
  | { readonly type: 'recount' }
  | { readonly type: 'say'; readonly message: string }
  | { readonly type: 'wish'; readonly wish?: HubOffer };

export type Act = (action: Action) => void;

export interface Store {
  readonly counter: LazyCounter;
  readonly state: State;
  readonly act: Act;
  /** Calls the listener after each action that changes the state. Returns a function that unsubscribes it. */
  subscribe(listener: (state: State, action: Action, before: State) => void): () => void;
}

export function createStore(counter: LazyCounter, entry: Entry, preferences: Partial<Preferences> = {}): Store {
  let state: State = {
    view: '',
    details: {},
    models: [openModel(counter, entry)],
    active: 0,
    past: [],
    future: [],
    preferences: { theme: '', keys: true, writing: 'symbols', asked: false, ...preferences },
    message: '',
  };
  const listeners = new Set<Parameters<Store['subscribe']>[0]>();
  const act: Act = (action) => {
    const before = state;
    state = reduce(counter, state, action);
    if (state === before) return;
    for (const listener of listeners) listener(state, action, before);
    // An edit may name a type that is not loaded yet. The model is counted again when the type has loaded.
    const waiting = state.models.filter(isWaiting).map(({ entry }) => entry.text);
    if (waiting.length === 0 || action.type === 'say') return;
    void counter.ensureTypes(...waiting).then(
      () => act({ type: 'recount' }),
      (error: Error) => act({ type: 'say', message: error.message }),
    );
  };
  return {
    counter,
    get state() {
      return state;
    },
    act,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function reduce(counter: LazyCounter, state: State, action: Action): State {
  switch (action.type) {
    case 'open': {
      const { entry, at } = action;
      const open = { ...state, wish: undefined };
      if (state.view !== COMPARE_VIEW) return changeModel(open, at, (model) => openModel(counter, entry, model));
      // In the comparison, opening adds a model while there is room, unless the action says which one to replace.
      if (at === undefined && state.models.length < MAX_MODELS) return reduce(counter, open, { type: 'add', entry });
      const models = state.models.map((model, i) => (i === (at ?? state.active) ? openModel(counter, entry, model) : model));
      return arrange(open, models, at ?? state.active);
    }
    case 'follow': {
      const { view, message } = action;
      const models = action.entries.slice(0, MAX_MODELS).map((entry) => openModel(counter, entry));
      const details = { ...state.details, ...action.details };
      return { ...state, view, details, message, models, active: 0, wish: action.wish, read: action.read ?? state.read };
    }
    case 'add':
      if (state.models.length === MAX_MODELS) return state;
      return arrange(state, [...state.models, openModel(counter, action.entry)], state.models.length);
    case 'remove': {
      if (state.models.length === 1 || !state.models[action.at]) return state;
      const models = state.models.filter((_, i) => i !== action.at);
      return arrange(state, models, state.active > action.at ? state.active - 1 : Math.min(state.active, models.length - 1));
    }
    case 'lead': {
      const model = state.models[action.at];
      if (!model || action.at === 0) return state;
      return arrange(state, [model, ...state.models.filter((one) => one !== model)], 0);
    }
    case 'pin': {
      const { models, active } = state;
      if (models.length === MAX_MODELS) return state;
      const pinned = openModel(counter, models[active].entry);
      return arrange(state, [...models.slice(0, active), pinned, ...models.slice(active)], active + 1);
    }
    case 'rearrange': {
      const undo = action.direction === 'undo';
      const to = (undo ? state.past : state.future).at(-1);
      if (!to) return state;
      const now = { models: state.models, active: state.active };
      const past = undo ? state.past.slice(0, -1) : [...state.past, now];
      const future = undo ? [...state.future, now] : state.future.slice(0, -1);
      return { ...state, ...to, past, future, message: '', wish: undefined };
    }
    case 'view':
      return action.view === state.view ? state : { ...state, view: action.view, message: '' };
    case 'read':
      return { ...state, view: READ_VIEW, read: action.read, message: '' };
    case 'show':
      return { ...state, details: { ...state.details, ...action.details } };
    case 'text':
      return changeModel(state, action.at, (model) => editText(counter, model, action.text, 'text'));
    case 'set':
      return changeModel(state, action.at, (model) => editField(counter, model, action.path, action.literal));
    case 'travel':
      return changeModel(state, action.at, (model) => undoOrRedo(counter, model, action.direction));
    case 'identify':
      return changeModel(state, action.at, (model) => identify(model, action.base, action.text), state.message);
    case 'recount':
      if (!state.models.some(isWaiting)) return state;
      return { ...state, models: state.models.map((model) => (isWaiting(model) ? recount(counter, model) : model)) };
    case 'activate':
      return action.at < state.models.length ? { ...state, active: action.at } : state;
    case 'prefer': {
      const preferences = { ...state.preferences, ...action.preferences };
      // Keeps the state object if nothing changed, so that nothing is drawn again.
      return shallowEqual(preferences, state.preferences) ? state : { ...state, preferences };
    }
    case 'say':
      return { ...state, message: action.message, wish: undefined };
    case 'wish':
      return { ...state, message: '', wish: action.wish };
  }
}

const MAX_ARRANGEMENTS = 50;

/** Replaces the models and the index of the active one, and keeps the old arrangement for undo. */
const arrange = (state: State, models: readonly Model[], active: number): State => ({
  ...state,
  wish: undefined, // a change of the models withdraws the offer to load one
  models,
  active,
  past: [...state.past, { models: state.models, active: state.active }].slice(-MAX_ARRANGEMENTS),
  future: [],
  message: '',
});

/** Changes one model and replaces the message. */
function changeModel(state: State, at = state.active, change: (model: Model) => Model, message = ''): State {
  const model = state.models[at];
  const now = model && change(model);
  if (!now || (now === model && message === state.message)) return state;
  return { ...state, message, models: state.models.map((other, i) => (i === at ? now : other)) };
}
