// Draws a widget in its shadow root, according to the attributes of its element.

import { home } from '../support/build-info.ts';
import style from '#widget-style';
import { h, render } from 'preact';
import { resolveLink, findModelBase, minimalConfig } from '../models/catalogue.ts';
import {
  arrangeParts,
  parseEditable,
  parseParts,
  parsePlanIn,
  parseTheme,
  type CompactPart,
  type CompactTheme,
} from '../settings/compact.ts';
import { createNumbers, setNumbers, type Numbers } from '../support/numbers.ts';
import { InputError, stringifyConfig } from '../core/config-bytes.ts';
import { loadCounter, loadFullCounter, loadPublishedCounter } from '../core/counter.ts';
import { lazyCounter, type LazyCounter } from '../core/lazy-counter.ts';
import { parseHash, type ModelLink } from '../config/link.ts';
import { openModel } from '../models/model.ts';
import { ModelNotFoundError } from '../config/model-not-found.ts';
import type { Entry } from '../config/entry.ts';
import * as compactTexts from '../settings/compact-texts.ts';
import type { Answer, Refusal } from '../types/index.ts';
import type { LedgerErrorDetail } from './event-details.ts';
import { createCompactModels } from '../views/compact-models.ts';
import { EXERCISE, prepareExercise } from '../views/exercise-place.ts';

/** The members of the element that are used here: see element.ts. */
interface Widget extends HTMLElement {
  readonly model: string;
  readonly config: string | object | null;
  readonly view: string;
  readonly editable: string;
  readonly theme: string;
  readonly page: string;
}

export interface Display {
  readonly started: boolean;
  readonly answers: readonly Answer[];
  start(): Promise<void>;
  /** Called when an attribute or the configuration has changed, and when the started element has been connected again. */
  changed(): void;
}

/** The style sheets, which all widgets of a document share. */
let sheets: { readonly all: CSSStyleSheet; readonly light: CSSStyleSheet; readonly dark: CSSStyleSheet } | undefined;

function createSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

const styleSheets = () =>
  (sheets ??= {
    all: createSheet(style),
    // The colour scheme is set on a class inside the shadow root, because the host must keep the scheme of the surrounding page, which
    // decides the colours.
    light: createSheet(':host{--light:initial;--dark: }.widget{color-scheme:light}'),
    dark: createSheet('@media not print{:host{--light: ;--dark:initial}.widget{color-scheme:dark}}'),
  });

/** The height reserved for each part, in pixels, with a typical model: in a wide widget, then at each of the widths in style.css. */
const ROOM: Readonly<Record<CompactPart, readonly number[]>> = {
  total: [115, 115, 115, 115],
  parts: [281, 281, 281, 281],
  compare: [208, 220, 220, 220],
  formula: [138, 165, 207, 279],
  derivation: [496, 496, 496, 496],
  devices: [496, 496, 496, 496],
  table: [412, 412, 480, 480],
};
const FIELD_ROOM = [40, 40, 65, 65];
const FIELDS_ROOM = [8, 8, -4, -4];
const LINK_ROOM = 32;
const PADDING = 18;

/** The events in response to which the widget reads or writes numbers. */
const EVENTS = ['input', 'change', 'click', 'keydown', 'pointerover', 'focusin', 'focusout'] as const;

