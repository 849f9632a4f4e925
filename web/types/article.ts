// Somebody's computation, and a verdict on each step.

import type { Count } from './formula.ts';

/** One step of somebody's computation. */
export interface ArticleStep {
  /** The name that later steps use for its number. */
  readonly name?: string;
  readonly says: string;
  /** In the setting's fields and symbols, the article's own names, numbers and the names of earlier steps: `L * (mha + mlp)`. */
  readonly expression?: string;
  /** The number as printed: `8.19M`. */
  readonly prints?: string;
  /** The model's tensors that it is about: parts of their names. */
  readonly tensors?: readonly string[];
  /** Only one layer. */
  readonly each?: boolean;
  /** The matrix that it is about, as rows and columns: expressions. */
  readonly matrix?: readonly string[];
}

/** Somebody's computation of a total: the form of web/data/articles. It contains no verdict; verdicts are computed. */
export interface Article {
  readonly title: string;
  readonly source?: { readonly name: string; readonly url?: string; readonly note?: string };
  /** The configuration with the fields and symbols that its steps use; `generic` if the model is not a real one. */
  readonly setting?: object;
  /** The real model's configuration. */
  readonly model?: object;
  /** Its own names: `{ "N": "num_hidden_layers" }`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly steps: readonly ArticleStep[];
  readonly total?: ArticleStep;
}

/**
 * `convention`: right for a slightly different model. `carried`: continues correctly from a wrong number. `unit`: right with another unit.
 * `misread`: a correct product, or a sentence, about a matrix that the model does not have. `left_out`: tensors that the article does not
 * count.
 */
export type StepVerdict = 'right' | 'convention' | 'carried' | 'wrong' | 'unit' | 'misread' | 'left_out' | 'unprinted' | 'unreadable';

export interface JudgedStep {
  readonly name?: string;
  readonly verdict: StepVerdict;
  readonly sentence?: string;
  readonly printed?: Count;
  /** Whether the printed number has fewer digits than the exact one. */
  readonly rounded?: boolean;
  /** Its value with the true values of earlier steps. */
  readonly value?: Count;
  /** Its value with the printed numbers of earlier steps, if that differs. */
  readonly carried?: Count;
  /** The sum of the model's tensors. */
  readonly model?: Count;
  /** The likely cause of a wrong number, if there is one. */
  readonly slip?: 'digit' | 'factor' | 'term' | 'ratio';
  /** The sum that proves a convention. */
  readonly convention?: string;
}

/** A step from the article's total to the model's. */
export interface Bar {
  readonly kind: 'printed' | 'rounding' | 'slip' | 'own' | 'convention' | 'cause' | 'rest' | 'model';
  readonly label: string;
  /** The name of a step, or the convention. */
  readonly step?: string;
  /** With its sign; missing for a total. */
  readonly change?: Count;
  readonly total: Count;
}

export interface ArticleAnswer {
  readonly ok: true;
  readonly steps: readonly JudgedStep[];
  readonly total?: JudgedStep;
  /** The real model's total. */
  readonly model?: Count;
  readonly waterfall: readonly Bar[];
}
