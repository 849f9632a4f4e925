// Searches for configurations nearest to a target.

import type { Count } from './formula.ts';
import type { Refusal } from './refusal.ts';

/** A space of configurations and the target. Other fields keep the configuration's values. Names have dots if nested. */
export interface SearchRequest {
  /** A number of parameters as people write it. */
  readonly target: string | bigint;
  readonly vary: readonly (
    | { readonly field: string; readonly from: number; readonly to: number; readonly step?: number }
    | { readonly field: string; readonly values: readonly number[] }
  )[];
  /** Fields that follow another one: its value times a ratio ("8/3"), rounded up to a multiple. Without a multiple the product must be an integer. */
  readonly tied?: readonly { readonly field: string; readonly of: string; readonly times: string | number; readonly multiple?: number }[];
  /** Ratios of two fields. */
  readonly limits?: readonly {
    readonly field: string;
    readonly over: string;
    readonly least?: string | number;
    readonly most?: string | number;
  }[];
  /** Which total is to be near the target. */
  readonly total?: 'parameters' | 'active';
  /** How many configurations; 20 by default. */
  readonly most?: number;
  /** Whether to include configurations that transformers builds and cannot run, or that do not divide: heads by key-value heads, the width by heads. */
  readonly uneven?: boolean;
  /** After this many evaluations of the formula it answers with what it has; 5,000,000 by default. `next` of the answer continues. */
  readonly budget?: number;
}

/** The state of a search. */
export interface SearchAnswer {
  readonly ok: true;
  readonly done: boolean;
  readonly target: Count;
  /** The number of points of the space. */
  readonly points: Count;
  readonly percent: number;
  readonly evaluations: Count;
  /** Configurations that were counted in full. */
  readonly counted: Count;
  readonly refused: Count;
  /** True if no configuration of the space is nearer than the last one given. */
  readonly exact: boolean;
  /** Fields that the formula does not contain in closed form: each value was tried. */
  readonly through: readonly string[];
  /** Nearest first. `difference` has a sign. */
  readonly found: readonly { readonly total: Count; readonly difference: Count; readonly fields: Readonly<Record<string, number>> }[];
}

/** The answer of a search with `next`, which is not part of the data and is lost in copies. */
export interface Search extends SearchAnswer {
  /** Continues for about this many evaluations, 5,000,000 by default. Once `done`, it does not change. */
  next(budget?: number | bigint): Search | Refusal;
}
