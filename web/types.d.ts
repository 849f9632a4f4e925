/**
 * The one answer that page, widget, Node package and tests share. Counts are decimal strings: they exceed
 * what a JavaScript number holds exactly, so turn them into BigInt before doing anything but show them.
 */

/** A non-negative integer of any size in decimal digits, e.g. "8030261248". */
export type Count = string;

/** How a field of the configuration came by its value. */
export type FieldSource = 'given' | 'default' | 'derived' | 'ignored';

/** `buffer`: stored in a checkpoint, not a parameter. `tied`: another tensor's storage, counted there. */
export type TensorKind = 'parameter' | 'buffer' | 'tied';

/** Where in the model a tensor sits; in the order in which data passes. */
export type Part =
  | 'embedding' | 'attention' | 'state_space' | 'feed_forward' | 'router' | 'adapter' | 'norm' | 'output_head';

/**
 * A formula as a tree. A number literal is a decimal string, a name is `{ name }` and refers to `symbols`; an array is an
 * operation and its operands: `×` and `+` take two or more, `−`, `÷` (exact), `⌊÷⌋` (floor) and `⌈÷⌉` (ceiling) take two, `^` a base and a literal.
 */
export type Formula = Count | { name: string } | [operation: string, ...operands: Formula[]];

/** One distinct tensor; `copies` of it exist, under the names that the index ranges of `name` stand for. */
export interface TensorRow {
  /** As checkpoints spell it; `[3-60]` and `[0,2,5-7]` stand for one tensor per index. */
  name: string;
  /** Its dimensions, as stored; a decimal string where a number would not be exact. */
  shape: (number | Count)[];
  kind: TensorKind;
  /** For `tied`: the name of the tensor whose storage this is. */
  tied_to?: string;
  /** How many tensors the row stands for. */
  copies: Count;
  /** Elements of one tensor. */
  elements: Count;
  /** `elements` × `copies`. For `tied` rows the elements that are *not* counted again. */
  total: Count;
  /** Of `total`, what one token uses; less than `total` for experts only. */
  active: Count;
  part: Part;
  /** `total` in config field names, e.g. `intermediate_size × hidden_size × num_hidden_layers`. */
  formula: string;
  /** The same with the values in place: `14,336 × 4,096 × 32`. */
  substitution: string;
  /** The same as a tree, to draw as mathematics. */
  math: Formula;
}

/** One field of the configuration. Rows with a source other than `ignored` are the family's form, in reading order. */
export interface FieldRow {
  /** As config.json spells it; dotted when nested. */
  name: string;
  /** What counts; absent for a derived list too long to write. Integers are JSON numbers where exact, else decimal strings. */
  value?: unknown;
  source: FieldSource;
  /** What may stand there. */
  type?: 'integer' | 'boolean' | 'string' | 'list';
  /** The value that a missing field takes; absent where it is derived from other fields. */
  default?: unknown;
  /** True where `null` is allowed (and means: derived, or absent). */
  nullable?: boolean;
  /** The values that a string or the items of a list may take. */
  choices?: string[];
  /** One line for the form. */
  meaning?: string;
  group?: 'size' | 'attention' | 'feed_forward' | 'experts' | 'state_space' | 'vocabulary' | 'layers' | 'head' | 'other';
  /** The short symbol that closed formulas use, e.g. `d`. */
  symbol?: string;
  /** For `derived`: the formula, in field names. */
  formula?: string;
  /** The spelling that the configuration used, where it is an alias: `n_embd` was given as `hidden_size`. */
  given_as?: string;
  /** For `ignored`: why. */
  reason?: string;
}

/** One name of the formulas: its short symbol, its value and what it means. */
export interface SymbolRow {
  /** The name that formulas use: a config field, or a count over one. */
  name: string;
  /** Short form, e.g. `n_kv`; what follows `_` is a subscript. */
  symbol: string;
  value: Count;
  meaning: string;
  /** True where it is a config field and so has a row in `fields`. */
  field: boolean;
  /** How a derived value follows from other names. */
  formula?: string;
}

/** The whole model in one line. */
export interface ClosedFormula {
  /** In short symbols: `2·V·d + L·(2·d² + …) + d`. */
  symbols: string;
  /** With numbers in place of the symbols. */
  substitution: string;
  math: Formula;
  value: Count;
}

export interface Totals {
  /** Unique parameters: a tied tensor counts once. */
  parameters: Count;
  /** Elements of persistent buffers: stored in checkpoints, not parameters. */
  buffers: Count;
  /** Parameters and buffers: the elements of a checkpoint that transformers saves. */
  stored: Count;
  /** Embedding tables (tokens, positions, types). */
  embedding: Count;
  /** The head's own parameters; 0 where it is tied to the embedding. */
  output_head: Count;
  /** Parameters without embedding tables and output head. */
  non_embedding: Count;
  /** Parameters that one token uses: all but the experts it is not routed to. */
  active: Count;
}

export interface PartTotal {
  part: Part;
  parameters: Count;
  buffers: Count;
}

export interface Note {
  /** `info`: worth knowing. `warning`: look again, e.g. a key that stands twice. */
  level: 'info' | 'warning';
  field?: string;
  message: string;
}

export interface CountAnswer {
  ok: true;
  model_type: string;
  architecture: string;
  /** All classes that this model type has here; the first is taken when the configuration names none. */
  architectures: string[];
  totals: Totals;
  /** What each total counts, in a sentence. */
  definitions: Record<keyof Totals, string>;
  /** Only parts that the model has, in the order in which data passes. */
  parts: PartTotal[];
  tensors: TensorRow[];
  fields: FieldRow[];
  symbols: SymbolRow[];
  formula: ClosedFormula;
  notes: Note[];
}

export type ErrorCode =
  | 'malformed_json' | 'too_large' | 'too_deep' | 'unknown_architecture' | 'missing_field' | 'wrong_type' | 'out_of_range'
  | 'not_divisible' | 'inconsistent' | 'overflow' | 'unsupported' | 'internal';

export interface Refusal {
  ok: false;
  error: {
    code: ErrorCode;
    /** The field it is about; empty for the text as a whole. */
    field: string;
    message: string;
    /** For `malformed_json`: where, from 1. */
    line?: number;
    column?: number;
    /** For `unknown_architecture`, and for `missing_field` where several model types are possible: the names to choose from. */
    nearest?: string[];
  };
}

export type Answer = CountAnswer | Refusal;

/** One model type that can be counted. */
export interface FamilyRow {
  model_type: string;
  /** What it is, in a line. */
  summary: string;
  architectures: string[];
}

export interface Catalog {
  families: FamilyRow[];
}

export interface Ledger {
  /** Counts the model of a config.json, given as its text or as the object. Never throws for bad input: see `Refusal`. */
  count(config: string | Uint8Array | object): Answer;
  /** The model types that can be counted. */
  catalog(): Catalog;
}

/** Starts the core once per document or process; later calls return the same promise. */
export function load(): Promise<Ledger>;
