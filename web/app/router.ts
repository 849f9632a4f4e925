// Keeps the address and the state in sync. Opening a model or a view adds a step to the browser's history; an edit changes the current
// step. Address changes are queued, and outdated ones are dropped.

import { home, isFile } from '../support/build-info.ts';
import { resolveLink, firstModel } from '../models/catalogue.ts';
import { formatHash, parseHash, unpackDetail, type ModelLink } from '../config/link.ts';
import { isEdited } from '../models/model.ts';
import type { Entry } from '../config/entry.ts';
import { isHubId } from '../hub/id.ts';
import * as texts from '../texts/page.ts';
import type { Details } from '../settings/details.ts';
import type { Action, Read, State, Store } from './store.ts';
import { loadLedger } from './load-ledger.ts';

/** The delay in milliseconds before an edit changes the address. Browsers limit how often that is allowed. */
const EDIT_DELAY = 250;

/** Actions that add a step to the browser's history, so that Back undoes them. */
const NEW_STEPS: ReadonlySet<Action['type']> = new Set(['open', 'add', 'remove', 'lead', 'pin', 'rearrange', 'view', 'read'] as const);

/** What a step of the browser's history stores in addition to its address. */
interface Step {
  /** The title of each model, mostly the name of its file, if it has one. */
  readonly titles: readonly (string | undefined)[];
  /** The models. Present only if the state does not fit in an address. */
  readonly entries?: readonly { text: string; title?: string }[];
  /** The text that tensors were read from, if it is small. */
  readonly read?: { readonly title: string; readonly text: string };
  /** The view and its setting. Present only if the state does not fit in an address. */
  readonly view?: string;
  readonly detail?: string;
}

/** Reads and writes the settings of views in addresses: see views/all.ts. */
export interface DetailFormats {
  readonly parse: (view: string, text: string) => Promise<Partial<Details>>;
  readonly write: (view: string, details: Partial<Details>) => Promise<string>;
  /**
   * Loads the code that draws the offer to load a model from the Hub. The offer and the message then appear together, so the layout shifts
   * only once.
   */
  readonly offer: () => Promise<unknown>;
}

export interface Router {
  /** The URL to share the current state, or the current models in another view. Undefined if it would be too long. */
  link(view?: string): Promise<string | undefined>;
  /** Resolves when all pending address changes are done. */
  settled(): Promise<void>;
}

