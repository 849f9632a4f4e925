// What views show beside the models, as values: the address has them in words, which each view parses and writes once.

import type { ArticleChoice } from './article-choice.ts';
import type { LessonChoice } from './lesson-choice.ts';
import type { MemorySetting } from './memory-setting.ts';
import type { ModelsSetting } from './models-setting.ts';
import type { TargetSetting } from './target-setting.ts';

/** By the names that links have for the views. */
export interface Details {
  readonly memory: MemorySetting;
  /** A number as somebody writes it. */
  readonly check: string;
  readonly articles: ArticleChoice;
  readonly lessons: LessonChoice;
  readonly target: TargetSetting;
  readonly models: ModelsSetting;
}

/** A value's words in an address. */
export interface DetailFormat<Value> {
  /** Whatever an address brings; undefined where it says nothing that could be shown. */
  readonly parse: (text: string) => Value | undefined;
  /** Empty for what is shown at first. */
  readonly write: (value: Value) => string;
}
