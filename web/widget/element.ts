// The widget: `<param-ledger model="meta-llama/Llama-3.1-8B">what is shown without scripts</param-ledger>`. It is quiet on the page that it
// stands on: all of it is in a shadow root, nothing is global, and nothing is asked for before it comes near to being seen.

import type { Answer } from '../types/index.ts';
import type { LedgerAnswerDetail, LedgerErrorDetail } from './event-details.ts';

/** What is drawn and counted comes when it is first wanted, so that this file can be imported where there is no document. */
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

/** How far from being seen a widget starts. */
const NEAR = '400px';

const ATTRIBUTES = ['model', 'config', 'view', 'editable', 'theme', 'lang', 'page', 'height'] as const;

// Where pages are rendered without a browser there is no such class, and importing must not fail.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

/** The custom element; `param-ledger/define` registers it. */
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

  /** Published models by their names on the Hub, or model types; several with spaces between. Fields may be changed as links do it: `gpt2&n_layer=24`. */
  get model(): string {
    return this.getAttribute('model') ?? '';
  }
  set model(names: string | null) {
    this.#reflect('model', names);
  }

  /** A configuration in place of a model: the text of a config.json, or the object. */
  get config(): string | object | null {
    return this.#config ?? this.getAttribute('config');
  }
  set config(config: string | object | null) {
    this.#config = config ?? undefined;
    this.#changed();
  }

  /** What is shown: any of total, parts, compare, formula, derivation, devices and table, with spaces between; `devices:8x2x8` for another plan. */
  get view(): string {
    return this.getAttribute('view') ?? '';
  }
  set view(parts: string | null) {
    this.#reflect('view', parts);
  }

  /** The fields that the reader may change, each with its bounds where there are any: `num_hidden_layers:1-80 hidden_size`. */
  get editable(): string {
    return this.getAttribute('editable') ?? '';
  }
  set editable(fields: string | null) {
    this.#reflect('editable', fields);
  }

  /** `light` or `dark`; else as the page around it declares its `color-scheme`. */
  get theme(): string {
    return this.getAttribute('theme') ?? '';
  }
  set theme(theme: string | null) {
    this.#reflect('theme', theme);
  }

  /** Where the whole page stands, to which the widget then links with what it shows. */
  get page(): string {
    return this.getAttribute('page') ?? '';
  }
  set page(address: string | null) {
    this.#reflect('page', address);
  }

  /** Pixels that are kept before it has counted, so that nothing moves. */
  get height(): string {
    return this.getAttribute('height') ?? '';
  }
  set height(pixels: string | number | null) {
    this.#reflect('height', pixels);
  }

  /** The last answer to the first model. */
  get answer(): Answer | undefined {
    return this.#shown?.answers[0];
  }

  /** The last answers, one to each model. */
  get answers(): readonly Answer[] {
    return this.#shown?.answers ?? [];
  }

  /** Without a value the attribute goes. */
  #reflect(name: string, value: string | number | null | undefined): void {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }

  #start(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    void this.#shown?.start();
  }

  /** Several attributes that change at once are one change. */
  #changed(): void {
    if (this.#pending || !this.#shown) return;
    this.#pending = true;
    queueMicrotask(() => {
      this.#pending = false;
      this.#shown?.changed();
    });
  }

  /** What was set before the element was defined hides the property of the class. */
  #upgrade(name: 'model' | 'config' | 'view' | 'editable' | 'theme' | 'page' | 'height'): void {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete (this as Partial<Record<typeof name, unknown>>)[name];
    (this as Record<typeof name, unknown>)[name] = value;
  }
}
