// The ledger: starts the core once and reads its answers (raw.ts) into what types.ts promises. What only few readers want is made when
// they read it.

import verified from 'verified';
import { configBytes, Unreadable } from './config-bytes.ts';
import { startCore, type Question } from './core.ts';
import { filesOf, readingOf, readRequest, type RawReading } from './inputs/request.ts';
import { formulaOf, formulaText } from './formula.ts';
import { memoryAnswer, memoryRequest } from './memory.ts';
import type { RawAnswer, RawCatalog, RawCount, RawField, RawFormula, RawMemory, RawSymbol, RawTensor } from './raw.ts';
import type {
  Answer,
  ArticleAnswer,
  Catalog,
  Check,
  ClosedFormula,
  Comparison,
  Count,
  CountAnswer,
  ErrorCode,
  FieldRow,
  FieldSource,
  Formula,
  KnownField,
  Ledger,
  LoadOptions,
  Reading,
  Refusal,
  SearchAnswer,
  SymbolRow,
  TensorKind,
  TensorRow,
  Totals,
  TotalsAnswer,
} from './types.ts';

let ledger: Promise<Ledger> | undefined;

/** Starts the core once per document or process; later calls return the same promise. */
export function load(options: LoadOptions = {}): Promise<Ledger> {
  ledger ??= start(options).catch((error: unknown) => {
    ledger = undefined; // so that a later call tries again, e.g. when the network is back
    throw error;
  });
  return ledger;
}

async function start({ wasm }: LoadOptions): Promise<Ledger> {
  const core = await startCore(await wasm);
  // Every answer is read with it; and after a trap the core could not be asked.
  const catalog = known(JSON.parse(core.catalog()) as RawCatalog);
  /** What the core answers to one of its questions about a configuration. */
  const asked = <Raw>(question: Question, input: () => unknown): Raw | Refusal => {
    let bytes: Uint8Array;
    try {
      bytes = configBytes(input());
    } catch (error) {
      if (error instanceof Unreadable) return refusal(error.code, error.field, error.message);
      throw error;
    }
    const reply = core.ask(question, bytes);
    return 'text' in reply ? (JSON.parse(reply.text) as Raw) : refusal('internal', '', reply.failure);
  };
  const read = (input: Parameters<Ledger['read']>[0], config: unknown): Reading => {
    let beside: Uint8Array | undefined;
    try {
      beside = config === undefined ? undefined : configBytes(config);
    } catch (error) {
      if (error instanceof Unreadable) return refusal(error.code, error.field, error.message);
      throw error;
    }
    const files = filesOf(input);
    const reply = core.ask('read', readRequest(files, beside));
    return 'text' in reply ? readingOf(JSON.parse(reply.text) as RawReading, files) : refusal('internal', '', reply.failure);
  };
  /** What the core answers to a request around a text that must be JSON: a configuration, an article. */
  const askedWith = <Raw>(question: Question, members: object, text: unknown, name = 'config'): Raw | Refusal => {
    // Alone first: what is no JSON must not reach into the request around it, and its error has a place in its own text.
    const alone = asked<TotalsAnswer>('totals', () => text);
    if (!alone.ok && (alone.error.line !== undefined || alone.error.code === 'wrong_type')) return alone;
    const begin = JSON.stringify(members).slice(0, -1);
    return asked(question, () => `${begin}${begin.length > 1 ? ',' : ''}"${name}":${new TextDecoder().decode(configBytes(text))}}`);
  };
  const made: Ledger = {
    count: (config) => decoded(asked<RawAnswer>('count', () => config), catalog),
    totals: (config) => asked<TotalsAnswer>('totals', () => config),
    memory(config, options = {}) {
      const raw = asked<RawMemory>('memory', () => memoryRequest(config, options));
      return raw.ok ? memoryAnswer(raw) : raw;
    },
    read: (input, { config } = {}) => read(input, config),
    check: (config, claim) => askedWith<Check>('check', { claim }, config),
    article: (article) => askedWith<ArticleAnswer>('article', {}, article, 'article'),
    search: (config, { budget, ...request }) => askedWith<SearchAnswer>('search', { ...request, budget }, config),
    searchOn: (budget) => asked<SearchAnswer>('search_step', () => ({ budget })),
    compare(configs) {
      // Alone first: what is no JSON must not reach into the request around it.
      const alone = configs.map((config) => asked<TotalsAnswer>('totals', () => config));
      const counted = configs.map((config, i) => (alone[i].ok ? new TextDecoder().decode(configBytes(config)) : 'null'));
      const raw = asked<Comparison>('compare', () => `{"configs":[${counted.join()}]}`);
      return raw.ok ? { ...raw, models: raw.models.map((model, i) => (alone[i].ok ? model : alone[i])) } : raw;
    },
    catalog: () => catalog,
  };
  programs.set(made, core.program);
  return made;
}

