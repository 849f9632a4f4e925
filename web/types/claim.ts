// How somebody came to a number.

import type { Count } from './formula.ts';

/** One switch that an explanation takes. */
export interface Switch {
  /** `final_norm`, `no_grouped_queries`, … */
  readonly id: string;
  readonly label: string;
  /**
   * `total`: a sum by its name; `rows`: tensors left out or counted again; `configuration`: the model as it is not; `packing`: several numbers
   * counted as one; `adapter`: LoRA as peft adds it; `head`: a value or reward head.
   */
  readonly kind: 'total' | 'rows' | 'configuration' | 'packing' | 'adapter' | 'head';
  /** Whether it makes the sum larger. */
  readonly added: boolean;
  /** By so much, after the switches before it. */
  readonly change: Count;
}

/** One way from a model to a number. */
export interface Explanation {
  /** The sum that proves it: `6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096`. */
  readonly sentence: string;
  readonly sum: Count;
  /** Of a claim in bytes: what the sum comes to. */
  readonly bytes?: Count;
  /** How the model fills the bytes, where that is not so many for each parameter: `a file in Q4_K_M`. */
  readonly stored?: string;
  /** What the number as written has more than the sum, with a minus where it is less. */
  readonly difference: Count;
  /** How much it takes to say: see `Check.ranking`. */
  readonly cost: number;
  /** How the number is read, where that is not as written: `as cut off`, `as a round number`, `by the name, 7 billion`. */
  readonly reading?: string;
  readonly switches: readonly Switch[];
  /** The fields that another configuration changes, by their paths. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** The tensors that are not counted as usual: what of them is, and what usually. */
  readonly rows: readonly { readonly name: string; readonly counted: Count; readonly usual: Count }[];
}

/** One number, judged. */
export interface JudgedClaim {
  readonly claim: {
    /** The number with the words around it. */
    readonly text: string;
    readonly unit: 'parameters' | 'bytes' | 'operations' | 'percent';
    /** The least and the largest integer that is written so; of percent, decimals. */
    readonly low: Count;
    readonly high: Count;
    readonly digits: number;
    /** Of bytes and operations: for each token, or for so many. */
    readonly per_token?: boolean;
    readonly tokens?: Count;
    /** Of "8x7B": 8. */
    readonly experts?: Count;
    /** Of bytes: what one parameter is stored as, or the format that is named, and who says so. */
    readonly dtype?: string;
    readonly dtype_from?: 'claim' | 'config' | 'default';
  };
  /** `exact`: that integer. `agrees`: within the digits as written. `nearest`: no convention, but one is close. */
  readonly verdict: 'exact' | 'agrees' | 'nearest' | 'unexplained';
  readonly sentence: string;
  /** A number that no count gives, and where it is from: told, not explained. */
  readonly known?: { readonly model: string; readonly history: string; readonly source: string };
  /** Plainest first. */
  readonly agreeing: readonly Explanation[];
  /** The total nearest to the number, where one is within a few hundredths. */
  readonly nearest?: Explanation;
  /** What an integer in full has more or less than the nearest: so many times a tensor of this model, and what that may be. */
  readonly remainder?: { readonly times: Count; readonly each: Count; readonly what: string };
}

/** How somebody came to the numbers of a text. The members of the first number stand here, too. */
export interface Check extends JudgedClaim {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  /** Of the model as it is. */
  readonly parameters: Count;
  /** Every number of the text that may count this model, in its order. */
  readonly claims: readonly JudgedClaim[];
  /** Two numbers of the text that cannot both be right. */
  readonly contradiction?: string;
  /** The totals and switches that change something in this model. */
  readonly offered: readonly Pick<Switch & { readonly cost: number }, 'id' | 'label' | 'kind' | 'cost'>[];
  /** How explanations are ranked, in words. */
  readonly ranking: string;
}
