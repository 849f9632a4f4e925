// The ledger: starts the core once and reads its answers (raw.ts) into what types.ts promises. What only few readers want is made when
// they read it.

import verified from 'verified';
import { configBytes, requestBegin, Unreadable } from './config-bytes.ts';
import { startCore, type Question } from './core.ts';
import { filesOf, readingOf, readRequest, type RawReading } from '../inputs/request.ts';
import { formulaOf, formulaText } from '../answer/formula.ts';
import { memoryAnswer, memoryRequest } from './memory-answer.ts';
import type { RawAnswer, RawCatalog, RawField, RawFormula, RawHead, RawIgnored, RawLines, RawMemory, RawSymbol, RawTensor } from './raw.ts';
import type {
  Answer,
  ArticleAnswer,
  Catalog,
  Check,
  ClosedFormula,
  ModelComparison,
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
} from '../types.ts';

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
  /** What `parsed` makes of the core's answer to one of its questions. */
  const told = <A>(question: Question, input: () => unknown, parsed: (text: string) => A): A | Refusal => {
    const reply = core.ask(question, configBytes(input()));
    return 'text' in reply ? parsed(reply.text) : refusal('internal', '', reply.failure);
  };
  /** The same where the answer is one JSON text. */
  const asked = <Raw>(question: Question, input: () => unknown) => told(question, input, (text) => JSON.parse(text) as Raw | Refusal);
  const read = (input: Parameters<Ledger['read']>[0], config: unknown): Reading => {
    const beside = config === undefined ? undefined : configBytes(config);
    const files = filesOf(input);
    const reply = core.ask('read', ...readRequest(files, beside));
    return 'text' in reply ? readingOf(JSON.parse(reply.text) as RawReading, files) : refusal('internal', '', reply.failure);
  };
  /** What the core answers to a request around a text that must be JSON: a configuration, an article. */
  const askedWith = <Raw>(question: Question, members: object, text: unknown, name = 'config'): Raw | Refusal => {
    // Alone first: what is no JSON must not reach into the request around it, and its error has a place in its own text.
    const alone = asked<TotalsAnswer>('totals', () => text);
    if (!alone.ok && (alone.error.line !== undefined || alone.error.code === 'wrong_type')) return alone;
    return asked(question, () => `${requestBegin(members)}"${name}":${new TextDecoder().decode(configBytes(text))}}`);
  };
  const made = answering({
    count: (config) =>
      told(
        'count',
        () => config,
        (text) => decoded(text, catalog),
      ),
    totals: (config) => asked<TotalsAnswer>('totals', () => config),
    memory(config, options = {}) {
      const raw = asked<RawMemory>('memory', () => memoryRequest(config, options));
      return raw.ok ? memoryAnswer(raw) : raw;
    },
    read: (input, { config } = {}) => read(input, config),
    check: (config, claim) => askedWith<Check>('check', { claim }, config),
    article: (article) => askedWith<ArticleAnswer>('article', {}, article, 'article'),
    search: (config, request) => askedWith<SearchAnswer>('search', request, config),
    searchOn: (budget) => asked<SearchAnswer>('search_step', () => ({ budget })),
    compare(configs) {
      // Alone first: what is no JSON must not reach into the request around it.
      if (!Array.isArray(configs)) throw new Unreadable('wrong_type', '', 'What is compared is a list of configurations.');
      const alone = configs.map((config) => asked<TotalsAnswer>('totals', () => config));
      const counted = configs.map((config, i) => (alone[i].ok ? new TextDecoder().decode(configBytes(config)) : 'null'));
      const raw = asked<ModelComparison>('compare', () => `{"configs":[${counted.join()}]}`);
      return raw.ok ? { ...raw, models: raw.models.map((model, i) => (alone[i].ok ? model : alone[i])) } : raw;
    },
    catalog: () => catalog,
  });
  programs.set(made, core.program);
  return made;
}

/** The same ledger, which answers with a refusal whatever it is handed: types are erased, and callers write JavaScript. */
function answering(ledger: Ledger): Ledger {
  const guarded = ([name, ask]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]) => {
      try {
        return ask(...given);
      } catch (error) {
        if (error instanceof Unreadable) return refusal(error.code, error.field, error.message);
        return refusal('internal', '', `This cannot be answered: ${String(error)}`);
      }
    },
  ];
  return Object.fromEntries(Object.entries(ledger).map(guarded)) as Ledger;
}

/** Makes a ledger whose program only counts answer every question, by the whole program. */
export async function complete(ledger: Ledger, wasm: LoadOptions['wasm']): Promise<void> {
  const whole = await start({ wasm });
  Object.assign(ledger, whole);
  programs.set(ledger, programOf(whole) as WebAssembly.Module);
}

const programs = new WeakMap<Ledger, WebAssembly.Module>();

/** What a worker can start a core of its own from. */
export const programOf = (of: Ledger) => programs.get(of);

/** The core's catalogue with what the tests compare. */
function known({ families, ...rest }: RawCatalog): Catalog {
  const withVerified = families.map((family, i) => {
    const [cases, models] = verified[i];
    return { ...family, verified: { cases: Object.fromEntries(family.architectures.map((name, at) => [name, cases[at]])), models } };
  });
  return { ...rest, families: withVerified };
}

