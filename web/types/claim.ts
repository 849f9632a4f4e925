// Claims: numbers stated for a model, and explanations of how they may have been computed.

import type { Count } from './formula.ts';

/** One deviation from the plain parameter count that an explanation assumes, such as leaving out the final norm. */
export interface Switch {
  /** The identifier: `final_norm`, `no_grouped_queries`, … */
  readonly id: string;
  readonly label: string;
  /**
   * `total`: a named total; `rows`: tensors left out or counted twice; `configuration`: a changed model; `packing`: packed weights, several
   * of which count as one element; `adapter`: LoRA adapters as peft adds them; `head`: a value or reward head, or dense layers of
   * sentence-transformers.
   */
  readonly kind: 'total' | 'rows' | 'configuration' | 'packing' | 'adapter' | 'head';
  /** Whether the switch increases the sum. */
  readonly added: boolean;
  /** How much the sum changes, with all earlier switches applied. */
  readonly change: Count;
}

/** One way in which a stated number may have been computed. */
export interface Explanation {
  /** The equation that proves the explanation, or a sentence: `6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096`. */
  readonly sentence: string;
  /**
   * The value in the claim's unit. For percentages: in millionths of one per cent. For bytes of weights: the number of parameters that are
   * stored in `bytes`.
   */
  readonly sum: Count;
  /** For a claim in bytes: the number of bytes according to the explanation. */
  readonly bytes?: Count;
  /** How the bytes are computed if not by a fixed number of bytes per parameter: `a file in Q4_K_M`. */
  readonly stored?: string;
  /** The stated number minus `sum` or, for a claim in bytes, minus `bytes`. For percentages: in millionths of one per cent. */
  readonly difference: Count;
  /** How implausible the explanation is: lower is better. `Check.ranking` describes the ranking. */
  readonly cost: number;
  /** How the written number is interpreted, if not literally: `as cut off`, `as a round number`, `by the name, 7 billion`. */
  readonly reading?: string;
  readonly switches: readonly Switch[];
  /** For a changed configuration: the new values of its fields, keyed by dotted path. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** Up to 200 tensors that the explanation counts differently: the elements it counts (`counted`) and the normal count (`usual`). */
  readonly rows: readonly { readonly name: string; readonly counted: Count; readonly usual: Count }[];
}

/** One stated number and the verdict on it. */
export interface JudgedClaim {
  readonly claim: {
    /** The number, with the words around it. */
    readonly text: string;
    readonly unit: 'parameters' | 'bytes' | 'operations' | 'percent';
    /** The smallest and the largest integer that round to the number, or the ends of a range; decimals for percentages. */
    readonly low: Count;
    readonly high: Count;
    readonly digits: number;
    /** For bytes and operations: whether the number is per token, or the number of tokens that it covers. */
    readonly per_token?: boolean;
    readonly tokens?: Count;
    /** The number of experts in a name such as "8x7B": 8. */
    readonly experts?: Count;
    /**
     * For bytes of weights: the number type or file format of the weights, and where it comes from. For other numbers: a GGUF format that
     * the text names.
     */
    readonly dtype?: string;
    readonly dtype_from?: 'claim' | 'config' | 'default';
  };
  /**
   * `exact`: an explanation gives exactly this integer. `agrees`: an explanation gives a number that the written one may stand for, if it
   * is read as rounded, cut off, a round number or a size in the model's name. `nearest`: none agrees, but one is within a ten-thousandth.
   * `unexplained`: none agrees or is that close, or the number cannot be judged.
   */
  readonly verdict: 'exact' | 'agrees' | 'nearest' | 'unexplained';
  readonly sentence: string;
  /**
   * For a published number that no way of counting gives: its documented origin, such as an error by the authors. It does not change the
   * verdict.
   */
  readonly known?: { readonly model: string; readonly history: string; readonly source: string };
  /** The explanations that agree with the number, most plausible first. */
  readonly agreeing: readonly Explanation[];
  /** The nearest of the plausible explanations, if it is within about 3 % of the number. */
  readonly nearest?: Explanation;
  /**
   * For a number of parameters written in full that no explanation gives: what its difference from `nearest` may consist of, namely `times`
   * × `each` parameters, described by `what`.
   */
  readonly remainder?: { readonly times: Count; readonly each: Count; readonly what: string };
}

/** The verdicts on all numbers in a text. The members inherited from `JudgedClaim` describe the first number. */
export interface Check extends JudgedClaim {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  /** The model's parameter count. */
  readonly parameters: Count;
  /** Every number in the text that may be about this model: parameters, bytes, operations or a percentage. In order. */
  readonly claims: readonly JudgedClaim[];
  /** A sentence about two numbers in the text that contradict each other. */
  readonly contradiction?: string;
  /** The totals and switches that have an effect on this model. */
  readonly offered: readonly Pick<Switch & { readonly cost: number }, 'id' | 'label' | 'kind' | 'cost'>[];
  /** A description of how explanations are ranked. */
  readonly ranking: string;
}