const programs = new WeakMap<Ledger, WebAssembly.Module>();

/** What a worker can start a core of its own from. */
export const programOf = (of: Ledger) => programs.get(of);

/** The core's catalogue with what the tests compare. */
function known({ families, ...rest }: RawCatalog): Catalog {
  const withVerified = families.map((family) => {
    const [cases, models] = verified[family.model_type];
    return { ...family, verified: { cases: Object.fromEntries(family.architectures.map((name, i) => [name, cases[i]])), models } };
  });
  return { ...rest, families: withVerified };
}

const refusal = (code: ErrorCode, field: string, message: string): Refusal => ({ ok: false, error: { code, field, message } });

/** The core's answer with what the catalogue knows of its fields. */
export function decoded(raw: RawAnswer, catalog: Catalog): Answer {
  return raw.ok ? new Counted(raw, catalog) : raw;
}

class Counted implements CountAnswer {
  readonly ok = true;
  readonly version = PARAM_LEDGER_VERSION;
  readonly model_type: string;
  readonly architecture: string;
  readonly architectures: readonly string[];
  readonly totals: Totals;
  readonly definitions: CountAnswer['definitions'];
  readonly parts: CountAnswer['parts'];
  readonly tensors: readonly TensorRow[];
  readonly fields: readonly FieldRow[];
  readonly symbols: readonly SymbolRow[];
  readonly formula: ClosedFormula;
  readonly notes: CountAnswer['notes'];

  constructor(raw: RawCount, catalog: Catalog) {
    this.model_type = raw.model_type;
    this.architecture = raw.architecture;
    this.architectures = catalog.families.find(({ model_type }) => model_type === raw.model_type)?.architectures ?? [];
    this.totals = raw.totals;
    this.definitions = catalog.definitions;
    this.parts = raw.parts;
    const symbols: SymbolRow[] = (this.symbols = []);
    for (const row of raw.symbols) symbols.push(new NamedValue(row, catalog, symbols));
    this.tensors = raw.tensors.map((row) => new Tensor(row, symbols));
    const ownSymbols = new Map(raw.symbols.map(({ name, symbol }) => [name, symbol]));
    this.fields = raw.fields.map((row) => new Field(row, catalog, ownSymbols.get(row.name), symbols));
    this.formula = new WholeFormula(raw.formula, symbols);
    this.notes = raw.notes;
  }
}

/** What the catalogue knows of a field, in whatever section it stands. */
const knownOf = ({ fields }: Catalog, name: string): KnownField | undefined => {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(fields, last) ? fields[last] : undefined;
};

/** A formula and its texts, made when they are read. */
class Lazy {
  readonly #text: RawFormula;
  readonly #symbols: readonly SymbolRow[];

