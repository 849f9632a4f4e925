// Searches for the configurations nearest to a target size.

import type { Count } from './formula.ts';
import type { Refusal } from './refusal.ts';

/**
 * The configurations to search, and the target size. Fields that are not mentioned keep the values of the given configuration. The names of
 * nested fields are dotted.
 */
export interface SearchRequest {
  /** The target as a number of parameters, in any common notation: `405B`. */
  readonly target: string | bigint;
  readonly vary: readonly (
    | { readonly field: string; readonly from: number; readonly to: number; readonly step?: number }
    | { readonly field: string; readonly values: readonly number[] }
  )[];
  /**
   * Fields computed from another field: the value of `of` times a ratio ("8/3"), rounded up to a multiple of `multiple`. Without
   * `multiple`, the product must be an integer.
   */
  readonly tied?: readonly { readonly field: string; readonly of: string; readonly times: string | number; readonly multiple?: number }[];
  /** Limits for the ratio of two fields, `field` ÷ `over`. */
  readonly limits?: readonly {
    readonly field: string;
    readonly over: string;
    readonly least?: string | number;
    readonly most?: string | number;
  }[];
  /** The total that should be near the target; `parameters` by default. */
  readonly total?: 'parameters' | 'active';
  /** The maximum number of configurations to return, up to 200; 20 by default. */
  readonly most?: number;
  /**
   * Whether to include uneven models: the number of key-value heads does not divide the number of heads, so the model cannot run, or the
   * number of heads does not divide the width, so some dimensions belong to no head.
   */
  readonly uneven?: boolean;
  /**
   * The amount of work, measured in formula evaluations, after which the search pauses and returns its results so far; 5,000,000 by
   * default. The answer's `next` continues the search.
   */
  readonly budget?: number;
}

/** The state and the results of a search. */
export interface SearchAnswer {
  readonly ok: true;
  readonly done: boolean;
  readonly target: Count;
  /** The number of configurations in the search space. */
  readonly points: Count;
  readonly percent: number;
  readonly evaluations: Count;
  /** The number of configurations that were built as whole models, including refused ones. */
  readonly counted: Count;
  readonly refused: Count;
  /**
   * True if the search is done and no valid configuration outside `found` is nearer to the target than those in `found`. Unless `uneven` is
   * set, uneven configurations do not count.
   */
  readonly exact: boolean;
  /** Fields whose values were tried one by one, because one formula does not hold for all of them. */
  readonly through: readonly string[];
  /** The configurations found, nearest first. `difference` has a sign. */
  readonly found: readonly { readonly total: Count; readonly difference: Count; readonly fields: Readonly<Record<string, number>> }[];
}

/** A search that can be continued. `next` is a function and is lost if the answer is cloned or written as JSON. */
export interface Search extends SearchAnswer {
  /** Continues for about this many evaluations, 5,000,000 by default. Once the search is `done`, its answer no longer changes. */
  next(budget?: number | bigint): Search | Refusal;
}
