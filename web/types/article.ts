// A worked article: somebody's step-by-step count of a model, and a verdict on each step.

import type { Count } from './formula.ts';

/** One step of a worked article. */
export interface ArticleStep {
  /** The name by which later steps refer to this step's number. */
  readonly name?: string;
  readonly says: string;
  /**
   * The computation, written with the setting's fields and symbols, the article's own names, numbers and the names of earlier steps: `L *
   * (mha + mlp)`.
   */
  readonly expression?: string;
  /** The result as the article prints it: `8.19M`. */
  readonly prints?: string;
  /** Substrings of tensor names. They select the model's tensors that the step describes. */
  readonly tensors?: readonly string[];
  /** True if the step describes one copy of each of these tensors, for example those of one layer. */
  readonly each?: boolean;
  /** The matrix that the step describes: expressions for its rows and columns. */
  readonly matrix?: readonly string[];
}

/**
 * A step-by-step computation of a model's parameter count, in the format of web/data/articles. It contains no verdicts; they are always
 * computed.
 */
export interface Article {
  readonly title: string;
  readonly source?: { readonly name: string; readonly url?: string; readonly note?: string };
  /** The configuration that gives the fields and symbols in the steps; its model type is `generic` if the model is hypothetical. */
  readonly setting?: object;
  /** The configuration of the real model that the article describes. */
  readonly model?: object;
  /** The article's own symbols. Each stands for a field, a number or an expression: `{ "N": "num_hidden_layers" }`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly steps: readonly ArticleStep[];
  readonly total?: ArticleStep;
}

/**
 * `convention`: right under a different way of counting. `carried`: follows correctly from an earlier error. `unit`: right with another
 * unit. `misread`: a correct product, or a sentence, that does not match the model's tensors. `left_out`: some of the model's tensors are
 * not counted. `unprinted`: the article prints no number for the step.
 */
export type StepVerdict = 'right' | 'convention' | 'carried' | 'wrong' | 'unit' | 'misread' | 'left_out' | 'unprinted' | 'unreadable';

export interface JudgedStep {
  readonly name?: string;
  readonly verdict: StepVerdict;
  readonly sentence?: string;
  readonly printed?: Count;
  /** True if the printed number is rounded, not written out in full. */
  readonly rounded?: boolean;
  /** The value of the expression, computed with the true values of earlier steps. Without an expression: the printed number. */
  readonly value?: Count;
  /**
   * The value of the expression, computed with the numbers of earlier steps as the article prints them, if it prints them in full; absent
   * if it equals `value`.
   */
  readonly carried?: Count;
  /** The number of parameters in the model's tensors that the step describes. */
  readonly model?: Count;
  /** The likely cause of a wrong number, if one was found. */
  readonly slip?: 'digit' | 'factor' | 'term' | 'ratio';
  /** For the verdicts `convention` and, on the total, `left_out`: the sum that gives the article's number, if one was found. */
  readonly convention?: string;
}

/** One bar of the waterfall chart that leads from the article's total to the model's. */
export interface Bar {
  readonly kind: 'printed' | 'rounding' | 'slip' | 'own' | 'convention' | 'cause' | 'rest' | 'model';
  readonly label: string;
  /** The name of the article's step, or the id of the convention. */
  readonly step?: string;
  /** The signed change; absent for a bar that shows only a total. */
  readonly change?: Count;
  readonly total: Count;
}

export interface ArticleAnswer {
  readonly ok: true;
  readonly steps: readonly JudgedStep[];
  readonly total?: JudgedStep;
  /** The parameter count of the article's model, if the article names one. */
  readonly model?: Count;
  readonly waterfall: readonly Bar[];
}