export function startRouter(store: Store, wordings: DetailFormats): Router {
  /** Incremented when the user opens something. The result of a link that was followed before is then dropped. */
  let choice = 0;
  /** Incremented when the user goes to another history step. An address that was prepared before is then dropped. */
  let step = 0;
  let writing: Promise<void> = Promise.resolve();
  let following: Promise<void> = Promise.resolve();
  let timer = 0;
  let unwritten: State | undefined;
  let seen = '';

  const write = (state: State, mode: 'push' | 'replace') => {
    const mine = step;
    writing = writing.then(async () => {
      const detail = await wordings.write(state.view, state.details);
      const hash = await formatHash(listLinked(state), state.view, detail);
      if (mine !== step) return;
      const now: Step = {
        titles: state.models.map(({ entry }) => entry.title),
        ...keepRead(state.read),
        ...(hash === undefined && { entries: state.models.map(({ entry }) => stripBase(entry)), view: state.view, detail }),
      };
      seen = hash ?? '';
      try {
        const address = seen || location.pathname + location.search;
        if (mode === 'push') history.pushState(now, '', address);
        else history.replaceState(now, '', address);
      } catch {
        // Some frames have no history; the page works without it.
      }
    });
  };

  const flush = () => {
    clearTimeout(timer);
    if (unwritten) write(unwritten, 'replace');
    unwritten = undefined;
  };

  const follow = () => {
    clearTimeout(timer);
    unwritten = undefined;
    const mine = ++choice;
    step++;
    seen = location.hash;
    following = followHash(store, wordings, location.hash, history.state as Step | null).then(async (action) => {
      if (action.type === 'follow' && action.wish) await wordings.offer().catch(() => undefined); // the message is shown even if this fails
      if (mine === choice) store.act(action);
    });
  };

  store.subscribe((state, action, before) => {
    if (state.models === before.models && state.view === before.view && state.details === before.details) return;
    if (action.type === 'follow' || action.type === 'identify') return;
    if (NEW_STEPS.has(action.type)) {
      flush();
      choice++;
      write(state, 'push');
    } else {
      if (action.type === 'activate') return;
      unwritten = state;
      clearTimeout(timer);
      timer = window.setTimeout(flush, EDIT_DELAY);
    }
  });

  addEventListener('popstate', follow);
  addEventListener('hashchange', () => location.hash !== seen && follow());
  if (location.hash !== '' || (history.state as Step | null)?.entries) follow();

  return {
    async link(view = store.state.view) {
      const state = { ...store.state, view };
      const hash = await formatHash(listLinked(state), view, await wordings.write(view, state.details));
      if (hash === undefined) return undefined;
      return isFile ? home + hash : location.href.replace(/#.*/, '') + (isFirst(state) ? '' : hash);
    },
    async settled() {
      flush();
      await following;
      await writing;
    },
  };
}

const listLinked = (state: State) => state.models.map(({ entry }) => entry);
/** The maximum length of a text that is stored with a history step, in characters. Browsers limit the size of a step. */
const MAX_READ = 200_000;

function keepRead(read: Read | undefined): Pick<Step, 'read'> {
  const [file, ...others] = read?.files ?? [];
  const text = file?.content;
  return read && others.length === 0 && typeof text === 'string' && text.length < MAX_READ ? { read: { title: read.title, text } } : {};
}

const stripBase = ({ text, title }: Entry) => ({ text, title });
const isFirst = ({ models, view }: State) =>
  view === '' && models.length === 1 && models[0].entry.base === firstModel && !isEdited(models[0].entry);

/** Returns the action that shows the contents of an address and of its history step. */
async function followHash({ counter }: Store, wordings: DetailFormats, hash: string, step: Step | null): Promise<Action> {
  const first: Entry = { base: firstModel, text: firstModel.text };
  const instead = (why: string): Action => ({
    type: 'follow',
    view: '',
    entries: [first],
    message: texts.link.instead(why, firstModel.name),
  });
  const reread = step?.read && readAgain(step.read);
  if (hash.length < 2) {
    const { view = '', detail = '', entries = [first] } = step ?? {};
    return { type: 'follow', view, details: await wordings.parse(view, detail), entries, message: '', read: await reread };
  }
  const link = parseHash(hash);
  if (!link) return instead(texts.link.nothing);
  const titled = async (model: ModelLink, i: number): Promise<Entry> => {
    const entry = await resolveLink(model, counter);
    return model.kind === 'config' ? { ...entry, title: step?.titles[i] } : entry;
  };
  try {
    const asked = await Promise.all(
      link.models.map((model, i) => titled(model, i).catch((error: unknown) => ({ why: (error as Error).message, model }))),
    );
    // Valid models are kept. Of the others, the page offers to load the first one with an `owner/name` id from the Hub.
    const entries = asked.filter((entry) => !('why' in entry)) as Entry[];
    const missing = asked.filter((entry) => 'why' in entry) as { why: string; model: ModelLink }[];
    const details = await wordings.parse(link.view, await unpackDetail(link.detail));
    const why = missing.map((one) => one.why).join(' ');
    const unknown = missing.flatMap(({ model }) => (model.kind === 'model' && isHubId(model.id) ? [model.id] : []))[0];
    return {
      type: 'follow',
      view: link.view,
      details,
      entries: entries.length > 0 ? entries : [first],
      message: missing.length === 0 ? '' : entries.length > 0 ? texts.link.without(why) : texts.link.instead(why, firstModel.name),
      ...(unknown !== undefined && { wish: { id: unknown, asked: false } }),
      read: await reread,
    };
  } catch (error) {
    return instead((error as Error).message);
  }
}

/** Reads the text of a history step again, because the step does not store the result. */
async function readAgain({ title, text }: NonNullable<Step['read']>): Promise<Read | undefined> {
  const files = [{ content: text }];
  const [ledger, { recognise }] = await Promise.all([loadLedger(), import('../inputs/recognise.ts')]);
  const what = recognise(ledger, files);
  return what.kind === 'tensors' ? { title, files, reading: what.reading } : undefined;
}
