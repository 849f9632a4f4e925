// The settings of views, as values. The address has them as words; each view parses and writes its own.

import type { ArticleChoice } from './article-choice.ts';
import type { LessonChoice } from './lesson-choice.ts';
import type { MemorySetting } from './memory-setting.ts';
import type { ModelsSetting } from './models-setting.ts';
import type { TargetSetting } from './target-setting.ts';

/** Keyed by the views' names in links. */
export interface Details {
  readonly memory: MemorySetting;
  /** A number as users type it. */
  readonly check: string;
  readonly articles: ArticleChoice;
  readonly lessons: LessonChoice;
  readonly target: TargetSetting;
  readonly models: ModelsSetting;
}

/** A value as words for an address. */
export interface DetailFormat<Value> {
  /** From any address; undefined if it has nothing valid. */
  readonly parse: (text: string) => Value | undefined;
  /** Empty for the initial setting. */
  readonly write: (value: Value) => string;
}
