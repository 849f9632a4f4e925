// The ledger: starts the core once and reads its answers into what `types.ts` promises. Nothing else knows the core's own JSON.

import { configBytes, Unreadable } from './config-bytes.ts';
import { startCore } from './core.ts';
import { formulaText } from './formula.ts';
import type {
  Answer,
  Catalog,
  ClosedFormula,
  Count,
  CountAnswer,
  ErrorCode,
  FieldRow,
  Formula,
  Ledger,
  LoadOptions,
  Operation,
  Refusal,
  SymbolRow,
  TensorKind,
  TensorRow,
} from './types.ts';
import { asPageGuesses, type RawField } from './until-format-2.ts';

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
  let catalog: Catalog | undefined;
  return {
    count(config) {
      let bytes: Uint8Array;
      try {
        bytes = configBytes(config);
      } catch (error) {
        if (error instanceof Unreadable) return refusal(error.code, error.field, error.message);
        throw error;
      }
      const reply = core.count(bytes);
      return 'text' in reply ? decoded(JSON.parse(reply.text) as RawAnswer) : refusal('internal', '', reply.failure);
    },
    catalog: () => (catalog ??= JSON.parse(core.catalog()) as Catalog),
  };
}

const refusal = (code: ErrorCode, field: string, message: string): Refusal => ({ ok: false, error: { code, field, message } });

// --- The core's JSON -------------------------------------------------------------------------------------------------

type RawFormula = Count | { name: string } | [Operation, ...RawFormula[]];

interface RawTensor {
  name: string;
  shape: (number | Count)[];
  kind: TensorKind;
  tied_to?: string;
  copies: Count;
  elements: Count;
  total: Count;
  active: Count;
  part: string;
  math: RawFormula;
}

interface RawCount {
  ok: true;
  model_type: string;
  architecture: string;
  architectures: string[];
  totals: CountAnswer['totals'];
  definitions: Record<string, string>;
  parts: CountAnswer['parts'];
  tensors: RawTensor[];
  fields: RawField[];
  symbols: SymbolRow[];
  formula: { math: RawFormula; value: Count };
  notes: CountAnswer['notes'];
}

export type RawAnswer = RawCount | Refusal;

/** The answer as JavaScript reads it; what only few readers want is made when they read it. */
export function decoded(raw: RawAnswer): Answer {
  return asPageGuesses(raw.ok ? counted(raw) : raw);
}

function counted(raw: RawCount): CountAnswer {
  const { model_type, architecture, architectures, totals, definitions, parts, notes, symbols } = raw;
  const names = new Map(symbols.map(({ name }, index) => [name, index]));
  const tensors = raw.tensors.map((tensor) => new Tensor(tensor, symbols, names));
  const formula = new WholeFormula(raw.formula.math, raw.formula.value, symbols, names);
  const fields: FieldRow[] = raw.fields;
  return { ok: true, model_type, architecture, architectures, totals, definitions, parts, tensors, fields, symbols, formula, notes };
}

function treeOf(raw: RawFormula, names: ReadonlyMap<string, number>): Formula {
  if (typeof raw === 'string') return raw;
  if (!Array.isArray(raw)) return names.get(raw.name) ?? raw.name;
  return [raw[0], ...raw.slice(1).map((part) => treeOf(part as RawFormula, names))];
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
  readonly #math: RawFormula;
  readonly #symbols: readonly SymbolRow[];
  readonly #names: ReadonlyMap<string, number>;
  #tree: Formula | undefined;

  constructor(raw: RawTensor, symbols: readonly SymbolRow[], names: ReadonlyMap<string, number>) {
    this.name = raw.name;
    this.shape = raw.shape;
    this.kind = raw.kind;
    if (raw.tied_to !== undefined) this.tied_to = raw.tied_to;
    this.copies = raw.copies;
    this.elements = raw.elements;
    this.total = raw.total;
    this.active = raw.active;
    this.part = raw.part;
    this.#math = raw.math;
    this.#symbols = symbols;
    this.#names = names;
  }

  get math(): Formula {
    return (this.#tree ??= treeOf(this.#math, this.#names));
  }
  get formula(): string {
    return formulaText(this.math, this.#symbols, { writing: 'names' });
  }
  get substitution(): string {
    return formulaText(this.math, this.#symbols, { writing: 'numbers' });
  }
  /** With what is made when it is read. */
  toJSON() {
    return { ...this, formula: this.formula, substitution: this.substitution, math: this.math };
  }
}

class WholeFormula implements ClosedFormula {
  readonly value: Count;
  readonly #math: RawFormula;
  readonly #symbols: readonly SymbolRow[];
  readonly #names: ReadonlyMap<string, number>;
  #tree: Formula | undefined;

  constructor(math: RawFormula, value: Count, symbols: readonly SymbolRow[], names: ReadonlyMap<string, number>) {
    this.value = value;
    this.#math = math;
    this.#symbols = symbols;
    this.#names = names;
  }

  get math(): Formula {
    return (this.#tree ??= treeOf(this.#math, this.#names));
  }
  get symbols(): string {
    return formulaText(this.math, this.#symbols, { writing: 'symbols', compact: true });
  }
  get substitution(): string {
    return formulaText(this.math, this.#symbols, { writing: 'numbers', compact: true });
  }
  toJSON() {
    return { math: this.math, value: this.value, symbols: this.symbols, substitution: this.substitution };
  }
}
