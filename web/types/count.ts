// The answer to a count: totals, parts, tensors, fields, formulas.

import type { Count, Formula } from './formula.ts';
import type { Refusal } from './refusal.ts';

/** Where the value of a field comes from. */
export type FieldSource = 'given' | 'default' | 'derived' | 'ignored';

/**
 * `buffer`: stored in a checkpoint, not a parameter. `tied`: shares another tensor's storage and is counted there. `published`: not in the
 * model, but in the published files. `possible`: only in some published files.
 */
export type TensorKind = 'parameter' | 'buffer' | 'tied' | 'published' | 'possible';

/** The part of the model that a tensor belongs to, in data order. */
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

/** How a tensor is used: a `matrix` of a linear layer, a lookup `table`, a `kernel` of a convolution, a `vector`. */
export type Role = 'matrix' | 'table' | 'kernel' | 'vector';

/** The group of a field in the form. */
export type FieldGroup = 'vocabulary' | 'size' | 'layers' | 'attention' | 'feed_forward' | 'experts' | 'state_space' | 'head' | 'other';

/** One distinct tensor. There are `copies` of it, named by the index ranges in `name`. */
export interface TensorRow {
  /** The name in checkpoints; `[3-60]` and `[0,2,5-7]` stand for one tensor per index. */
  readonly name: string;
  /** The stored dimensions; a decimal string if a number would not be exact. */
  readonly shape: readonly (number | Count)[];
  readonly kind: TensorKind;
  /** For `tied`: the tensor that owns the storage. */
  readonly tied_to?: string;
  /** How many tensors the row stands for. */
  readonly copies: Count;
  /** Elements of one tensor. */
  readonly elements: Count;
  /** `elements` × `copies`. For `tied` rows the elements that are *not* counted again. */
  readonly total: Count;
  /** The part of `total` that one token uses. It is less than `total` for experts only. */
  readonly active: Count;
  readonly part: Part;
  readonly role: Role;
  /** For `published` and `possible`: why files hold it. */
  readonly reason?: string;
  /** `total` in config field names, e.g. `intermediate_size × hidden_size × num_hidden_layers`. */
  readonly formula: string;
  /** The formula with values: `14,336 × 4,096 × 32`. */
  readonly substitution: string;
  /** The formula as a tree, to draw as mathematics. */
  readonly math: Formula;
}

/** One field of the configuration. Rows whose source is not `ignored` are the family's form, in reading order. */
export interface FieldRow {
  /** The name in config.json, with dots if nested. */
  readonly name: string;
  /** The value that applies; missing for a derived list that is too long. Integers are JSON numbers if exact, else decimal strings. */
  readonly value?: unknown;
  readonly source: FieldSource;
  /** The type of its values. */
  readonly type?: 'integer' | 'boolean' | 'string' | 'list' | 'number';
  /** The value of a missing field; absent if it is derived from other fields. */
  readonly default?: unknown;
  /** True if `null` is allowed, which means derived or absent. */
  readonly nullable?: boolean;
  /** The values that a string, or an item of a list, may take. */
  readonly choices?: readonly string[];
  /** One line for the form. */
  readonly meaning?: string;
  readonly group?: FieldGroup;
  /** The short symbol that closed formulas use, e.g. `d`. */
  readonly symbol?: string;
  /** The step of an arrow key. */
  readonly step?: number;
  /** The smallest sensible value. */
  readonly least?: number;
  /** True for the fields that readers look for first: widths, depth, vocabulary. */
  readonly headline?: boolean;
  /** For `derived`: the formula, in field names. */
  readonly formula?: string;
  /** The formula as a tree. */
  readonly math?: Formula;
  /** The alias that the configuration used: `n_embd` was given as `hidden_size`. */
  readonly given_as?: string;
  /** For `ignored`: why. */
  readonly reason?: string;
}

/** One name of the formulas: its symbol, its value and its meaning. */
export interface SymbolRow {
  /** The name that formulas use: a config field, or a count over one. */
  readonly name: string;
  /** The short symbol, such as `n_kv`; the part after `_` is a subscript. */
  readonly symbol: string;
  readonly value: Count;
  readonly meaning: string;
  /** True if it is a config field, with a row in `fields`. */
  readonly field: boolean;
  /** How a derived value follows from other names. */
  readonly formula?: string;
  /** The formula as a tree. */
  readonly math?: Formula;
}

/** The whole model as one formula. */
export interface ClosedFormula {
  readonly math: Formula;
  readonly value: Count;
  /** With short symbols: `2·V·d + L·(2·d² + …) + d`. */
  readonly symbols: string;
  /** With numbers instead of symbols. */
  readonly substitution: string;
}

/** The totals; `definitions` says what each counts. */
export interface Totals {
  /** Unique parameters; a tied tensor counts once. */
  readonly parameters: Count;
  /** Elements of persistent buffers, which checkpoints store and which are not parameters. */
  readonly buffers: Count;
  /** Parameters and buffers, which are the elements of a checkpoint saved by transformers. */
  readonly stored: Count;
  /** Embedding tables (tokens, positions, types). */
  readonly embedding: Count;
  /** The head's own parameters; 0 if it is tied to the embedding. */
  readonly output_head: Count;
  /** Parameters apart from embedding tables and output head. */
  readonly non_embedding: Count;
  /** Parameters that one token uses: all except inactive experts. Missing if the configuration does not give the number of experts per token. */
  readonly active?: Count;
  /** `active` without embedding tables, because a token uses one row of each. */
  readonly active_non_embedding?: Count;
  /** `stored` and what else the published files hold. Missing if the files are packed in a way that is not counted. */
  readonly published?: Count;
}

export interface PartTotal {
  readonly part: Part;
  readonly parameters: Count;
  readonly buffers: Count;
}

export interface Note {
  /** `info`: worth knowing. `warning`: worth checking, for example a repeated key. */
  readonly level: 'info' | 'warning';
  readonly field?: string;
  readonly message: string;
}

/** Only the totals. */
export interface TotalsAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly totals: Totals;
  /** Warnings, if there are any. A whole count has them in `notes`. */
  readonly warnings?: readonly Note[];
}

export interface CountAnswer extends Omit<TotalsAnswer, 'warnings'> {
  /** The version of Param Ledger. */
  readonly version: string;
  /** The classes of this model type. The first one applies if the configuration names none. */
  readonly architectures: readonly string[];
  /** The meaning of each total. */
  readonly definitions: Readonly<Record<keyof Totals, string>>;
  /** The parts that the model has, in the order of the data. */
  readonly parts: readonly PartTotal[];
  readonly tensors: readonly TensorRow[];
  readonly fields: readonly FieldRow[];
  readonly symbols: readonly SymbolRow[];
  readonly formula: ClosedFormula;
  readonly notes: readonly Note[];
}

export type Answer = CountAnswer | Refusal;
