// The control that chooses a model: a searchable list of published models and model types, a file, or pasted text.

import { isFile } from '../support/build-info.ts';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { short } from '../support/numbers.ts';
import { searchChoices, parseFullId, isKnown, type Choice } from '../models/choices.ts';
import * as texts from '../texts/page.ts';
import { useIds } from './basics.tsx';
import { OpenButton } from './buttons.tsx';

interface PickerProps {
  /** The label of the control; by default `texts.picker.label`. */
  readonly label?: string;
  /** The placeholder while no model is chosen. */
  readonly placeholder?: string;
  /** The name of the current model; empty if there is none. */
  readonly name: string;
  readonly id: string | undefined;
  /** Loads all choices. Called when the list is opened, until this has succeeded. */
  readonly choices: () => Promise<readonly Choice[]>;
  /** The models and model types opened recently, most recent first. */
  readonly visited?: () => readonly { readonly kind: string; readonly id: string }[];
  readonly choose: (choice: Choice) => void;
  /** Called with a pasted text. Returns false if the text is left to the input field. */
  readonly paste: (text: string) => boolean;
  readonly openFiles: (files: readonly File[]) => void;
  /** Loads a model from the Hub. Called with an `owner/name` id that is not among the choices. */
  readonly load?: (id: string) => void;
}

export function Picker({
  label = texts.picker.label,
  placeholder = texts.picker.placeholder,
  name,
  id: current,
  choices: ask,
  visited,
  choose,
  paste,
  openFiles,
  load,
}: PickerProps) {
  const id = useIds();
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [all, setAll] = useState<readonly Choice[]>();
  const [trouble, setTrouble] = useState('');
  const [active, setActive] = useState(-1);
  /** Whether Enter was pressed before the choices were loaded. */
  const [entered, setEntered] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const shown = useMemo(
    () =>
      open && all
        ? grouped(withVisited(searchChoices(all, query), query.trim() === '' ? visited?.() : undefined), query.trim() !== '')
        : [],
    [open, all, query],
  );
  const flat = useMemo(() => shown.flatMap(({ choices }) => choices), [shown]);
  const wish = open && all ? parseFullId(query) : undefined;
  const unknown = wish !== undefined && all && !isKnown(all, wish) ? wish : undefined;
  /**
   * 1 if the query is the id or address of a model that is not among the choices. The offer to load that model then comes first in the
   * list.
   */
  const offers = load && unknown !== undefined ? 1 : 0;
  const last = flat.length + offers - 1;
  /**
   * The index that is active at first: without a query that of the current model, otherwise that of the best match; -1 if there is none.
   */
  const best = query.trim()
    ? last >= 0 && (offers > 0 || unknown === undefined)
      ? 0
      : -1
    : flat.findIndex(({ id: of }) => of === current);

  const show = () => {
    if (open) return;
    setOpen(true);
    setQuery('');
    setActive(-1);
    if (all) return;
    ask().then(setAll, (error: Error) => setTrouble(texts.picker.notLoaded(error.message)));
  };
  const close = () => {
    setOpen(false);
    setQuery('');
    setEntered(false);
  };
  // Set before painting, because the next key may be Enter.
  useLayoutEffect(() => {
    if (open) setActive(best);
  }, [open, query, flat]);
  useEffect(() => {
    if (entered && all) take(best);
  }, [entered, all]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const take = (at: number) => {
    if (at < 0 || at > last) return;
    close();
    if (at < offers) load?.(unknown as string);
    else choose(flat[at - offers]);
    // Selects the name, so that typing starts a new search.
    setTimeout(() => input.current?.select());
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (open) setActive((at) => Math.max(0, Math.min(last, at + step)));
      else show();
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      if (all) take(active);
      else setEntered(true);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      close();
      setTimeout(() => input.current?.select());
    }
  };

  return (
    <div class="picker">
      <label for={id('picker')} class="spoken">
        {label}
      </label>
      <div class="combo">
        <span class="lens" aria-hidden="true" />
        <input
          ref={input}
          id={id('picker')}
          type="text"
          role="combobox"
          aria-expanded={open}
          aria-controls={id('models')}
          aria-autocomplete="list"
          aria-activedescendant={open && active >= 0 && active <= last ? id(`model-${active}`) : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={open ? texts.picker.placeholder : placeholder}
          value={open ? query : name}
          onFocus={(event) => event.currentTarget.select()}
          // Selects the text on pointer down. Selecting it later would also select what the user has typed by then.
          onMouseDown={(event) => {
            if (open) return;
            event.preventDefault();
            event.currentTarget.focus();
            event.currentTarget.select();
            show();
          }}
          onInput={(event) => {
            const { value } = event.currentTarget;
            show();
            setQuery(value);
            setEntered(false);
          }}
          onKeyDown={press}
          onBlur={close}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text/plain') ?? '';
            if (!paste(text)) return;
            event.preventDefault();
            close();
          }}
        />
        <span class="chevron" aria-hidden="true" />
        <div
          ref={list}
          class="options"
          id={id('models')}
          role="listbox"
          aria-label={texts.picker.list}
          hidden={!open}
          onPointerDown={(event) => event.preventDefault()}
        >
          {offers > 0 && unknown !== undefined && (
            <div role="group" aria-label={texts.picker.hub}>
              <div role="option" id={id('model-0')} aria-selected={active === 0} onClick={() => take(0)}>
                {isFile ? texts.picker.howTo(unknown) : texts.picker.loadOf(unknown)}
              </div>
            </div>
          )}
          {shown.map(({ title, choices, first }, group) => (
            <div key={`${group} ${title}`} role="group" aria-label={title || texts.picker.list}>
              {title && (
                <div class="option-group" aria-hidden="true">
                  {title}
                </div>
              )}
              {choices.map((choice, i) => (
                <div
                  key={choice.kind + choice.id}
                  role="option"
                  id={id(`model-${offers + first + i}`)}
                  aria-selected={offers + first + i === active}
                  onClick={() => take(offers + first + i)}
                >
                  <span>
                    {choice.name}
                    {!title && <span class="muted"> {choice.owner}</span>}
                  </span>
                  <span class="digits">{choice.parameters && short(choice.parameters)}</span>
                </div>
              ))}
            </div>
          ))}
          {flat.length === 0 && unknown === undefined && <p class="none">{trouble || (all ? texts.picker.none : texts.picker.loading)}</p>}
        </div>
      </div>
      <OpenButton label={texts.picker.open} title={texts.picker.openTitle} openFiles={openFiles} />
    </div>
  );
}

