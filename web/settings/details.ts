// The types of the views' settings. In an address, a setting is text in the format of its view.

import type { ArticleChoice } from './article-choice.ts';
import type { LessonChoice } from './lesson-choice.ts';
import type { MemorySetting } from './memory-setting.ts';
import type { ModelsSetting } from './models-setting.ts';
import type { TargetSetting } from './target-setting.ts';

/** The settings, keyed by the views' names in links. */
export interface Details {
  readonly memory: MemorySetting;
  /** The number to check, as the user typed it. */
  readonly check: string;
  readonly articles: ArticleChoice;
  readonly lessons: LessonChoice;
  readonly target: TargetSetting;
  readonly models: ModelsSetting;
}

/** Converts a setting from and to the text in an address. */
export interface DetailFormat<Value> {
  /** Parses text from any address. Undefined means the initial setting. Invalid text may give the initial setting or one with an error. */
  readonly parse: (text: string) => Value | undefined;
  /** Writes a setting as text. The text of the initial setting may be empty. */
  readonly write: (value: Value) => string;
}
