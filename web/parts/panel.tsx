// The panel with the configuration, as a form or as text. In a wide window it is next to the answer. In a narrow window, a sticky bar with
// the total opens it.

import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped } from '../support/numbers.ts';
import { isStale, type Model } from '../models/model.ts';
import * as texts from '../texts/page.ts';
import type { Act } from '../app/store.ts';
import { useIds } from './basics.tsx';
import { lazy } from './lazy.tsx';
import { FOCUSABLE, Form } from './form.tsx';

const Editor = lazy(async () => (await import('./editor.tsx')).Editor);

type Tab = 'fields' | 'text';

/** Lets other components open the panel at a field. */
export interface PanelHandle {
  visit(name: string): void;
}

interface PanelProps {
  readonly model: Model;
  readonly act: Act;
  /** Values near the refused one that would be accepted for the field with the error. */
  readonly nearest: readonly string[];
  readonly handle: { current: PanelHandle | null };
}

export function Panel({ model, act, nearest, handle }: PanelProps) {
  const id = useIds();
  const [tab, setTab] = useState<Tab>('fields');
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState<{ name: string } | undefined>();
  const element = useRef<HTMLElement>(null);
  const bar = useRef<HTMLButtonElement>(null);

  handle.current = {
    visit(name) {
      setTab('fields');
      setOpen(true);
      setWanted({ name });
    },
  };
  // Moves to the requested field, if there is one, after the panel has opened.
  useEffect(() => {
    const field = wanted && element.current?.querySelector(`[data-field="${CSS.escape(wanted.name)}"]`);
    field?.scrollIntoView({ block: 'nearest' });
    const control = field?.querySelector<HTMLElement>(`:is(${FOCUSABLE})`);
    control?.focus();
    if (control instanceof HTMLInputElement && control.type === 'text') control.select();
  }, [wanted]);

  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open || event.defaultPrevented) return;
    setOpen(false);
    bar.current?.focus();
  };

  return (
    <aside class="panel" ref={element} aria-label={texts.panel.title} data-open={open ? '' : undefined} onKeyDown={press}>
      <h2 class="spoken">{texts.panel.title}</h2>
      <Bar model={model} open={open} toggle={() => setOpen(!open)} drawer={id('drawer')} button={bar} />
      <div class="drawer" id={id('drawer')}>
        <div class="panel-head">
          <Tabs chosen={tab} choose={setTab} wrong={isStale(model)} />
          <History model={model} act={act} />
        </div>
        <div role="tabpanel" id={id('pane-fields')} aria-labelledby={id('tab-fields')} hidden={tab !== 'fields'}>
          <Form model={model} act={act} nearest={nearest} />
        </div>
        <div role="tabpanel" id={id('pane-text')} aria-labelledby={id('tab-text')} hidden={tab !== 'text'}>
          {tab === 'text' && <Editor text={model.entry.text} answer={model.answer} edit={(text) => act({ type: 'text', text })} />}
        </div>
      </div>
    </aside>
  );
}

interface BarProps {
  readonly model: Model;
  readonly open: boolean;
  readonly toggle: () => void;
  readonly drawer: string;
  readonly button: { current: HTMLButtonElement | null };
}

/** The bar of a narrow window: the total, and a button with the main fields that opens or closes the panel. */
function Bar({ model: { shown, form, answer }, open, toggle, drawer, button }: BarProps) {
  const fields = form.fields.filter(({ headline, value, source }) => headline && value !== undefined && source !== 'ignored');
  return (
    <div class="bar-line">
      <button type="button" class="handle" ref={button} aria-expanded={open} aria-controls={drawer} onClick={toggle}>
        <strong>{texts.panel.fields}</strong>
        <span class="summary-fields">{fields.map(({ name, value }) => `${name} ${grouped(String(value))}`).join(' · ')}</span>
      </button>
      <span class="bar-total" aria-hidden="true" data-stale={answer.ok ? undefined : ''}>
        {shown ? grouped(shown.totals.parameters) : texts.total.notCounted}
      </span>
    </div>
  );
}

function Tabs({ chosen, choose, wrong }: { chosen: Tab; choose: (tab: Tab) => void; wrong: boolean }) {
  const id = useIds();
  const list = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const other = chosen === 'fields' ? 'text' : 'fields';
    choose(other);
    list.current?.querySelector<HTMLElement>(`[data-tab="${other}"]`)?.focus();
  };
  return (
    <div role="tablist" ref={list} aria-label={texts.panel.title} onKeyDown={press}>
      {(['fields', 'text'] as const).map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={id(`tab-${tab}`)}
          data-tab={tab}
          aria-controls={id(`pane-${tab}`)}
          aria-selected={tab === chosen}
          tabIndex={tab === chosen ? 0 : -1}
          data-wrong={tab === 'text' && wrong ? '' : undefined}
          onClick={() => choose(tab)}
        >
          {texts.panel[tab]}
        </button>
      ))}
    </div>
  );
}

/** The undo and redo buttons. They use `aria-disabled`, because a disabled button would lose the focus. */
function History({ model: { past, future }, act }: { model: Model; act: Act }) {
  return (
    <>
      {(['undo', 'redo'] as const).map((direction) => {
        const none = (direction === 'undo' ? past : future).length === 0;
        return (
          <button
            key={direction}
            type="button"
            class="quiet"
            aria-disabled={none ? 'true' : undefined}
            onClick={() => none || act({ type: 'travel', direction })}
          >
            {texts.panel[direction]}
          </button>
        );
      })}
    </>
  );
}
