// The Models view: all published models and the user's own, each counted in the browser, as a table and as a picture of the table.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Store } from '../app/store.ts';
import { listVisited, type Visited } from '../app/visited.ts';
import { createBase, loadPublishedModels } from '../models/catalogue.ts';
import type { Entry, Published } from '../config/entry.ts';
import { MAX_MODELS } from '../config/link.ts';
import { findColumn, columns, DEFAULT_COLUMNS, columnLabel, columnMeaning, isText, type Column } from '../models/model-columns.ts';
import { completeColumn } from '../models/condition.ts';
import { createCounting, countTotals, type Counted, type LazyCounts, type Listed } from '../models/model-rows.ts';
import { formatCsv, formatMarkdown, buildTable, buildTableLeniently, type ModelTable, type Row } from '../models/model-table.ts';
import { listOwnModels, parsePastedLines, listVisitedTypes } from '../models/own-models.ts';
import { defaultModelsSetting, type ModelsSetting } from '../settings/models-setting.ts';
import { grouped, neutral } from '../support/numbers.ts';
import * as exportsTexts from '../export/export-texts.ts';
import * as words from '../models/models-texts.ts';
import { NamedView } from '../parts/basics.tsx';
import { CopyButton, CopyLink, SaveButton } from '../parts/buttons.tsx';
import { inPieces, useWhenIdle } from '../parts/idle.ts';
import { ModelsList } from '../parts/models-list.tsx';
import { ModelPoints, ModelShares, NoPicture } from '../parts/models-picture.tsx';
import type { AskingProps } from './view-props.ts';

const NAME = 'models';
const SHARES = 'shares';
/** The column that is plotted against parameters by default. */
const FIRST_PICTURE = 'active';

export function ModelsView({ store, ledger, state: { models, details }, link, isAddress }: AskingProps) {
  const wish = details.models ?? defaultModelsSetting;
  const put = (change: Partial<ModelsSetting>) => store.act({ type: 'show', details: { models: { ...wish, ...change } } });
  const [published, setPublished] = useState(prepared);
  const [trouble, setTrouble] = useState('');
  const [typed, setTyped] = useState('');
  const [selected, setSelected] = useState<readonly Listed[]>([]);
  useEffect(() => {
    loadPublishedModels().then(setPublished, (error: Error) => setTrouble(error.message));
  }, []);
  const pasted = useMemo(() => parsePastedLines(typed), [typed]);
  const known = useMemo(() => countPublishedOnce(published, ledger), [published, ledger]);
  const configs = models.map(({ entry }) => entry.text).join('\n');
  const before = useMemo(listVisited, []);
  const own = useMemo(() => {
    const entries = models.map(({ entry }) => entry);
    return createCounting([...listOwnModels(entries), ...listVisitedTypes(before, entries, ledger), ...pasted], ledger);
  }, [configs, before, pasted, ledger]);
  const all = useMemo(() => () => [...own(), ...known()], [own, known]);
  const made = useMemo(() => buildTable(all, wish), [all, wish.columns, wish.sort, wish.where]);
  const table = useMemo(() => (made.ok ? made : buildTableLeniently(all, wish)), [made]);

  const entryOf = (listed: Listed): Entry => {
    const one = published.find((model) => model === listed);
    const base = one && createBase(one);
    return base ? { base, text: base.text } : (listed as Listed & { readonly entry: Entry }).entry;
  };
  const open = ({ listed }: Counted) => {
    const entry = entryOf(listed);
    void store.counter.ensureTypes(entry.text).then(() => {
      const at = models.findIndex((model) => model.entry === entry);
      store.act(at < 0 ? { type: 'open', entry } : { type: 'activate', at });
      store.act({ type: 'view', view: '' });
    });
  };
  const select = ({ model: { listed } }: Row) =>
    setSelected((before) => (before.includes(listed) ? before.filter((one) => one !== listed) : [...before, listed].slice(-MAX_MODELS)));
  const first = table.rows.slice(0, MAX_MODELS).map(({ model }) => entryOf(model.listed));
  return (
    <NamedView value={NAME}>
      <main class="models" id={`${NAME}-answer`} tabIndex={-1}>
        <Head store={store} published={published.length} selected={selected.map(entryOf)} first={wish.where.trim() === '' ? [] : first}>
          <CopyLink link={link} isAddress={isAddress} />
        </Head>
        {trouble && <p class="error">{trouble}</p>}
        <Where made={made} wish={wish} put={put} />
        <div data-stale={made.ok ? undefined : ''}>
          <Picture table={table} chosen={wish.picture || FIRST_PICTURE} choose={(picture) => put({ picture })} open={open} />
          <div class="sheet-head">
            <Columns table={table} choose={(names) => put({ columns: names.join() === DEFAULT_COLUMNS.join() ? '' : names.join() })} />
            <TakeAway table={table} />
          </div>
          <ModelsList
            table={table}
            sort={wish.sort}
            sortBy={(sort) => put({ sort })}
            open={({ model }) => open(model)}
            selected={selected}
            select={select}
            markOf={(listed) => (isVisited(listed, before) ? words.visited : listed.id === '' ? words.own : undefined)}
          />
        </div>
        <Paste typed={typed} setTyped={setTyped} said={pasted.length > 0 ? describePasted(pasted, own()) : ''} />
      </main>
    </NamedView>
  );
}