const refusal = (code: ErrorCode, field: string, message: string): Refusal => ({ ok: false, error: { code, field, message } });

/** The core's answer with what the catalogue knows of its fields. */
export function decoded(text: string, catalog: Catalog): Answer {
  const [first, ...lines] = text.split('\n');
  const head = JSON.parse(first) as RawAnswer;
  return head.ok ? new Counted(head, lines, catalog) : head;
}

/** The lines after the first. */
const LINES = ['tensors', 'fields', 'ignored', 'symbols', 'reasons', 'notes'] as const;

/** One answer. Its lists are read from their lines when somebody asks for them: who wants a sum waits for no rows. */
class Counted implements CountAnswer {
  readonly ok = true;
  readonly version = PARAM_LEDGER_VERSION;
  readonly model_type: string;
  readonly architecture: string;
  readonly totals: Totals;
  readonly parts: CountAnswer['parts'];
  readonly #formula: RawHead['formula'];
  readonly #lines: readonly string[];
  readonly #catalog: Catalog;
  #tensors?: readonly TensorRow[];
  #fields?: readonly FieldRow[];
  #symbols?: readonly SymbolRow[];
  #whole?: ClosedFormula;
  #notes?: CountAnswer['notes'];

  constructor({ model_type, architecture, totals, parts, formula }: RawHead, lines: readonly string[], catalog: Catalog) {
    this.model_type = model_type;
    this.architecture = architecture;
    this.totals = totals;
    this.parts = parts;
    this.#formula = formula;
    this.#lines = lines;
    this.#catalog = catalog;
  }

  get architectures() {
    return this.#catalog.families.find(({ model_type }) => model_type === this.model_type)?.architectures ?? [];
  }
  get definitions() {
    return this.#catalog.definitions;
  }
  get tensors() {
    return (this.#tensors ??= this.#readTensors());
  }
  get fields() {
    return (this.#fields ??= this.#readFields());
  }
  get symbols() {
    return (this.#symbols ??= this.#readSymbols());
  }
  get formula() {
    return (this.#whole ??= new WholeFormula(this.#formula, this.symbols));
  }
  get notes() {
    return (this.#notes ??= this.#read('notes'));
  }

  #read<Name extends keyof RawLines>(name: Name): RawLines[Name] {
    return JSON.parse(this.#lines[LINES.indexOf(name)]) as RawLines[Name];
  }
  get #reasons() {
    return this.#read('reasons');
  }
  #readTensors() {
    const { symbols } = this,
      reasons = this.#reasons;
    return this.#read('tensors').map((row) => new Tensor(row, this.#catalog, reasons, symbols));
  }
  #readSymbols() {
    const symbols: SymbolRow[] = [];
    for (const row of this.#read('symbols')) symbols.push(new NamedValue(row, this.#catalog, symbols));
    return symbols;
  }
  #readFields() {
    const { symbols } = this,
      reasons = this.#reasons;
    const own = new Map(symbols.map(({ name, symbol }) => [name, symbol]));
    return [
      ...this.#read('fields').map((row) => new Field(row, this.#catalog, own.get(row.name), symbols)),
      ...this.#read('ignored').map((row) => ignored(row, reasons)),
    ];
  }

  toJSON() {
    const { ok, version, model_type, architecture, architectures, totals, definitions, parts, tensors, fields, symbols, formula, notes } = this; // prettier-ignore
    return { ok, version, model_type, architecture, architectures, totals, definitions, parts, tensors, fields, symbols, formula, notes };
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

  constructor(raw: RawTensor, catalog: Catalog, reasons: readonly string[], symbols: readonly SymbolRow[]) {
    const [name, shape, part, role, total, math, copies, elements, active, kind, about] = raw;
    this.name = name;
    this.shape = shape;
    this.kind = kind ?? 'parameter';
    if (typeof about === 'string') this.tied_to = about;
    this.copies = copies ?? '1';
    this.elements = elements ?? total;
    this.total = total;
    this.active = active ?? total;
    this.part = catalog.parts[part];
    this.role = catalog.roles[role];
    if (typeof about === 'number') this.reason = reasons[about];
    this.#formula = new Lazy(math, symbols);
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

const ignored = ([name, value, reason]: RawIgnored, reasons: readonly string[]): FieldRow => ({
  name,
  source: 'ignored',
  value,
  reason: reason === undefined ? NO_TENSOR : reasons[reason],
});

class Field implements FieldRow {
  readonly name: string;
  declare readonly value?: unknown;
  readonly source: FieldSource;
  declare readonly type?: FieldRow['type'];
  declare readonly default?: unknown;
  declare readonly nullable?: boolean;
  declare readonly choices?: readonly string[];
  declare readonly given_as?: string;
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

  constructor([name, symbol, value, meaning, math]: RawSymbol, catalog: Catalog, symbols: readonly SymbolRow[]) {
    this.name = name;
    this.symbol = symbol;
    this.value = value;
    this.field = typeof meaning !== 'string';
    this.meaning = meaning ?? knownOf(catalog, name)?.meaning ?? '';
    this.#formula = math === undefined ? undefined : new Lazy(math, symbols);
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

  constructor({ math, value }: RawHead['formula'], symbols: readonly SymbolRow[]) {
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
