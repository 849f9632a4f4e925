// A comparison of two to four models.

import type { Part, TensorKind } from './count.ts';
import type { Count } from './formula.ts';
import type { Refusal } from './refusal.ts';

/** One entry per model, in the order of the configurations; null if the model was refused or lacks the compared field or tensors. */
export type Cells<T> = readonly (T | null)[];

/**
 * A count for each model, and its signed difference from the count of the `base` model: `+788529152`, `-4096`, `0`. Null only for a refused
 * model; the count is 0 if a model lacks the compared part or tensors.
 */
export interface ComparedCounts {
  readonly values: Cells<Count>;
  readonly differences: Cells<string>;
}

/**
 * A field of one model. `value` is absent for a list that is derived from other fields, and a text such as "61 entries" for a value whose
 * JSON has more than 400 bytes. `source` is absent if the configuration gives the value.
 */
export interface ComparedField {
  readonly name: string;
  readonly value?: unknown;
  readonly source?: 'default' | 'derived';
}

/** Tensors of several models that have equal names apart from indices or, where no name is equal, equal roles. */
export interface ComparedTensors extends ComparedCounts {
  readonly part: Part;
  /** What the tensors are for: `query`, `expert gate`, `norm before attention`. Absent if this is unknown or not unique in a model. */
  readonly role?: string;
  /**
   * How the models differ; the first of these that applies. `only`: some model has no such tensors. `shape`. `kind`: parameter, buffer or
   * tied. `count`: the number of parameters, for example because the numbers of layers differ. `same`: no difference.
   */
  readonly status: 'only' | 'shape' | 'kind' | 'count' | 'same';
  /** The tensors of each model, at most eight. The list may contain one name with several shapes. */
  readonly cells: Cells<readonly { readonly name: string; readonly shape: readonly (number | Count)[]; readonly kind?: TensorKind }[]>;
}

/** The effect on the count of changing fields from the values of the `base` model to those of another. */
export interface ComparedCause {
  /**
   * The changed fields, each as it is in `base` and in the other model; null if a model lacks the field. There are several if changing
   * fewer of them gives no valid model or has no effect.
   */
  readonly fields: readonly (readonly [ComparedField | null, ComparedField | null])[];
  /** True if the class (`architecture`) changes as well. */
  readonly architecture?: true;
  /** True for a difference that no field causes, for example because the model types differ. */
  readonly rest?: true;
  /** For `rest`: the purpose of these parameters, such as `gate`, `positions` or `grouped_queries`. */
  readonly purpose?: string;
  /** For the purpose `other`: the names of the tensors in either model, at most eight. */
  readonly tensors?: readonly string[];
  readonly difference: string;
  /** The parameter count after this cause's changes and all earlier ones. */
  readonly after: Count;
}

export interface ModelComparison {
  readonly ok: true;
  readonly models: readonly ({ readonly ok: true; readonly model_type: string; readonly architecture: string } | Refusal)[];
  /** The index of the first model that could be counted. If there is none, the members below are absent. */
  readonly base?: number;
  readonly totals?: readonly ({ readonly name: string } & ComparedCounts)[];
  readonly parts?: readonly ({ readonly part: Part } & ComparedCounts)[];
  /** The fields that differ. */
  readonly fields?: readonly { readonly cells: Cells<ComparedField> }[];
  readonly tensors?: readonly ComparedTensors[];
  /**
   * For each model other than `base`: the changes that lead from the count of `base` to this model's count. Each change is applied on top
   * of the earlier ones, so the differences add up.
   */
  readonly causes?: Cells<readonly ComparedCause[]>;
}