interface HeadProps {
  readonly store: Store;
  /** The number of published models. */
  readonly published: number;
  readonly selected: readonly Entry[];
  /**
   * The first models in the table that satisfy the condition, if there is a condition. The Compare button uses them if none are selected.
   */
  readonly first: readonly Entry[];
  readonly children: ComponentChildren;
}

function Head({ store, published, selected, first, children }: HeadProps) {
  const compared = selected.length === 0 ? first : selected;
  return (
    <div class="sheet-head">
      <div>
        <h2>{words.title}</h2>
        <p class="muted">
          {words.lead(grouped(String(published)))} {words.ownNote}{' '}
          <a
            href="#supported"
            onClick={(event) => {
              event.preventDefault();
              store.act({ type: 'view', view: 'supported' });
            }}
          >
            {words.types}
          </a>
        </p>
      </div>
      <div class="tools">
        <button
          type="button"
          title={words.compareTitle}
          aria-disabled={compared.length < 2 || undefined}
          onClick={() => compared.length > 1 && compareModels(store, compared)}
        >
          {selected.length === 0 && compared.length > 1
            ? words.compareFirst(String(compared.length))
            : words.compare(String(selected.length))}
        </button>
        {children}
      </div>
    </div>
  );
}

interface WhereProps {
  readonly made: ReturnType<typeof buildTable>;
  readonly wish: ModelsSetting;
  readonly put: (change: Partial<ModelsSetting>) => void;
}

/** The condition, and either the number of models that satisfy it or an error in the columns, the sorting or the condition. */
function Where({ made, wish, put }: WhereProps) {
  return (
    <div class="models-where">
      <input
        type="search"
        aria-label={words.where}
        aria-invalid={made.ok ? undefined : 'true'}
        aria-describedby={`${NAME}-said`}
        placeholder={words.whereHint}
        value={wish.where}
        onInput={(event) => put({ where: event.currentTarget.value })}
      />
      <Completions where={wish.where} put={(where) => put({ where })} />
      <p id={`${NAME}-said`} class={made.ok ? 'muted' : 'error'} role="status">
        {made.ok ? (
          words.found(grouped(String(made.rows.length)), grouped(String(made.models)))
        ) : (
          <>
            {made.error.message} <Marked text={wish[made.error.part]} from={made.error.from} to={made.error.to} />
          </>
        )}
      </p>
    </div>
  );
}

/** Columns with a name or an alias that begins with the last word of the condition. A click replaces the word with the column's name. */
function Completions({ where, put }: { where: string; put: (where: string) => void }) {
  const complete = completeColumn(where);
  if (complete.length === 0) return null;
  return (
    <p class="models-completions" aria-label={words.completions}>
      {complete.map(({ column, text }) => (
        <button key={column.name} type="button" class="quiet" title={columnMeaning(column)} onClick={() => put(text)}>
          {column.name}
        </button>
      ))}
    </p>
  );
}

function TakeAway({ table }: { table: ModelTable }) {
  const csv = () => formatCsv(table);
  return (
    <div class="tools">
      <CopyButton label={`${exportsTexts.copy} ${words.exported.csv}`} title={words.copyTitle(words.exported.csv)} text={csv} />
      <SaveButton
        label={`${exportsTexts.save} ${words.exported.csv}`}
        title={words.copyTitle(words.exported.csv)}
        type="text/csv"
        fileName={() => 'models.csv'}
        content={csv}
      />
      <CopyButton
        label={`${exportsTexts.copy} ${words.exported.markdown}`}
        title={words.copyTitle(words.exported.markdown)}
        text={() => neutral(() => formatMarkdown(table))}
      />
    </div>
  );
}

