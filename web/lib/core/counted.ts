// The core's answer (raw.ts) as types.ts promises it. What only few readers want is made when they read it.

import { formulaOf, formulaText } from '../answer/formula.ts';
import { version } from '../told.ts';
import type {
  Answer,
  ClosedFormula,
  Count,
  CountAnswer,
  FieldRow,
  FieldSource,
  Formula,
  KnownField,
  Listing,
  SymbolRow,
  TensorKind,
  TensorRow,
  Totals,
} from '../types.ts';
import type { RawAnswer, RawField, RawFormula, RawHead, RawIgnored, RawLines, RawSymbol, RawTensor } from './raw.ts';

/** The core's answer with what the catalogue knows of its fields. */
export function decoded(text: string, catalog: Listing): Answer {
  const [first, ...lines] = text.split('\n');
  const head = JSON.parse(first) as RawAnswer;
  return head.ok ? new Counted(head, lines, catalog) : head;
}

/** The lines after the first. */
const LINES = ['tensors', 'fields', 'ignored', 'symbols', 'reasons', 'notes'] as const;

/** One answer. Its lists are read from their lines when somebody asks for them: who wants a sum waits for no rows. */
class Counted implements CountAnswer {
  readonly ok = true;
  readonly version = version;
  readonly model_type: string;
  readonly architecture: string;
  readonly totals: Totals;
  readonly parts: CountAnswer['parts'];
  readonly #formula: RawHead['formula'];
  readonly #lines: readonly string[];
  readonly #catalog: Listing;
  #tensors?: readonly TensorRow[];
  #fields?: readonly FieldRow[];
  #symbols?: readonly SymbolRow[];
  #whole?: ClosedFormula;
  #notes?: CountAnswer['notes'];

  constructor({ model_type, architecture, totals, parts, formula }: RawHead, lines: readonly string[], catalog: Listing) {
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
    return symbolsOf(this.#read('symbols'), this.#catalog);
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
const knownOf = ({ fields }: Listing, name: string): KnownField | undefined => {
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

  constructor(raw: RawTensor, catalog: Listing, reasons: readonly string[], symbols: readonly SymbolRow[]) {
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

  constructor(raw: RawField, catalog: Listing, symbol: string | undefined, symbols: readonly SymbolRow[]) {
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

/** The names of formulas, in the order of the numbers that formulas call them by. */
export function symbolsOf(rows: readonly RawSymbol[], catalog: Listing): readonly SymbolRow[] {
  const symbols: SymbolRow[] = [];
  for (const row of rows) symbols.push(new NamedValue(row, catalog, symbols));
  return symbols;
}

class NamedValue implements SymbolRow {
  readonly name: string;
  readonly symbol: string;
  readonly value: Count;
  readonly meaning: string;
  readonly field: boolean;
  readonly #formula: Lazy | undefined;

  constructor([name, symbol, value, meaning, math]: RawSymbol, catalog: Listing, symbols: readonly SymbolRow[]) {
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
