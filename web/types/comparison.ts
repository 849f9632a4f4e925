// A comparison of several models.

import type { Part, TensorKind } from './count.ts';
import type { Count } from './formula.ts';
import type { Refusal } from './refusal.ts';

/** One entry per model, in the order of the configurations; null if the model is refused or has none. */
export type Cells<T> = readonly (T | null)[];

/** A number of each model, and the difference from the first: `+788529152`, `-4096`, `0`. */
export interface ComparedCounts {
  readonly values: Cells<Count>;
  readonly differences: Cells<string>;
}

/** One model's field; without a value if that is derived and too long to write. `given` if no source is present. */
export interface ComparedField {
  readonly name: string;
  readonly value?: unknown;
  readonly source?: 'default' | 'derived';
}

/** Tensors with the same name except for layers or, across model types, with the same role. */
export interface ComparedTensors extends ComparedCounts {
  readonly part: Part;
  /** Their role, if their names show it: `query`, `expert gate`, `norm before attention`. */
  readonly role?: string;
  /**
   * `only`: missing in some model; otherwise `shape`, `kind` (tied or not) or `count` (layers or experts) differ, or they are the `same`.
   */
  readonly status: 'only' | 'shape' | 'kind' | 'count' | 'same';
  /** A list, because layers may have one name with several shapes. At most eight. */
  readonly cells: Cells<readonly { readonly name: string; readonly shape: readonly (number | Count)[]; readonly kind?: TensorKind }[]>;
}

/** The effect on the count of changing fields from the first model's values to another's. */
export interface ComparedCause {
  /** Their values in the first and in the other model. Several if the first of them alone give no valid model. */
  readonly fields: readonly (readonly [ComparedField | null, ComparedField | null])[];
  /** The class changes, too. */
  readonly architecture?: true;
  /** Not caused by a field: another model type, or differences that no field shows. */
  readonly rest?: true;
  /** For `rest`: the purpose of these parameters, such as `gate`, `positions` or `grouped_queries`. */
  readonly purpose?: string;
  /** For the purpose `other`: the names of its tensors, at most eight. */
  readonly tensors?: readonly string[];
  readonly difference: string;
  /** The parameters after this change. */
  readonly after: Count;
}

export interface ModelComparison {
  readonly ok: true;
  readonly models: readonly ({ readonly ok: true; readonly model_type: string; readonly architecture: string } | Refusal)[];
  /** The first model that could be counted; if there is none, the other members are missing. */
  readonly base?: number;
  readonly totals?: readonly ({ readonly name: string } & ComparedCounts)[];
  readonly parts?: readonly ({ readonly part: Part } & ComparedCounts)[];
  /** The fields that differ. */
  readonly fields?: readonly { readonly cells: Cells<ComparedField> }[];
  readonly tensors?: readonly ComparedTensors[];
  /** From the first to each other model: fields are changed one after another, so that the differences add up. */
  readonly causes?: Cells<readonly ComparedCause[]>;
}