/** A field in which users paste their own configurations. */
function Paste({ typed, setTyped, said }: { typed: string; setTyped: (typed: string) => void; said: string }) {
  return (
    <details class="models-paste">
      <summary>{words.paste}</summary>
      <textarea
        aria-label={words.paste}
        placeholder={words.pasteHint}
        rows={6}
        value={typed}
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <p class="muted" role="status">
        {said}
      </p>
    </details>
  );
}

let prepared: readonly Published[] = [];

/** Counts the published models before the view is drawn, because sorting and filtering need all of them. */
export async function prepareModels(ledger: AskingProps['ledger']): Promise<void> {
  prepared = await loadPublishedModels();
  await inPieces(prepared, (model) => countTotals(model, ledger));
}

const once = new WeakMap<readonly Published[], LazyCounts>();

/** Returns the counts of the published models. They are computed once and reused until the list of models changes. */
function countPublishedOnce(published: readonly Published[], ledger: AskingProps['ledger']): LazyCounts {
  const known = once.get(published) ?? createCounting(published, ledger);
  once.set(published, known);
  return known;
}

const isVisited = ({ id, visited: type }: Listed, before: readonly Visited[]) =>
  type || before.some((one) => one.kind === 'model' && one.id === id);

/**
 * Reads the fields that the picture needs, so that they are computed in advance. Returns the value, because bundlers remove unused reads.
 */
const countFields = ({ model }: Row) => model.answer?.fields;

function describePasted(pasted: readonly Listed[], counted: readonly Counted[]): string {
  const some = counted.filter(({ listed }) => pasted.includes(listed)).length;
  return words.pasted(grouped(String(some)), grouped(String(pasted.length - some)));
}

/** A text in which the part that is not understood is marked. */
const Marked = ({ text, from, to }: { text: string; from: number; to: number }) => (
  <code>
    {text.slice(0, from)}
    <mark>{text.slice(from, Math.max(to, from + 1)) || '…'}</mark>
    {text.slice(Math.max(to, from + 1))}
  </code>
);

/**
 * Replaces the page's models and shows the Compare view. If there were several models, undo in this view restores them. A single model is
 * restored by undo in the first view.
 */
function compareModels(store: Store, entries: readonly Entry[]): void {
  for (let at = store.state.models.length - 1; at > 0; at--) store.act({ type: 'remove', at });
  entries.forEach((entry, i) => store.act(i === 0 ? { type: 'open', entry, at: 0 } : { type: 'add', entry }));
  store.act({ type: 'view', view: 'compare' });
}

interface PictureProps {
  readonly table: ModelTable;
  readonly chosen: string;
  readonly choose: (picture: string) => void;
  readonly open: (model: Counted) => void;
}

function Picture({ table: { columns: shown, rows: all }, chosen, choose, open }: PictureProps) {
  const drawn = useWhenIdle(all, (rows) => rows, countFields);
  const rows = useMemo(() => drawn?.map(({ model }) => model) ?? [], [drawn]);
  const drawable = columns.filter(
    (column) => !isText(column) && column.name !== 'parameters' && (!column.memory || shown.some(({ name }) => name === column.name)),
  );
  const column = drawable.find(({ name }) => name === chosen) ?? (findColumn(FIRST_PICTURE) as Column);
  return (
    <section class="models-drawn">
      <label>
        <span class="spoken">{words.picture}</span>
        <select value={chosen === SHARES ? SHARES : column.name} onChange={(event) => choose(event.currentTarget.value)}>
          <option value={SHARES}>{words.shares}</option>
          {drawable.map((one) => (
            <option key={one.name} value={one.name}>
              {words.against(columnLabel(one))}
            </option>
          ))}
        </select>
      </label>
      {chosen === SHARES ? (
        <ModelShares rows={rows} open={open} />
      ) : drawn ? (
        <ModelPoints rows={rows} column={column} open={open} />
      ) : (
        <NoPicture />
      )}
    </section>
  );
}

function Columns({ table, choose }: { table: ModelTable; choose: (names: readonly string[]) => void }) {
  const shown = new Set(table.columns);
  return (
    <details class="models-columns">
      <summary>{words.choose}</summary>
      <fieldset>
        <legend class="spoken">{words.choose}</legend>
        {columns.map((column) => (
          <label key={column.name} title={columnMeaning(column)}>
            <input
              type="checkbox"
              checked={shown.has(column)}
              // The name column cannot be hidden, because it opens the model.
              disabled={column.name === 'name'}
              onChange={() => choose(columns.filter((one) => (one === column ? !shown.has(one) : shown.has(one))).map(({ name }) => name))}
            />{' '}
            {columnLabel(column)}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
