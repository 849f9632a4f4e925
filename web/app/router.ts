// Keeps the address and the state equal. Opening a model or a view is a new step for the browser's Back; an edit changes the step
// it is made on. All changes pass through one queue, which drops the outdated ones.

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

/** Browsers limit how often an address may change. */
const EDIT_DELAY = 250;

/** Actions that the browser's Back undoes. */
const NEW_STEPS: ReadonlySet<Action['type']> = new Set(['open', 'add', 'remove', 'lead', 'pin', 'rearrange', 'view', 'read'] as const);

/** What a step of the browser's history stores in addition to its address. */
interface Step {
  /** The names of the files that the models came from. */
  readonly titles: readonly (string | undefined)[];
  /** Models that are too long for an address. */
  readonly entries?: readonly { text: string; title?: string }[];
  /** The text that was read, if it is small. */
  readonly read?: { readonly title: string; readonly text: string };
  /** The view, and its part of the address. */
  readonly view?: string;
  readonly detail?: string;
}

/** How addresses write a view's setting: see views/all.ts. */
export interface DetailFormats {
  readonly parse: (view: string, text: string) => Promise<Partial<Details>>;
  readonly write: (view: string, details: Partial<Details>) => Promise<string>;
  /** Fetches the code that draws the offer to load a model, so that the offer and the message appear together and the page moves once. */
  readonly offer: () => Promise<unknown>;
}

export interface Router {
  /** The address to share, of the current state or of another view; undefined if it is too long. */
  link(view?: string): Promise<string | undefined>;
  /** Resolves when every address has been followed or written. */
  settled(): Promise<void>;
}

export function startRouter(store: Store, wordings: DetailFormats): Router {
  /** A link followed under an earlier number is outdated: the reader has chosen something else. */
  let choice = 0;
  /** A write begun under an earlier number is outdated: the reader has gone to another step. */
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
        // Some frames have no history. The page works without it.
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
      if (action.type === 'follow' && action.wish) await wordings.offer().catch(() => undefined); // the page shows the message
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
/** Browsers store about this much with a step. */
const MAX_READ = 200_000;

function keepRead(read: Read | undefined): Pick<Step, 'read'> {
  const [file, ...others] = read?.files ?? [];
  const text = file?.content;
  return read && others.length === 0 && typeof text === 'string' && text.length < MAX_READ ? { read: { title: read.title, text } } : {};
}

const stripBase = ({ text, title }: Entry) => ({ text, title });
const isFirst = ({ models, view }: State) =>
  view === '' && models.length === 1 && models[0].entry.base === firstModel && !isEdited(models[0].entry);

/** The action that shows what an address says. */
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
    // Valid models stay, and the unknown ones are offered to be loaded.
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

/** Parses the stored text again: a step keeps only the text. */
async function readAgain({ title, text }: NonNullable<Step['read']>): Promise<Read | undefined> {
  const files = [{ content: text }];
  const [ledger, { recognise }] = await Promise.all([loadLedger(), import('../inputs/recognise.ts')]);
  const what = recognise(ledger, files);
  return what.kind === 'tensors' ? { title, files, reading: what.reading } : undefined;
}