  constructor(text: RawFormula, symbols: readonly SymbolRow[]) {
    this.#text = text;
    this.#symbols = symbols;
  }
  get tree(): Formula {
    return formulaOf(this.#text);
  }
  written(writing: 'names' | 'symbols' | 'numbers', compact = false): string {
    return formulaText(this.tree, this.#symbols, { writing, compact });
  }
}

class Tensor implements TensorRow {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly kind: TensorKind;
  declare readonly tied_to?: string;
  readonly copies: Count;
  readonly elements: Count;
  readonly total: Count;
  readonly active: Count;
  readonly part: string;
  readonly role: string;
  declare readonly reason?: string;
  readonly #formula: Lazy;

  constructor(raw: RawTensor, symbols: readonly SymbolRow[]) {
    this.name = raw.name;
    this.shape = raw.shape;
    this.kind = raw.kind ?? 'parameter';
    if (raw.tied_to !== undefined) this.tied_to = raw.tied_to;
    this.copies = raw.copies ?? '1';
    this.elements = raw.elements ?? raw.total;
    this.total = raw.total;
    this.active = raw.active ?? raw.total;
    this.part = raw.part;
    this.role = raw.role;
    if (raw.reason !== undefined) this.reason = raw.reason;
    this.#formula = new Lazy(raw.math, symbols);
  }
  get math() {
    return this.#formula.tree;
  }
  get formula() {
    return this.#formula.written('names');
  }
  get substitution() {
    return this.#formula.written('numbers');
  }
  toJSON() {
    return { ...this, formula: this.formula, substitution: this.substitution, math: this.math };
  }
}

/** Why a field is ignored, where no other reason is told. */
const NO_TENSOR = 'Does not change any tensor of this model.';

class Field implements FieldRow {
  readonly name: string;
  declare readonly value?: unknown;
  readonly source: FieldSource;
  declare readonly type?: FieldRow['type'];
  declare readonly default?: unknown;
  declare readonly nullable?: boolean;
  declare readonly choices?: readonly string[];
  declare readonly given_as?: string;
  declare readonly reason?: string;
  declare readonly meaning?: string;
  declare readonly group?: string;
  declare readonly symbol?: string;
  declare readonly step?: number;
  declare readonly headline?: boolean;
  readonly #formula: Lazy | undefined;

  constructor(raw: RawField, catalog: Catalog, symbol: string | undefined, symbols: readonly SymbolRow[]) {
    const { math, ...row } = raw;
    this.name = raw.name;
    this.source = raw.source ?? 'given';
    this.#formula = math === undefined ? undefined : new Lazy(math, symbols);
    if (this.source === 'ignored') {
      Object.assign(this, row, { reason: raw.reason ?? NO_TENSOR });
      return;
    }
    const known = knownOf(catalog, raw.name);
    Object.assign(this, row, { source: this.source, type: raw.type ?? 'integer' });
    Object.assign(this, known);
    if (symbol !== undefined) this.symbol = symbol; // a section may have one of its own
  }
  get math() {
    return this.#formula?.tree;
  }
  get formula() {
    return this.#formula?.written('names');
  }
  toJSON() {
    return this.#formula ? { ...this, formula: this.formula, math: this.math } : { ...this };
  }
}

class NamedValue implements SymbolRow {
  readonly name: string;
  readonly symbol: string;
  readonly value: Count;
  readonly meaning: string;
  readonly field: boolean;
  readonly #formula: Lazy | undefined;

  constructor(raw: RawSymbol, catalog: Catalog, symbols: readonly SymbolRow[]) {
    this.name = raw.name;
    this.symbol = raw.symbol;
    this.value = raw.value;
    this.field = raw.field ?? true;
    this.meaning = raw.meaning ?? knownOf(catalog, raw.name)?.meaning ?? '';
    this.#formula = raw.math === undefined ? undefined : new Lazy(raw.math, symbols);
  }
  get math() {
    return this.#formula?.tree;
  }
  get formula() {
    return this.#formula?.written('names');
  }
  toJSON() {
    return this.#formula ? { ...this, formula: this.formula, math: this.math } : { ...this };
  }
}

class WholeFormula implements ClosedFormula {
  readonly value: Count;
  readonly #formula: Lazy;

  constructor({ math, value }: RawCount['formula'], symbols: readonly SymbolRow[]) {
    this.value = value;
    this.#formula = new Lazy(math, symbols);
  }
  get math() {
    return this.#formula.tree;
  }
  get symbols() {
    return this.#formula.written('symbols', true);
  }
  get substitution() {
    return this.#formula.written('numbers', true);
  }
  toJSON() {
    return { math: this.math, value: this.value, symbols: this.symbols, substitution: this.substitution };
  }
}
