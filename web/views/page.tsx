// The whole page: what stands above all views, and the view that the address asks for.

import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { firstModel, modelBase, publishedModels, recognised, typeBase } from '../lib/catalogue.ts';
import { grouped } from '../lib/format.ts';
import { dropped, readFile, type ReadFile } from '../lib/inputs/files.ts';
import { recognise } from '../lib/inputs/recognise.ts';
import { isStale, nameOf, type Model } from '../lib/model.ts';
import { choicesOf, type Choice } from '../lib/search.ts';
import { texts } from '../lib/texts.ts';
import type { State, Store, Theme } from '../app/store.ts';
import { Segmented } from '../parts/buttons.tsx';
import { Picker } from '../parts/picker.tsx';
import { ModelView } from './model.tsx';

/** What the view's ids begin with. */
const VIEW = 'model';

export interface PageProps {
  readonly store: Store;
  /** What to hand to somebody else; undefined where it is too long for a link. */
  readonly link: () => Promise<string | undefined>;
  /** Whether that is an address, or only what stands behind it. */
  readonly isAddress: boolean;
}

export function Page({ store, link, isAddress }: PageProps) {
  const state = useStore(store);
  const { models, active, preferences, message } = state;
  const model = models[active];
  const main = useRef<HTMLDivElement>(null);
  useFromElsewhere(store);
  useIdentified(store, model);
  useEffect(() => {
    document.title = titleOf(model);
  }, [model]);

  /** The address holds the state, so the link must not go there. */
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.querySelector<HTMLElement>('main')?.focus();
  };
  return (
    <>
      <a class="skip" href={`#${VIEW}-answer`} onClick={skip}>
        {texts.skip}
      </a>
      <header class="masthead">
        <div class="brand">
          <h1>{texts.product}</h1>
          <p>{texts.promise}</p>
        </div>
        <Picker
          name={nameOf(model.entry)}
          id={model.entry.base?.id}
          choices={() => allChoices(store)}
          choose={(choice) => void openChoice(store, choice)}
          paste={(text) => pasted(store, text, true)}
          openFile={(file) => void openFile(store, readFile(file))}
        />
        <ThemeChoice theme={preferences.theme} choose={(theme) => store.act({ type: 'prefer', preferences: { theme } })} />
      </header>
      <p class="banner" role="status" hidden={message === ''}>
        {message}
      </p>
      {models.length > 1 && <ModelTabs state={state} store={store} />}
      <div class="view" ref={main}>
        <Guard key={active}>
          <ModelView name={VIEW} model={model} writing={preferences.writing} act={store.act} link={link} isAddress={isAddress} />
        </Guard>
      </div>
      <footer class="colophon">
        <p>{texts.colophon}</p>
      </footer>
    </>
  );
}

/** The state, drawn anew whenever it changes. */
function useStore(store: Store): State {
  const [, redraw] = useState(store.state);
  useEffect(() => {
    redraw(store.state);
    return store.subscribe(redraw);
  }, [store]);
  return store.state;
}

export function titleOf(model: Model): string {
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

/** Where a link brings several models. */
const ModelTabs = ({ state: { models, active }, store }: { state: State; store: Store }) => (
  <div class="model-tabs">
    <Segmented
      label={texts.link.models}
      name="active"
      choices={models.map(({ entry }, i) => [String(i), nameOf(entry)] as const)}
      chosen={String(active)}
      choose={(at) => store.act({ type: 'activate', at: Number(at) })}
    />
  </div>
);

/** A defect in the drawing leaves a sentence, not half a page. */
class Guard extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };
  static override getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown) {
    console.error(error);
  }
  override render() {
    return this.state.failed ? <p class="banner">{texts.drawingFailed}</p> : this.props.children;
  }
}

// --- What comes from elsewhere ---------------------------------------------------------------------------------------

async function allChoices({ ledger }: Store): Promise<readonly Choice[]> {
  return choicesOf(await publishedModels(), ledger.catalog(), texts.picker.types);
}

async function openChoice(store: Store, { kind, id }: Choice): Promise<void> {
  const base = kind === 'type' ? typeBase(id, store.ledger) : await modelBase(id);
  if (base) store.act({ type: 'open', entry: { base, text: base.text } });
}

async function openFile(store: Store, file: Promise<ReadFile>): Promise<void> {
  try {
    const { name, text } = await file;
    const what = recognise(text);
    if (what.kind === 'config') store.act({ type: 'open', entry: { text: what.text, title: name } });
    else store.act({ type: 'say', message: `${name}: ${what.kind === 'other' ? what.what : what.otherwise}` });
  } catch (error) {
    store.act({ type: 'say', message: (error as Error).message });
  }
}

/** True where the text was dealt with. `typing`: pasted where names are typed, so that only a configuration is more than words. */
function pasted(store: Store, text: string, typing: boolean): boolean {
  const what = recognise(text);
  if (what.kind === 'config') store.act({ type: 'open', entry: { text: what.text } });
  else if (typing) return false;
  else if (what.kind === 'other') store.act({ type: 'say', message: what.what });
  else void openName(store, what.id, what.otherwise);
  return true;
}

async function openName(store: Store, id: string, otherwise: string): Promise<void> {
  const base = await modelBase(id).catch(() => undefined);
  store.act(base ? { type: 'open', entry: { base, text: base.text } } : { type: 'say', message: otherwise });
}

/** Files dropped anywhere, and what is pasted outside of any input. */
function useFromElsewhere(store: Store): void {
  useEffect(() => {
    const { body } = document;
    const over = (event: DragEvent) => {
      event.preventDefault();
      body.dataset.dropping = texts.input.drop;
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) delete body.dataset.dropping;
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      delete body.dataset.dropping;
      const file = event.dataTransfer && dropped(event.dataTransfer);
      if (file) void openFile(store, file);
      else pasted(store, event.dataTransfer?.getData('text/plain') ?? '', false);
    };
    const paste = (event: ClipboardEvent) => {
      if ((event.composedPath()[0] as Element).closest?.('input, textarea')) return;
      event.preventDefault();
      const [file] = event.clipboardData?.files ?? [];
      if (file) void openFile(store, readFile(file));
      else pasted(store, event.clipboardData?.getData('text/plain') ?? '', false);
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

/** Says of a configuration from elsewhere which published model it is. */
function useIdentified(store: Store, { entry, answer }: Model): void {
  const { text, base, known } = entry;
  useEffect(() => {
    if (base || known || !answer.ok) return;
    let outdated = false;
    publishedModels().then(
      (models) => {
        const found = !outdated && recognised(text, answer, models, store.ledger);
        if (found) store.act({ type: 'identify', base: found, text });
      },
      () => undefined, // without the list nothing is known
    );
    return () => void (outdated = true);
  }, [text, answer]);
}

export const firstEntry = { base: firstModel, text: firstModel.text };
