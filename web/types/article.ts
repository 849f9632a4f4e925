// Somebody's computation, and what each step of it is worth.

import type { Count } from './formula.ts';

/** One step of somebody's computation. */
export interface ArticleStep {
  /** What later steps call its number. */
  readonly name?: string;
  readonly says: string;
  /** In the setting's fields and symbols, the article's own names, numbers and the names of steps before: `L * (mha + mlp)`. */
  readonly expression?: string;
  /** The number as printed: `8.19M`. */
  readonly prints?: string;
  /** Which of the model's tensors it is about: parts of their names. */
  readonly tensors?: readonly string[];
  /** Of one layer. */
  readonly each?: boolean;
  /** The matrix that it speaks of, as rows and columns: expressions. */
  readonly matrix?: readonly string[];
}

/** Somebody's computation of a total: the form of web/data/articles. It holds no verdict; those are computed. */
export interface Article {
  readonly title: string;
  readonly source?: { readonly name: string; readonly url?: string; readonly note?: string };
  /** The configuration whose fields and symbols its steps name; of `generic` for a model that is none. */
  readonly setting?: object;
  /** The real model's configuration. */
  readonly model?: object;
  /** Its own names: `{ "N": "num_hidden_layers" }`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly steps: readonly ArticleStep[];
  readonly total?: ArticleStep;
}

/**
 * `convention`: right for a model that is not quite this one. `carried`: goes on rightly from a wrong number. `unit`: right with another
 * unit. `misread`: a right product, or a sentence, about a matrix that the model does not have. `left_out`: tensors that it does not count.
 */
export type StepVerdict = 'right' | 'convention' | 'carried' | 'wrong' | 'unit' | 'misread' | 'left_out' | 'unprinted' | 'unreadable';

export interface JudgedStep {
  readonly name?: string;
  readonly verdict: StepVerdict;
  readonly sentence?: string;
  readonly printed?: Count;
  /** Whether what is printed has fewer digits than the number. */
  readonly rounded?: boolean;
  /** What it comes to, with the true values of the steps before. */
  readonly value?: Count;
  /** The same with the numbers that those print, where that differs. */
  readonly carried?: Count;
  /** What the model's tensors come to. */
  readonly model?: Count;
  /** How a wrong number came about, where that shows. */
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
  /** With its sign; none where it stands for a total. */
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
