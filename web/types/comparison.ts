// Several models beside one another.

import type { Part, TensorKind } from './count.ts';
import type { Count } from './formula.ts';
import type { Refusal } from './refusal.ts';

/** Of each model in the order of the configurations; null where one is refused, or has none. */
export type Cells<T> = readonly (T | null)[];

/** A number of each model, and what it adds to that of the first: `+788529152`, `-4096`, `0`. */
export interface ComparedCounts {
  readonly values: Cells<Count>;
  readonly differences: Cells<string>;
}

/** One model's field; without a value where that is derived and too long to write. Given where no source is said. */
export interface ComparedField {
  readonly name: string;
  readonly value?: unknown;
  readonly source?: 'default' | 'derived';
}

/** Tensors that are one by their names without layers or, across model types, by what they do. */
export interface ComparedTensors extends ComparedCounts {
  readonly part: Part;
  /** What they do, where their names tell: `query`, `expert gate`, `norm before attention`. */
  readonly role?: string;
  /** `only`: some model has none; else `shape`, `kind` (tied or not), `count` (other layers or experts) differ, or they are the `same`. */
  readonly status: 'only' | 'shape' | 'kind' | 'count' | 'same';
  /** A list: layers may have tensors of one name in several shapes. At most eight of them. */
  readonly cells: Cells<readonly { readonly name: string; readonly shape: readonly (number | Count)[]; readonly kind?: TensorKind }[]>;
}

/** What switching fields from the first model's values to another's does to the count. */
export interface ComparedCause {
  /** Each as the first and as the other model has it. Several where the first of them alone make no model. */
  readonly fields: readonly (readonly [ComparedField | null, ComparedField | null])[];
  /** The class is another, too. */
  readonly architecture?: true;
  /** Not a field's: another model type, or differences that no field shows. */
  readonly rest?: true;
  /** Of `rest`: what these parameters are for, such as `gate`, `positions` or `grouped_queries`. */
  readonly purpose?: string;
  /** Of the purpose `other`: names of its tensors, at most eight. */
  readonly tensors?: readonly string[];
  readonly difference: string;
  /** The parameters now. */
  readonly after: Count;
}

export interface ModelComparison {
  readonly ok: true;
  readonly models: readonly ({ readonly ok: true; readonly model_type: string; readonly architecture: string } | Refusal)[];
  /** Which one is the first that is counted; the rest is missing where none is. */
  readonly base?: number;
  readonly totals?: readonly ({ readonly name: string } & ComparedCounts)[];
  readonly parts?: readonly ({ readonly part: Part } & ComparedCounts)[];
  /** Those that differ. */
  readonly fields?: readonly { readonly cells: Cells<ComparedField> }[];
  readonly tensors?: readonly ComparedTensors[];
  /** From the first to each other model: fields are switched one after another, so that the differences add up. */
  readonly causes?: Cells<readonly ComparedCause[]>;
}