export function createDisplay(element: Widget, root: ShadowRoot): Display {
  const place = document.createElement('div');
  const watch = document.createElement('i');
  watch.className = 'watch';
  root.replaceChildren(place, watch);
  let counter: LazyCounter | undefined;
  let numbers: Numbers | undefined;
  /** The number of the latest request to count. The counts and errors of earlier requests are ignored. */
  let asked = 0;
  let said = '';

  const tell = (name: string, detail: object) => element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));

  const dress = () => {
    adoptTheme(element, root);
    const parts = parseParts(element.view);
    const editable = parseEditable(element.editable);
    keepRoom(element, place, parts, editable.length);
    if (element.lang) place.lang = element.lang;
    const language = readLanguage(element);
    if (numbers?.language !== language) numbers = createNumbers(language);
    setNumbers(numbers);
    return { parts, plan: parsePlanIn(element.view), editable, numbers };
  };

  /** Shows the element's children and, below them, the reason why nothing was counted, if there is one. */
  const fallback = (reason?: string) => {
    place.className = reason === undefined ? 'room' : ''; // no reserved height if nothing else will follow
    const why = reason === undefined ? null : h('p', { class: 'why', part: 'reason' }, compactTexts.why(reason));
    render([h('div', { class: 'fallback', part: 'fallback' }, h('slot', {})), why], place);
  };

  const report = () => {
    const [{ answer, entry }] = models.now;
    if (answer.ok) tell('ledger-answer', { answer, answers: models.now.map((model) => model.answer), config: entry.text });
    else tell('ledger-error', toErrorDetail(answer));
  };

  const look = () => {
    if (models.now.length > 0) place.className = 'widget room';
    return { ...dress(), page: readPage(element) };
  };
  const models = createCompactModels('widget', place, look, report);

  const count = async () => {
    const mine = ++asked;
    try {
      if (element.view === EXERCISE) {
        const set = readConfig(element);
        if (set instanceof InputError) throw set;
        const draw = await prepareExercise(set, readLanguage(element), readPage(element));
        if (mine !== asked) return;
        models.show([]);
        draw(place);
        place.className = 'widget';
        return;
      }
      counter ??= lazyCounter(await loadCounter(), loadPublishedCounter, loadFullCounter);
      const entries = await resolveEntries(element, counter);
      if (mine !== asked) return;
      dress(); // another widget may have been drawn in between
      const counts = entries.map((entry) => openModel(counter as LazyCounter, entry));
      const refused = counts.find(({ answer }) => !answer.ok)?.answer;
      if (refused && !refused.ok) return fail(toErrorDetail(refused));
      models.show(counts, counter);
      report();
    } catch (error) {
      if (mine !== asked) return;
      said = ''; // so that the next change tries again
      if (error instanceof InputError) return fail({ code: error.code, field: error.field, message: error.message });
      fail({ code: error instanceof ModelNotFoundError ? 'unknown_model' : 'not_loaded', field: '', message: (error as Error).message });
    }
  };

  const fail = (detail: LedgerErrorDetail) => {
    models.show([]);
    fallback(detail.message);
    tell('ledger-error', detail);
  };

  // The element `watch` has a system colour with a CSS transition. When a style sheet, a class or the user's settings change the colour
  // scheme, the transition fires an event. If the widget was hidden or moved, there is no transition, but an animation of `watch` starts
  // instead.
  watch.ontransitionrun = watch.onanimationstart = () => adoptTheme(element, root);
  // Sets this widget's language before its handlers read or write numbers.
  for (const type of EVENTS) root.addEventListener(type, () => numbers && setNumbers(numbers), true);
  dress();
  fallback();

  const shown = {
    started: false,
    get answers() {
      return models.now.map(({ answer }) => answer);
    },
    async start() {
      if (shown.started) return;
      shown.started = true;
      said = readSource(element);
      await count();
    },
    changed() {
      dress();
      if (!shown.started) return;
      const now = readSource(element);
      if (now === said) return models.draw();
      said = now;
      void count();
    },
  };
  return shown;
}

/** Adopts the style sheets for the element's `theme` or, without one, for the colour scheme of the surrounding page. */
function adoptTheme(element: Widget, root: ShadowRoot): void {
  const { all, light, dark } = styleSheets();
  const sheet = (parseTheme(element.theme) || findThemeAround(element)) === 'dark' ? dark : light;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [all, sheet];
}

/**
 * Reserves the height in the element's attribute or, without one, the height that the answer will probably need. A narrow widget gets the
 * larger of the two.
 */
function keepRoom(element: Widget, place: HTMLElement, parts: readonly CompactPart[], fields: number): void {
  const height = /^\d+$/.exec(element.getAttribute('height') ?? '')?.[0];
  const count = Math.max(1, readNames(element).length + Number(readConfig(element) !== ''));
  FIELD_ROOM.forEach((_, step) => {
    const usual = estimateHeight(parts, count, fields, readPage(element) !== undefined, step);
    const room = height === undefined ? usual : Math.max(Number(height), step === 0 ? 0 : usual);
    place.style.setProperty(`--room-${step}`, `${room}px`);
  });
}

