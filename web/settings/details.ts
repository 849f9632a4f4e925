// What views show beside the models, as values: the address has them in words, which each view parses and writes once.

import type { ArticleChoice } from './article-choice.ts';
import type { Setting } from './memory-setting.ts';
import type { ModelsWish } from './models-setting.ts';
import type { Wish } from './target-setting.ts';

/** By the names that links have for the views. */
export interface Details {
  readonly memory: Setting;
  /** A number as somebody writes it. */
  readonly check: string;
  readonly articles: ArticleChoice;
  readonly target: Wish;
  readonly models: ModelsWish;
}

/** A value's words in an address. */
export interface Wording<Value> {
  /** Whatever an address brings; undefined where it says nothing that could be shown. */
  readonly parse: (text: string) => Value | undefined;
  /** Empty for what is shown at first. */
  readonly write: (value: Value) => string;
}
