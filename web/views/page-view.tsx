// The full page: the header and the footer that all views share, and the current view.

import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { startShortcuts } from '../app/shortcuts.ts';
import { forgetVisited, listVisited } from '../app/visited.ts';
import { loadChoices, openChoice, openFiles, openPasted } from '../app/opening.ts';
import { firstModel } from '../models/catalogue.ts';
import { grouped } from '../support/numbers.ts';
import { readDropped, readFiles } from '../inputs/files.ts';
import { isStale, nameOf, type Model } from '../models/model.ts';
import * as texts from '../texts/page.ts';
import type { State, Store, Theme } from '../app/store.ts';
import { Segmented } from '../parts/buttons.tsx';
import { Colophon } from '../parts/colophon.tsx';
import { lazy, NotLoaded, reloadWhereReachable } from '../parts/lazy.tsx';
import { Navigation } from '../parts/navigation.tsx';
import { Picker } from '../parts/picker.tsx';
import { loadedComponent, loadView, viewName, findView, views, type View } from './all.ts';
import type { ViewProps } from './view-props.ts';

export const FromHub = lazy(async () => (await import('../parts/hub-offer.tsx')).FromHub);

export interface PageProps {
  readonly store: Store;
  /** Makes the link to share, by default for the current view; undefined if it would be too long. */
  readonly link: (view?: string) => Promise<string | undefined>;
  /** True if the link is a full address, false if it is only the part after the `#`. */
  readonly isAddress: boolean;
}

export function Page({ store, link, isAddress }: PageProps) {
  const state = useStore(store);
  const { models, active, preferences, message } = state;
  const model = models[active];
  const view = findView(state.view);
  const { Drawn, trouble, again } = useView(view);
  const main = useRef<HTMLDivElement>(null);
  const masthead = useRef<HTMLElement>(null);
  const help = useRef<HTMLDetailsElement>(null);
  useDropAndPaste(store);
  useEffect(
    () =>
      startShortcuts(store, {
        picker: () => masthead.current?.querySelector<HTMLElement>('[role=combobox]') ?? null,
        filter: () => main.current?.querySelector<HTMLElement>('input[type=search]') ?? null,
        help: () => toggle(help.current),
      }),
    [store],
  );
  useIdentify(store, model);
  useEffect(() => {
    document.title = formatTitle(state);
  }, [view, models, active]);

  /** Moves the focus without changing the address, which contains the state. */
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.querySelector<HTMLElement>('main')?.focus();
  };
  return (
    <>
      <a class="skip" href={`#${viewName(view)}-answer`} onClick={skip}>
        {texts.skip}
      </a>
      <Masthead store={store} state={state} view={view} element={masthead} />
      <Navigation
        views={views.filter(({ within }) => within === undefined)}
        current={view.within ?? view.id}
        go={(id) => store.act({ type: 'view', view: id })}
        address={async (id) => (await link(id))?.replace(/^[^#]*/, '') || `#${id}`}
      />
      {/* Below the navigation, so that a message does not move the header and the navigation. */}
      <p class="banner" role="status" hidden={message === ''}>
        {message}
      </p>
      {state.wish && (
        <FromHub
          wish={state.wish}
          open={(text, title, from) => store.act({ type: 'open', entry: { text, title, from }, at: state.wish?.at })}
          close={() => store.act({ type: 'wish' })}
        />
      )}
      <div class="view" ref={main}>
        <Guard key={view.id} models={models}>
          {trouble !== undefined && <NotLoaded trouble={texts.views.notLoaded(view.title, trouble)} again={again} />}
          {Drawn && <Drawn store={store} state={state} link={link} isAddress={isAddress} />}
        </Guard>
      </div>
      <Colophon
        keys={preferences.keys}
        setKeys={(keys) => store.act({ type: 'prefer', preferences: { keys } })}
        help={help}
        method={() => {
          store.act({ type: 'view', view: 'supported' });
          scrollTo(0, 0);
        }}
        visited={() => listVisited().length}
        forget={forgetVisited}
      />
    </>
  );
}

interface MastheadProps {
  readonly store: Store;
  readonly state: State;
  readonly view: View;
  readonly element: { current: HTMLElement | null };
}

/** The header: the page's name, the search for a model, and the colour scheme. */
function Masthead({ store, state: { models, active, preferences }, view, element }: MastheadProps) {
  const { entry } = models[active];
  return (
    <header class="masthead" ref={element}>
      <div class="brand">
        <h1>
          <a
            href=""
            onClick={(event) => {
              event.preventDefault();
              store.act({ type: 'view', view: '' });
            }}
          >
            {texts.product}
          </a>
        </h1>
        <p>{texts.promise}</p>
      </div>
      {/* Present in every view, so that the header looks alike in all of them. */}
      <Picker
        label={view.adds ? texts.picker.adds : undefined}
        placeholder={view.adds ? texts.picker.adds : undefined}
        name={view.adds ? '' : nameOf(entry)}
        id={view.adds ? undefined : entry.base?.id}
        choices={loadChoices}
        visited={listVisited}
        choose={(choice) => void openChoice(store, choice).then(() => view.elsewhere && store.act({ type: 'view', view: '' }))}
        paste={(text) => openPasted(store, text, true)}
        openFiles={(files) => void openFiles(store, readFiles(files))}
        load={(id) => store.act({ type: 'wish', wish: { id, asked: true } })}
      />
      <ThemeChoice theme={preferences.theme} choose={(theme) => store.act({ type: 'prefer', preferences: { theme } })} />
    </header>
  );
}

/** Opens a collapsible panel and focuses it, or closes it. */
function toggle(fold: HTMLDetailsElement | null): void {
  if (!fold) return;
  fold.open = !fold.open;
  if (fold.open) fold.querySelector('summary')?.focus();
}

/**
 * A hook that returns the state and redraws when it changes. Subscribes in a layout effect, because changes before a slow first frame would
 * otherwise be drawn too late.
 */
function useStore(store: Store): State {
  const [, redraw] = useState(store.state);
  useLayoutEffect(() => {
    redraw(store.state);
    return store.subscribe(redraw);
  }, [store]);
  return store.state;
}

/** Returns the view's component once it is loaded, or the reason why it could not be loaded. */
function useView(view: View): { Drawn?: ComponentType<ViewProps>; trouble?: string; again: () => void } {
  const [state, setState] = useState<{ view?: View; trouble?: string }>({});
  const [tried, setTried] = useState<{ readonly view?: View; readonly times: number }>({ times: 0 });
  useEffect(() => {
    let outdated = false;
    loadView(view).then(
      () => outdated || setState({ view }),
      (error: Error) => {
        if (outdated) return;
        setState({ view, trouble: error.message });
        if (tried.view === view) void reloadWhereReachable();
      },
    );
    return () => void (outdated = true);
  }, [view, tried]);
  return {
    Drawn: loadedComponent(view),
    trouble: state.view === view ? state.trouble : undefined,
    again: () => setTried({ view, times: tried.times + 1 }),
  };
}

export function formatTitle({ view, models, active }: Pick<State, 'view' | 'models' | 'active'>): string {
  const { id, title } = findView(view);
  const model = models[active];
  if (id !== '')
    return texts.views.title(
      title,
      models.map(({ entry }) => nameOf(entry)),
    );
  const name = nameOf(model.entry);
  if (isStale(model) || !model.shown) return texts.refusedTitle(name);
  return texts.pageTitle(grouped(model.shown.totals.parameters), name);
}

const THEMES = [
  ['', texts.theme.auto],
  ['light', texts.theme.light],
  ['dark', texts.theme.dark],
] as const;

const ThemeChoice = ({ theme, choose }: { theme: Theme; choose: (theme: Theme) => void }) => (
  <div class="theme">
    <Segmented label={texts.theme.label} name="theme" choices={THEMES} chosen={theme} choose={choose} />
  </div>
);

/** Catches errors while drawing, and shows a message instead of an incomplete page. Draws again as soon as the models change. */
class Guard extends Component<{ models: State['models']; children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };
  static override getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown) {
    console.error(error);
  }
  override componentDidUpdate({ models }: { models: State['models'] }) {
    if (this.state.failed && models !== this.props.models) this.setState({ failed: false });
  }
  override render() {
    return this.state.failed ? <p class="banner">{texts.drawingFailed}</p> : this.props.children;
  }
}