const toErrorDetail = ({ error: { code, field, message } }: Refusal): LedgerErrorDetail => ({ code, field, message });

/** The language of the element or of the surrounding page. English if none is set or if it is invalid. */
function readLanguage(element: HTMLElement): string {
  const said = element.closest<HTMLElement>('[lang]')?.lang ?? '';
  try {
    return Intl.getCanonicalLocales(said)[0] ?? 'en';
  } catch {
    return 'en'; // not a valid language
  }
}

/** The height in pixels to reserve at one of the widths in style.css; `step` is its index. */
function estimateHeight(parts: readonly CompactPart[], models: number, fields: number, link: boolean, step: number): number {
  const { compares, alone } = arrangeParts(parts, models);
  const each = alone.reduce((sum, part) => sum + ROOM[part][step], 0);
  const few = fields > 0 ? fields * FIELD_ROOM[step] + FIELDS_ROOM[step] : 0;
  return PADDING + (compares ? ROOM.compare[step] : 0) + models * each + few + (link ? LINK_ROOM : 0);
}

/** The colour scheme that the surrounding page declares. If it declares both, the user's preference; if it declares none, light. */
function findThemeAround(element: Element): CompactTheme {
  const scheme = getComputedStyle(element).colorScheme;
  if (!scheme.includes('dark')) return 'light';
  return scheme.includes('light') && !matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark';
}

/**
 * The models to count or the exercise to show, as text. The widget starts again only if this text changes or if the last attempt threw an
 * error. An exercise also starts again in another language.
 */
function readSource(element: Widget): string {
  return `${element.view === EXERCISE ? readLanguage(element) : ''}\n${element.model}\n${readConfig(element)}`;
}

/**
 * The element's configuration, from the property, the attribute or a child; empty if there is none. If the property is invalid, the error.
 */
function readConfig({ config, children }: Widget): string | InputError {
  if (typeof config === 'string') return config;
  if (config) return stringifyOrExplain(config);
  const script = [...children].find((child) => child.localName === 'script' && child.getAttribute('type') === 'application/json');
  return script?.textContent ?? '';
}

function stringifyOrExplain(config: object): string | InputError {
  try {
    return stringifyConfig(config);
  } catch (error) {
    return error as InputError;
  }
}

const readNames = ({ model }: Widget) => model.split(/\s+/).filter(Boolean);

async function resolveEntries(element: Widget, counter: LazyCounter): Promise<readonly Entry[]> {
  const config = readConfig(element);
  if (config instanceof InputError) throw config;
  const names = readNames(element);
  if (config === '' && names.length === 0) throw new ModelNotFoundError(compactTexts.noModel);
  if (config !== '') await counter.ensureTypes(config);
  const published = await Promise.all(names.map((name) => resolveName(name, counter)));
  return config === '' ? published : [{ text: config, title: element.title || undefined }, ...published];
}

/**
 * Parses a name such as `gpt2&n_layer=24`: a published model or a model type, with edits as in links. A model may also be written as in a
 * link.
 */
function parseName(name: string): ModelLink {
  const [link] = parseHash(/^[mtc]=/.test(name) ? name : `m=${name}`)?.models ?? [];
  if (!link) throw new ModelNotFoundError(compactTexts.unknownModel(name));
  return link;
}

/** Resolves a name. Published models take precedence over model types. */
async function resolveName(name: string, counter: LazyCounter): Promise<Entry> {
  const link = parseName(name);
  if (link.kind !== 'model' || (await findModelBase(link.id))) return resolveLink(link, counter);
  await counter.ensureTypes(minimalConfig(link.id));
  if (!counter.catalog().families.some(({ model_type }) => model_type === link.id))
    throw new ModelNotFoundError(compactTexts.unknownModel(link.id));
  return resolveLink({ ...link, kind: 'type' }, counter);
}

/** The address of the full page, from the element or from the build, without a fragment. Undefined if there is no valid HTTP address. */
function readPage({ page }: Widget): string | undefined {
  const address = page || home;
  if (!address) return undefined;
  try {
    const { href, protocol } = new URL(address, document.baseURI);
    return /^https?:$/.test(protocol) ? href.replace(/#.*/, '') : undefined;
  } catch {
    return undefined;
  }
}
