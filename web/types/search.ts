// Configurations nearest to a target.

import type { Count } from './formula.ts';
import type { Refusal } from './refusal.ts';

/** A space of configurations and what is looked for in it; the rest is as the configuration has it. Fields are dotted where nested. */
export interface SearchRequest {
  /** A number of parameters as people write it. */
  readonly target: string | bigint;
  readonly vary: readonly (
    | { readonly field: string; readonly from: number; readonly to: number; readonly step?: number }
    | { readonly field: string; readonly values: readonly number[] }
  )[];
  /** Fields that follow another: that times a ratio ("8/3"), rounded up to a multiple. Without one it must come out even. */
  readonly tied?: readonly { readonly field: string; readonly of: string; readonly times: string | number; readonly multiple?: number }[];
  /** Ratios of two fields. */
  readonly limits?: readonly {
    readonly field: string;
    readonly over: string;
    readonly least?: string | number;
    readonly most?: string | number;
  }[];
  /** What is to come near the target. */
  readonly total?: 'parameters' | 'active';
  /** How many configurations: 20 where it is not said. */
  readonly most?: number;
  /** Also what transformers builds and cannot run, or what leaves a rest: heads that key-value heads or the width do not share out. */
  readonly uneven?: boolean;
  /** Evaluations of the formula after which it answers with what it has, 5,000,000 where it is not said; `next` of the answer goes on. */
  readonly budget?: number;
}

/** How far a search came. */
export interface SearchAnswer {
  readonly ok: true;
  readonly done: boolean;
  readonly target: Count;
  /** Points of the space. */
  readonly points: Count;
  readonly percent: number;
  readonly evaluations: Count;
  /** Configurations that were counted in full. */
  readonly counted: Count;
  readonly refused: Count;
  /** No configuration of the space is nearer than the last one given. */
  readonly exact: boolean;
  /** Fields over which the formula is not closed: each value was gone through. */
  readonly through: readonly string[];
  /** Nearest first. `difference` is signed. */
  readonly found: readonly { readonly total: Count; readonly difference: Count; readonly fields: Readonly<Record<string, number>> }[];
}

/** The answer of a search, and how that goes on: `next` is no part of the data, of which copies may be made. */
export interface Search extends SearchAnswer {
  /** Goes on for about so many evaluations of the formula, 5,000,000 where it is not said; once it is `done` it stays as it is. */
  next(budget?: number | bigint): Search | Refusal;
}
