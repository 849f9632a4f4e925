// Decodes the core's answer (raw.ts) into the public types. Tensors, fields, symbols, notes and formulas are decoded only when they are
// read, because most callers do not need them.

import { parseFormula, formatFormula, type Writing } from '../answer/formula.ts';
import { withNumbers } from '../support/numbers.ts';
import { version } from '../support/build-info.ts';
import type { Answer, ClosedFormula, CountAnswer, FieldRow, Formula, KnownField, Listing, SymbolRow, TensorRow } from '../types/index.ts';
import { attachSource, lazyProperty, createSource, type Source } from './lazy-properties.ts';
import type { RawAnswer, RawField, RawFormula, RawHead, RawIgnored, RawLines, RawSymbol, RawTensor } from './raw.ts';

/** The catalogue, with the classes of each model type indexed for decoding. */
export interface CatalogIndex extends Listing {
  readonly architecturesOf: ReadonlyMap<string, readonly string[]>;
}

export const indexCatalog = (listing: Listing): CatalogIndex => ({
  ...listing,
  architecturesOf: new Map(listing.families.map(({ model_type, architectures }) => [model_type, architectures])),
});

/** Decodes the core's answer, and adds the meanings of its fields from the catalogue. */
export function decodeCount(text: string, known: CatalogIndex): Answer {
  const [first, ...lines] = text.split('\n');
  const head = JSON.parse(withNumbers(first)) as RawAnswer;
  if (!head.ok) return head;
  const { model_type, architecture, totals, parts, formula } = head;
  const answer = {
    ok: true,
    version,
    model_type,
    architecture,
    architectures: known.architecturesOf.get(model_type) ?? [],
    totals,
    definitions: known.definitions,
    parts,
  };
  Object.defineProperty(answer, 'tensors', TENSORS);
  Object.defineProperty(answer, 'fields', FIELDS);
  Object.defineProperty(answer, 'symbols', SYMBOLS);
  Object.defineProperty(answer, 'formula', FORMULA);
  Object.defineProperty(answer, 'notes', NOTES);
  attachSource(answer, createSource(new Lines(lines, formula, known)));
  return answer as unknown as CountAnswer;
}

/** What the lines of an answer after the first one contain, in order. */
const LINES = ['tensors', 'fields', 'ignored', 'symbols', 'reasons', 'notes'] as const;

/** The lists of an answer. Each is parsed from its line only when it is read, so that callers that need only the totals do not wait. */
class Lines {
  readonly #lines: readonly string[];
  readonly #formula: RawHead['formula'];
  readonly #known: CatalogIndex;
  #tensors?: readonly TensorRow[];
  #fields?: readonly FieldRow[];
  #whole?: ClosedFormula;
  #reasons?: readonly string[];
  /** The source of the lazy formulas: the symbols that they refer to. */
  #source?: Source<readonly SymbolRow[]>;

  constructor(lines: readonly string[], formula: RawHead['formula'], known: CatalogIndex) {
    this.#lines = lines;
    this.#formula = formula;
    this.#known = known;
  }

