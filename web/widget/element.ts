// The widget: `<param-ledger model="meta-llama/Llama-3.1-8B">shown without scripts</param-ledger>`. It does not affect the surrounding
// page: it draws in a shadow root, sets no globals, and loads no program or catalogue until it is nearly visible.

import type { Answer } from '../types/index.ts';
import type { LedgerAnswerDetail, LedgerErrorDetail } from './event-details.ts';

/**
 * Importing the drawing code does not access a document, so this file can be imported without one. The programs and the catalogue are
 * loaded on demand.
 */
import type { Display } from './display.ts';
import { createDisplay } from './display.ts';

export type { LedgerAnswerDetail, LedgerErrorDetail };

declare global {
  interface HTMLElementTagNameMap {
    'param-ledger': ParamLedgerElement;
  }
  interface HTMLElementEventMap {
    'ledger-answer': CustomEvent<LedgerAnswerDetail>;
    'ledger-error': CustomEvent<LedgerErrorDetail>;
  }
}

/** The distance outside the viewport at which a widget starts to load. */
const NEAR = '400px';

const ATTRIBUTES = ['model', 'config', 'view', 'editable', 'theme', 'lang', 'page', 'height'] as const;

// With server-side rendering there is no HTMLElement, but importing this file must not fail.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

/**
 * The exact parameter count of a language model, with its parts, formula and tensors. The element's children are shown until the count is
 * ready, and if it fails. Importing `param-ledger/define` registers the element.
 * @tagname param-ledger
 * @attr {string} lang - The language in which numbers are written. Sentences are in English.
 * @fires {CustomEvent<LedgerAnswerDetail>} ledger-answer - The models were counted, for the first time or after a change.
 * @fires {CustomEvent<LedgerErrorDetail>} ledger-error - A model could not be counted. `detail.message` says why. `detail.code` and
 * `detail.field` are those of a refusal; the code may also be `unknown_model` or `not_loaded`.
 * @slot - Shown until the count is ready, and if it fails.
 * @csspart answer - The whole answer.
 * @csspart total - The model's name and its parameter count.
 * @csspart name - The model's name.
 * @csspart number - The parameter count.
 * @csspart warnings - Warnings about the configuration.
 * @csspart parts - The picture of the parts and their breakdown.
 * @csspart compare - Models side by side.
 * @csspart formula - The closed formula and its symbols.
 * @csspart derivation - The count step by step. Each step can be opened to see its tensors.
 * @csspart devices - What each of several devices holds.
 * @csspart table - Every tensor.
 * @csspart link - The link to the full page.
 * @csspart fallback - The children, while they are shown.
 * @csspart reason - The line below the children that says why nothing was counted.
 * @cssprop --param-ledger-font - The typeface; by default that of the surrounding page.
 * @cssprop --param-ledger-ink - The colour of text.
 * @cssprop --param-ledger-paper - The background.
 * @cssprop --param-ledger-muted - The colour of secondary text.
 * @cssprop --param-ledger-rule - The colour of lines.
 * @cssprop --param-ledger-accent - The colour of controls.
 */
export class ParamLedgerElement extends Base {
  static readonly observedAttributes: readonly string[] = ATTRIBUTES;

  #shown: Display | undefined;
  #config: string | object | undefined;
  #observer: IntersectionObserver | undefined;
  #pending = false;

  constructor() {
    super();
    if (!this.shadowRoot) this.attachShadow({ mode: 'open' });
  }

  connectedCallback(): void {
    for (const name of ['model', 'config', 'view', 'editable', 'theme', 'page', 'height'] as const) this.#upgrade(name);
    this.#shown ??= createDisplay(this, this.shadowRoot as ShadowRoot);
    if (this.#shown.started) return this.#changed();
    if (typeof IntersectionObserver === 'undefined') return this.#start();
    this.#observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.#start(), {
      rootMargin: NEAR,
    });
    this.#observer.observe(this);
  }

  disconnectedCallback(): void {
    this.#observer?.disconnect();
  }

  attributeChangedCallback(): void {
    this.#changed();
  }

  /**
   * Published models by their names on the Hub, or model types, separated by spaces. Fields can be changed as in links: `gpt2&n_layer=24`.
   * @attr
   * @reflect
   */
  get model(): string {
    return this.getAttribute('model') ?? '';
  }
  set model(names: string | null) {
    this.#reflect('model', names);
  }

  /**
   * A configuration to count, before any published models: the text of a config.json, or the object. Alternatively, put the text into a
   * child `<script type="application/json">`.
   * @attr
   */
  get config(): string | object | null {
    return this.#config ?? this.getAttribute('config');
  }
  set config(config: string | object | null) {
    this.#config = config ?? undefined;
    this.#changed();
  }

  /**
   * What is shown: any of total, parts, compare, formula, derivation, devices and table, separated by spaces. `devices:8x2x8` selects
   * another plan. `exercise` shows the set of exercises in `config` instead.
   * @attr
   * @reflect
   */
  get view(): string {
    return this.getAttribute('view') ?? '';
  }
  set view(parts: string | null) {
    this.#reflect('view', parts);
  }

  /**
   * The fields that the user may change, with optional bounds: `num_hidden_layers:1-80 hidden_size`.
   * @attr
   * @reflect
   */
  get editable(): string {
    return this.getAttribute('editable') ?? '';
  }
  set editable(fields: string | null) {
    this.#reflect('editable', fields);
  }

  /**
   * `light` or `dark`. The default is the `color-scheme` of the surrounding page.
   * @attr
   * @reflect
   */
  get theme(): string {
    return this.getAttribute('theme') ?? '';
  }
  set theme(theme: string | null) {
    this.#reflect('theme', theme);
  }

  /**
   * The address of the full page. The widget then shows a link that opens its models there.
   * @attr
   * @reflect
   */
  get page(): string {
    return this.getAttribute('page') ?? '';
  }
  set page(address: string | null) {
    this.#reflect('page', address);
  }

  /**
   * The height in pixels that is reserved for the answer, so that the page does not move when it appears.
   * @attr
   * @reflect
   */
  get height(): string {
    return this.getAttribute('height') ?? '';
  }
  set height(pixels: string | number | null) {
    this.#reflect('height', pixels);
  }

  /** The last answer for the first model. */
  get answer(): Answer | undefined {
    return this.#shown?.answers[0];
  }

  /** The last answers, one for each model. */
  get answers(): readonly Answer[] {
    return this.#shown?.answers ?? [];
  }

  /** Sets an attribute, or removes it if there is no value. */
  #reflect(name: string, value: string | number | null | undefined): void {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }

  #start(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    void this.#shown?.start();
  }

  /** Schedules one update for all attributes that change together. */
  #changed(): void {
    if (this.#pending || !this.#shown) return;
    this.#pending = true;
    queueMicrotask(() => {
      this.#pending = false;
      this.#shown?.changed();
    });
  }

  /** Sets a property again if it was set before the element was defined. Until then it hides the accessor of the class. */
  #upgrade(name: 'model' | 'config' | 'view' | 'editable' | 'theme' | 'page' | 'height'): void {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete (this as Partial<Record<typeof name, unknown>>)[name];
    (this as Record<typeof name, unknown>)[name] = value;
  }
}