/** Opens files and text that are dropped anywhere or pasted outside of input fields. */
function useDropAndPaste(store: Store): void {
  useEffect(() => {
    const { body } = document;
    const over = (event: DragEvent) => {
      event.preventDefault();
      body.dataset.dropping = texts.drop;
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) delete body.dataset.dropping;
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      delete body.dataset.dropping;
      const files = event.dataTransfer && readDropped(event.dataTransfer);
      if (files) void openFiles(store, files);
      else openPasted(store, event.dataTransfer?.getData('text/plain') ?? '', false);
    };
    const paste = (event: ClipboardEvent) => {
      if ((event.composedPath()[0] as Element).closest?.('input, textarea')) return;
      event.preventDefault();
      const files = event.clipboardData?.files ?? [];
      if (files.length > 0) void openFiles(store, readFiles(files));
      else openPasted(store, event.clipboardData?.getData('text/plain') ?? '', false);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    addEventListener('paste', paste);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
      removeEventListener('paste', paste);
    };
  }, [store]);
}

/** Identifies the published model that an opened configuration belongs to. */
function useIdentify(store: Store, { entry, answer }: Model): void {
  const { text, base, known } = entry;
  useEffect(() => {
    if (base || known || !answer.ok) return;
    let outdated = false;
    import('../models/find-published.ts')
      .then(({ loadPublished }) => loadPublished(text, answer, store.counter))
      .then(
        (base) => !outdated && base && store.act({ type: 'identify', base, text }),
        () => undefined, // without the list, the model stays unknown
      );
    return () => void (outdated = true);
  }, [text, answer]);
}

export const firstEntry = { base: firstModel, text: firstModel.text };