interface Group {
  readonly title: string;
  readonly choices: readonly Choice[];
  /** The index of the group's first choice among the choices of all groups. */
  readonly first: number;
}

/** Adds the recently visited ones among the choices as a group at the front. They also remain in their own groups. */
function withVisited(choices: readonly Choice[], ids: readonly { readonly kind: string; readonly id: string }[] = []): readonly Choice[] {
  const known = ids.flatMap(({ kind, id }) => choices.find((choice) => choice.kind === kind && choice.id === id) ?? []);
  return [...known.map((choice) => ({ ...choice, owner: texts.picker.visited })), ...choices];
}

/**
 * Groups models by publisher, and model types in one group. With a query, models are one group without a title, model types with matching
 * names are another, and model types that were found in some other way are a third.
 */
function grouped(choices: readonly Choice[], ranked: boolean): Group[] {
  const owners = new Map<string, Choice[]>();
  for (const choice of choices) {
    const title = choice.isAlike ? texts.picker.alike : ranked && choice.kind === 'model' ? '' : choice.owner;
    const list = owners.get(title);
    if (list) list.push(choice);
    else owners.set(title, [choice]);
  }
  let first = 0;
  return [...owners].map(([title, own]) => {
    const group = { title, choices: own, first };
    first += own.length;
    return group;
  });
}
