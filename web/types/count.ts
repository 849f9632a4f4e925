// A model counted: sums, parts, tensors, fields, formulas.

import type { Count, Formula } from './formula.ts';
import type { Refusal } from './refusal.ts';

/** How a field of the configuration came by its value. */
export type FieldSource = 'given' | 'default' | 'derived' | 'ignored';

/**
 * `buffer`: stored in a checkpoint, not a parameter. `tied`: another tensor's storage, counted there. `published`: not in the model, but
 * held by the files as published. `possible`: held by some published files only.
 */
export type TensorKind = 'parameter' | 'buffer' | 'tied' | 'published' | 'possible';

/** Where in the model a tensor sits; in the order in which data passes. */
export type Part =
  | 'vision'
  | 'audio'
  | 'projector'
  | 'embedding'
  | 'convolution'
  | 'attention'
  | 'state_space'
  | 'feed_forward'
  | 'router'
  | 'adapter'
  | 'norm'
  | 'output_head';

/** What a tensor is: a `matrix` of a linear layer, a `table` that rows are looked up in, a `kernel` of a convolution, a `vector`. */
export type Role = 'matrix' | 'table' | 'kernel' | 'vector';

/** Where in the form a field stands. */
export type FieldGroup = 'vocabulary' | 'size' | 'layers' | 'attention' | 'feed_forward' | 'experts' | 'state_space' | 'head' | 'other';

/** One distinct tensor; `copies` of it exist, under the names that the index ranges of `name` stand for. */
export interface TensorRow {
  /** As checkpoints spell it; `[3-60]` and `[0,2,5-7]` stand for one tensor per index. */
  readonly name: string;
  /** Its dimensions, as stored; a decimal string where a number would not be exact. */
  readonly shape: readonly (number | Count)[];
  readonly kind: TensorKind;
  /** For `tied`: the name of the tensor whose storage this is. */
  readonly tied_to?: string;
  /** How many tensors the row stands for. */
  readonly copies: Count;
  /** Elements of one tensor. */
  readonly elements: Count;
  /** `elements` × `copies`. For `tied` rows the elements that are *not* counted again. */
  readonly total: Count;
  /** Of `total`, what one token uses; less than `total` for experts only. */
  readonly active: Count;
  readonly part: Part;
  readonly role: Role;
  /** For `published` and `possible`: why files hold it. */
  readonly reason?: string;
  /** `total` in config field names, e.g. `intermediate_size × hidden_size × num_hidden_layers`. */
  readonly formula: string;
  /** The same with the values in place: `14,336 × 4,096 × 32`. */
  readonly substitution: string;
  /** The same as a tree, to draw as mathematics. */
  readonly math: Formula;
}

/** One field of the configuration. Rows with a source other than `ignored` are the family's form, in reading order. */
export interface FieldRow {
  /** As config.json spells it; dotted when nested. */
  readonly name: string;
  /** What counts; absent for a derived list too long to write. Integers are JSON numbers where exact, else decimal strings. */
  readonly value?: unknown;
  readonly source: FieldSource;
  /** What may stand there. */
  readonly type?: 'integer' | 'boolean' | 'string' | 'list' | 'number';
  /** The value that a missing field takes; absent where it is derived from other fields. */
  readonly default?: unknown;
  /** True where `null` is allowed (and means: derived, or absent). */
  readonly nullable?: boolean;
  /** The values that a string or the items of a list may take. */
  readonly choices?: readonly string[];
  /** One line for the form. */
  readonly meaning?: string;
  readonly group?: FieldGroup;
  /** The short symbol that closed formulas use, e.g. `d`. */
  readonly symbol?: string;
  /** How far an arrow key goes. */
  readonly step?: number;
  /** The least value that means anything. */
  readonly least?: number;
  /** True for what a reader asks first: widths, depth, vocabulary. */
  readonly headline?: boolean;
  /** For `derived`: the formula, in field names. */
  readonly formula?: string;
  /** The same as a tree. */
  readonly math?: Formula;
  /** The spelling that the configuration used, where it is an alias: `n_embd` was given as `hidden_size`. */
  readonly given_as?: string;
  /** For `ignored`: why. */
  readonly reason?: string;
}

/** One name of the formulas: its short symbol, its value and what it means. */
export interface SymbolRow {
  /** The name that formulas use: a config field, or a count over one. */
  readonly name: string;
  /** Short form, e.g. `n_kv`; what follows `_` is a subscript. */
  readonly symbol: string;
  readonly value: Count;
  readonly meaning: string;
  /** True where it is a config field and so has a row in `fields`. */
  readonly field: boolean;
  /** How a derived value follows from other names. */
  readonly formula?: string;
  /** The same as a tree. */
  readonly math?: Formula;
}

/** The whole model in one line. */
export interface ClosedFormula {
  readonly math: Formula;
  readonly value: Count;
  /** In short symbols: `2·V·d + L·(2·d² + …) + d`. */
  readonly symbols: string;
  /** With numbers in place of the symbols. */
  readonly substitution: string;
}

/** The sums; `definitions` says what each counts. */
export interface Totals {
  /** Unique parameters: a tied tensor counts once. */
  readonly parameters: Count;
  /** Elements of persistent buffers: stored in checkpoints, not parameters. */
  readonly buffers: Count;
  /** Parameters and buffers: the elements of a checkpoint that transformers saves. */
  readonly stored: Count;
  /** Embedding tables (tokens, positions, types). */
  readonly embedding: Count;
  /** The head's own parameters; 0 where it is tied to the embedding. */
  readonly output_head: Count;
  /** Parameters without embedding tables and output head. */
  readonly non_embedding: Count;
  /** Parameters that one token uses: all but the experts it is not routed to. */
  readonly active: Count;
  /** The same without the embedding tables, of which a token uses a row. */
  readonly active_non_embedding: Count;
  /** What is stored, and what the files as published hold beside the model. */
  readonly published: Count;
}

export interface PartTotal {
  readonly part: Part;
  readonly parameters: Count;
  readonly buffers: Count;
}

export interface Note {
  /** `info`: worth knowing. `warning`: look again, e.g. a key that stands twice. */
  readonly level: 'info' | 'warning';
  readonly field?: string;
  readonly message: string;
}

/** The sums alone. */
export interface TotalsAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly totals: Totals;
  /** What asks to look again, where there is any; a whole count has it among its `notes`. */
  readonly warnings?: readonly Note[];
}

export interface CountAnswer extends Omit<TotalsAnswer, 'warnings'> {
  /** Of the Param Ledger that counted. */
  readonly version: string;
  /** All classes that this model type has here; the first is taken when the configuration names none. */
  readonly architectures: readonly string[];
  /** What each total counts, in a sentence. */
  readonly definitions: Readonly<Record<keyof Totals, string>>;
  /** Only parts that the model has, in the order in which data passes. */
  readonly parts: readonly PartTotal[];
  readonly tensors: readonly TensorRow[];
  readonly fields: readonly FieldRow[];
  readonly symbols: readonly SymbolRow[];
  readonly formula: ClosedFormula;
  readonly notes: readonly Note[];
}

export type Answer = CountAnswer | Refusal;
