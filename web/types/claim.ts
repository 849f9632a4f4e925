// How somebody arrived at a number.

import type { Count } from './formula.ts';

/** One switch of an explanation. */
export interface Switch {
  /** `final_norm`, `no_grouped_queries`, … */
  readonly id: string;
  readonly label: string;
  /**
   * `total`: a named total; `rows`: tensors left out or counted twice; `configuration`: a changed model; `packing`: several numbers counted
   * as one; `adapter`: LoRA as peft adds it; `head`: a value or reward head.
   */
  readonly kind: 'total' | 'rows' | 'configuration' | 'packing' | 'adapter' | 'head';
  /** Whether it increases the sum. */
  readonly added: boolean;
  /** By this amount, after the earlier switches. */
  readonly change: Count;
}

/** One explanation of a number. */
export interface Explanation {
  /** The sum that proves it: `6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096`. */
  readonly sentence: string;
  readonly sum: Count;
  /** The sum, for a claim in bytes. */
  readonly bytes?: Count;
  /** How the bytes are computed, if not as a number of bytes per parameter: `a file in Q4_K_M`. */
  readonly stored?: string;
  /** The number as written minus the sum. */
  readonly difference: Count;
  /** The cost of the explanation: see `Check.ranking`. */
  readonly cost: number;
  /** How the number is read, if not as written: `as cut off`, `as a round number`, `by the name, 7 billion`. */
  readonly reading?: string;
  readonly switches: readonly Switch[];
  /** The fields that another configuration changes, by their paths. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** The tensors that are counted differently: the counted elements, and the usual ones. */
  readonly rows: readonly { readonly name: string; readonly counted: Count; readonly usual: Count }[];
}

/** One number and the verdict on it. */
export interface JudgedClaim {
  readonly claim: {
    /** The number with the words around it. */
    readonly text: string;
    readonly unit: 'parameters' | 'bytes' | 'operations' | 'percent';
    /** The smallest and the largest integer that rounds to it; decimals for percentages. */
    readonly low: Count;
    readonly high: Count;
    readonly digits: number;
    /** For bytes and operations: per token, or for this many tokens. */
    readonly per_token?: boolean;
    readonly tokens?: Count;
    /** The 8 of "8x7B". */
    readonly experts?: Count;
    /** For bytes: the type of a parameter or the named format, and where that comes from. */
    readonly dtype?: string;
    readonly dtype_from?: 'claim' | 'config' | 'default';
  };
  /** `exact`: exactly that integer. `agrees`: within the written digits. `nearest`: no convention, but one is close. */
  readonly verdict: 'exact' | 'agrees' | 'nearest' | 'unexplained';
  readonly sentence: string;
  /** A number that no count gives, and its known origin. It is not an explanation. */
  readonly known?: { readonly model: string; readonly history: string; readonly source: string };
  /** The most plausible first. */
  readonly agreeing: readonly Explanation[];
  /** The nearest total, if one is within a few hundredths. */
  readonly nearest?: Explanation;
  /** For an integer in full: the remainder as a multiple of a tensor of this model, and its likely meaning. */
  readonly remainder?: { readonly times: Count; readonly each: Count; readonly what: string };
}

/** How somebody arrived at the numbers in a text. The members of the first number are repeated here. */
export interface Check extends JudgedClaim {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  /** The parameters of the model. */
  readonly parameters: Count;
  /** Every number in the text that may count this model, in order. */
  readonly claims: readonly JudgedClaim[];
  /** Two numbers in the text that contradict each other. */
  readonly contradiction?: string;
  /** The totals and switches that have an effect in this model. */
  readonly offered: readonly Pick<Switch & { readonly cost: number }, 'id' | 'label' | 'kind' | 'cost'>[];
  /** How explanations are ranked, in words. */
  readonly ranking: string;
}
