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

/** The parts of a model to which tensors belong, roughly in the order of the forward pass. */
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

/** One row of the tensor table: `copies` tensors of the same shape, one for each combination of the indices in `name`. */
export interface TensorRow {
  /** The name in checkpoints. `[3-60]` and `[0,2,5-7]` stand for one tensor per index. */
  readonly name: string;
  /** The stored dimensions. A size that a JavaScript number cannot hold exactly is a decimal string. */
  readonly shape: readonly (number | Count)[];
  readonly kind: TensorKind;
  /** For `tied`: the name of the tensor that owns the storage. */
  readonly tied_to?: string;
  /** The number of tensors that the row stands for. */
  readonly copies: Count;
  /** The number of elements in one tensor. */
  readonly elements: Count;
  /** `elements` × `copies`. For `tied` rows: the elements that are *not* counted again. */
  readonly total: Count;
  /**
   * `total` without the experts that a token does not use; equal to `total` for tensors outside of routed experts, and if the number of
   * experts per token is not known.
   */
  readonly active: Count;
  readonly part: Part;
  readonly role: Role;
  /** For `published` and `possible`: why the files contain the tensor. */
  readonly reason?: string;
  /** `total` as a formula in the names of `symbols`, e.g. `intermediate_size × hidden_size × num_hidden_layers`. */
  readonly formula: string;
  /** The formula with the values of its names: `14,336 × 4,096 × 32`. */
  readonly substitution: string;
  /** `formula` as a tree, for typesetting. */
  readonly math: Formula;
}

/** One field of the configuration. The fields whose source is not `ignored` make up the input form, in this order. */
export interface FieldRow {
  /** The name in config.json, with dots if nested. */
  readonly name: string;
  /**
   * The given value, else the default or derived value. A given value whose JSON has more than 2,000 bytes is replaced by a description
   * such as "a list of 900 entries". NaN and Infinity are strings. A default or derived integer that a JavaScript number cannot hold
   * exactly is a decimal string; a given one is rounded, as by `JSON.parse`. Absent for a list that is derived from other fields.
   */
  readonly value?: unknown;
  readonly source: FieldSource;
  /** The type of the field's values. */
  readonly type?: 'integer' | 'boolean' | 'string' | 'list' | 'number';
  /**
   * The value that applies if the field is missing. Absent if there is none, if it is derived from other fields, or if the field is null
   * and null stands for a derived value.
   */
  readonly default?: unknown;
  /**
   * True if the field may be `null`, which means, depending on the field, the default, a derived value, false or that the component is
   * absent. If a number has a default and null stands for a derived value, this is true only when the field is null.
   */
  readonly nullable?: boolean;
  /** The values that a string, or an item of a list, may take. */
  readonly choices?: readonly string[];
  /** A one-line description, for the form. */
  readonly meaning?: string;
  readonly group?: FieldGroup;
  /** The short symbol that closed formulas use, e.g. `d`. */
  readonly symbol?: string;
  /** The amount by which an arrow key changes the value; 1 by default. */
  readonly step?: number;
  /** True for the fields that matter most to readers, such as width, depth and vocabulary size. */
  readonly headline?: boolean;
  /** For a `derived` integer: the formula that gives the value, in the names of `symbols`. */
  readonly formula?: string;
  /** `formula` as a tree. */
  readonly math?: Formula;
  /** The alias under which the configuration gives the field: `hidden_size` for `n_embd`. */
  readonly given_as?: string;
  /** For `ignored`: why the field is ignored. */
  readonly reason?: string;
}

/** A name that occurs in formulas: its symbol, value and meaning. */
export interface SymbolRow {
  /**
   * A config field, an entry of a list (`hidden_sizes[0]`), a quantity derived from fields, such as a number of layers, an option, such as
   * a number of devices, or a step of a derivation.
   */
  readonly name: string;
  /** The short symbol, such as `n_kv`; the part after `_` is a subscript. */
  readonly symbol: string;
  readonly value: Count;
  readonly meaning: string;
  /** True if the name is a config field, which then has a row in `fields`. */
  readonly field: boolean;
  /** For some derived values: the formula, in other names. */
  readonly formula?: string;
  /** `formula` as a tree. */
  readonly math?: Formula;
}

/** The parameter count of the whole model as one closed formula. */
export interface ClosedFormula {
  readonly math: Formula;
  readonly value: Count;
  /** The formula with short symbols: `2·V·d + L·(2·d² + …) + d`. */
  readonly symbols: string;
  /** The formula with numbers instead of symbols. */
  readonly substitution: string;
}

/** The totals of a model. `CountAnswer.definitions` explains each of them. */
export interface Totals {
  /** Unique parameters. A tied tensor counts once. */
  readonly parameters: Count;
  /** Elements of persistent buffers. They are stored in checkpoints but are not parameters. */
  readonly buffers: Count;
  /** Parameters plus buffers: the elements of a checkpoint saved by transformers. */
  readonly stored: Count;
  /** Parameters of the part `embedding`: tables of tokens, positions and types, and any projections or convolutions next to them. */
  readonly embedding: Count;
  /** Parameters of the part `output_head`. A matrix that is tied to the embedding does not count; a bias or a transform does. */
  readonly output_head: Count;
  /** All parameters except `embedding` and `output_head`. */
  readonly non_embedding: Count;
  /**
   * Parameters that one token uses: all except inactive experts. Absent if the number of experts per token is neither given nor has a
   * default.
   */
  readonly active?: Count;
  /** `active` without the tables in the part `embedding`, because a token uses only a few of their rows. */
  readonly active_non_embedding?: Count;
  /**
   * The elements in the published files: `stored` and the rows of kind `published`. Absent if the files are packed in a way that is not
   * supported.
   */
  readonly published?: Count;
}

export interface PartTotal {
  readonly part: Part;
  readonly parameters: Count;
  readonly buffers: Count;
}

export interface Note {
  /** `warning`: a possible mistake, for example a repeated key, or a reason why the answer may be wrong or incomplete. */
  readonly level: 'info' | 'warning';
  readonly field?: string;
  readonly message: string;
}

/** An answer with the totals only. */
export interface TotalsAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly totals: Totals;
  /** Warnings, if there are any. A full count has them in `notes`. */
  readonly warnings?: readonly Note[];
}

export interface CountAnswer extends Omit<TotalsAnswer, 'warnings'> {
  /** The version of Param Ledger. */
  readonly version: string;
  /**
   * The classes of this model type. If the configuration does not name one, the first is used or, for an encoder-decoder type with
   * `"is_encoder_decoder": false`, the one for causal language models, if there is one.
   */
  readonly architectures: readonly string[];
  /** The meaning of each total. */
  readonly definitions: Readonly<Record<keyof Totals, string>>;
  /** The parts that the model has, in the order of the type `Part`. */
  readonly parts: readonly PartTotal[];
  readonly tensors: readonly TensorRow[];
  readonly fields: readonly FieldRow[];
  readonly symbols: readonly SymbolRow[];
  readonly formula: ClosedFormula;
  readonly notes: readonly Note[];
}

export type Answer = CountAnswer | Refusal;