  get tensors() {
    return (this.#tensors ??= this.#read('tensors').map((row) => decodeTensor(row, this.#known, this.reasons, this.source)));
  }
  get fields() {
    return (this.#fields ??= this.#readFields());
  }
  get symbols() {
    return this.source.from;
  }
  get formula() {
    return (this.#whole ??= decodeClosedFormula(this.#formula, this.source));
  }
  get notes() {
    return this.#read('notes'); // parsed each time, because a caller may modify the list
  }
  get reasons() {
    return (this.#reasons ??= this.#read('reasons'));
  }
  get source() {
    return (this.#source ??= decodeSymbols(this.#read('symbols'), this.#known));
  }

  #read<Name extends keyof RawLines>(name: Name): RawLines[Name] {
    return JSON.parse(withNumbers(this.#lines[LINES.indexOf(name)])) as RawLines[Name];
  }
  #readFields() {
    const own = new Map(this.symbols.map(({ name, symbol }) => [name, symbol]));
    return [
      ...this.#read('fields').map((row) => decodeField(row, this.#known, own.get(row.name), this.source)),
      ...this.#read('ignored').map((row) => decodeIgnored(row, this.reasons)),
    ];
  }
}

const TENSORS = lazyProperty((lines: Lines) => lines.tensors);
const FIELDS = lazyProperty((lines: Lines) => lines.fields);
const SYMBOLS = lazyProperty((lines: Lines) => lines.symbols);
const FORMULA = lazyProperty((lines: Lines) => lines.formula);
const NOTES = lazyProperty((lines: Lines) => lines.notes);

/** A lazy property that formats the formula of its object as text. */
const lazyFormula = (writing: Writing, compact = false) =>
  lazyProperty((symbols: readonly SymbolRow[], { math }: { readonly math: Formula }) => formatFormula(math, symbols, { writing, compact }));
const IN_NAMES = lazyFormula('names');
const IN_NUMBERS = lazyFormula('numbers');
const IN_SYMBOLS = lazyFormula('symbols', true);
const IN_NUMBERS_COMPACT = lazyFormula('numbers', true);

type RowSource = Source<readonly SymbolRow[]>;

function decodeTensor(raw: RawTensor, { parts, roles }: CatalogIndex, reasons: readonly string[], source: RowSource): TensorRow {
  const [name, shape, part, role, total, math, copies, elements, active, kind = 'parameter', about] = raw;
  const row: Mutable<Partial<TensorRow>> = { name, shape, kind };
  if (typeof about === 'string') row.tied_to = about;
  row.copies = copies ?? '1';
  row.elements = elements ?? total;
  row.total = total;
  row.active = active ?? total;
  row.part = parts[part];
  row.role = roles[role];
  if (typeof about === 'number') row.reason = reasons[about];
  Object.defineProperty(row, 'formula', IN_NAMES);
  Object.defineProperty(row, 'substitution', IN_NUMBERS);
  row.math = parseFormula(math);
  attachSource(row, source);
  return row as TensorRow;
}

type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

/** The reason for ignored fields if the core gives no other one. */
const NO_TENSOR = 'No tensor’s shape depends on this field.';

const decodeIgnored = ([name, value, reason]: RawIgnored, reasons: readonly string[]): FieldRow => ({
  name,
  source: 'ignored',
  value,
  reason: reason === undefined ? NO_TENSOR : reasons[reason],
});

/** Converts the parsed object to the row in place, which is safe because nothing else refers to it. */
function decodeField(raw: RawField, { fields }: CatalogIndex, symbol: string | undefined, source: RowSource): FieldRow {
  const row = raw as Mutable<Partial<FieldRow>>;
  row.source ??= 'given';
  row.type ??= 'integer';
  Object.assign(row, findKnownField(fields, raw.name));
  if (symbol !== undefined) row.symbol = symbol; // may differ from the catalogue's symbol, for example by the subscript of a section
  if (raw.math !== undefined) addFormula(row, raw.math, source);
  return row as FieldRow;
}

/** The symbols, in the order of the indices by which formulas refer to them. */
export function decodeSymbols(rows: readonly RawSymbol[], known: Pick<CatalogIndex, 'fields'>): RowSource {
  const symbols: SymbolRow[] = [];
  const source = createSource<readonly SymbolRow[]>(symbols);
  for (const row of rows) symbols.push(decodeSymbol(row, known, source));
  return source;
}

function decodeSymbol(
  [name, symbol, value, meaning, math]: RawSymbol,
  { fields }: Pick<CatalogIndex, 'fields'>,
  source: RowSource,
): SymbolRow {
  const isField = typeof meaning !== 'string';
  const row: SymbolRow = { name, symbol, value, meaning: meaning ?? findKnownField(fields, name)?.meaning ?? '', field: isField };
  if (math !== undefined) addFormula(row, math, source);
  return row;
}

/** The catalogue's entry for a field, whatever section the field is in. */
function findKnownField(fields: CatalogIndex['fields'], name: string): KnownField | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(fields, last) ? fields[last] : undefined;
}

function addFormula(row: { math?: Formula }, math: RawFormula, source: RowSource): void {
  row.math = parseFormula(math);
  Object.defineProperty(row, 'formula', IN_NAMES);
  attachSource(row, source);
}

function decodeClosedFormula({ math, value }: RawHead['formula'], source: RowSource): ClosedFormula {
  const whole = { math: parseFormula(math), value };
  Object.defineProperty(whole, 'symbols', IN_SYMBOLS);
  Object.defineProperty(whole, 'substitution', IN_NUMBERS_COMPACT);
  attachSource(whole, source);
  return whole as ClosedFormula;
}
