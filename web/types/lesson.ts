// Lessons and sets of exercises: the reader makes a count, screen by screen.

import type { Count } from './formula.ts';

/** What the core counts for a name: tensors or a total, of the model, of a variant with other values, or of another model. */
export interface CountedName {
  /** Parts of the tensors' names. */
  readonly tensors?: readonly string[];
  /** Per layer. */
  readonly each?: boolean;
  /** A total of the count; all parameters by default. */
  readonly total?: string;
  /** Fields with other values: JSON, or an expression after `=`. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** A published model's name, or a configuration. */
  readonly model?: string | object;
}

/** A likely wrong answer: its expression, and what it means. */
export interface WrongAnswer {
  readonly value: string;
  readonly says: string;
}

export interface LessonChoice {
  readonly says: string;
  /** A condition such as `other ≠ parameters`. */
  readonly right?: boolean | string;
  readonly because: string;
}

/** One screen: a text, a picture, one question. In texts `{expression}` stands for a number. */
export interface LessonScreen {
  readonly title?: string;
  readonly says: string;
  readonly asks: string;
  readonly hint?: string;
  /** Shown once the question is answered. */
  readonly reveals?: string;
  /** Parts of the names of the tensors that the picture highlights. */
  readonly lit?: readonly string[];
  /** For a screen about another model. */
  readonly model?: string | object;
  readonly names?: Readonly<Record<string, string | CountedName>>;
  readonly source?: string;
  readonly number?: {
    readonly expression: string;
    readonly tensors?: readonly string[];
    readonly each?: boolean;
    readonly wrong?: readonly WrongAnswer[];
  };
  readonly choices?: readonly LessonChoice[];
  /** Whether several choices may be right. */
  readonly several?: boolean;
  /** A field to set so that the model has `target` parameters; `value` is the right value. */
  readonly sets?: { readonly field: string; readonly target: string; readonly value: string; readonly wrong?: readonly WrongAnswer[] };
  /** A field of the model that the reader may vary. */
  readonly turns?: { readonly field: string; readonly says?: string; readonly values: readonly unknown[] };
  /** A line of the ledger; later screens may use its name. */
  readonly books?: {
    readonly name: string;
    readonly says: string;
    readonly expression?: string;
    readonly tensors?: readonly string[];
    readonly each?: boolean;
  };
}

/** The form of web/data/lessons. It contains no numbers and no verdicts; the core computes both. */
export interface Lesson {
  readonly title: string;
  readonly lead?: string;
  readonly source?: string;
  readonly model?: string | object;
  readonly names?: Readonly<Record<string, string | CountedName>>;
  readonly screens: readonly LessonScreen[];
}

/** A screen with its numbers. */
export interface ShownScreen {
  readonly title?: string;
  readonly says: string;
  readonly asks: string;
  readonly hint?: string;
  readonly reveals?: string;
  readonly number?: {
    readonly value: Count;
    /** `4,096 × 14,336` */
    readonly worked: string;
    readonly wrong: readonly { readonly value: Count; readonly says: string }[];
  };
  readonly choices?: readonly { readonly says: string; readonly because: string; readonly right: boolean }[];
  readonly sets?: {
    readonly field: string;
    readonly target: Count;
    readonly value: Count;
    readonly wrong: readonly { readonly value: Count; readonly says: string }[];
  };
  readonly turns?: {
    readonly field: string;
    readonly says?: string;
    readonly values: readonly { readonly literal: string; readonly parameters: Count }[];
  };
  readonly books?: { readonly says: string; readonly value: Count };
}

export interface LessonAnswer {
  readonly ok: true;
  readonly screens: readonly ShownScreen[];
}

/** A learner's answer: a text, or the positions of the chosen choices. */
export type GivenAnswer = string | readonly number[];

/** `convention`: the number under another convention. `unit`: right with another unit. */
export type AnswerVerdict = 'right' | 'convention' | 'wrong' | 'unit' | 'unreadable';

export interface JudgedAnswer {
  readonly ok: true;
  readonly verdict: AnswerVerdict;
  /** What is wrong, or a remark. */
  readonly sentence?: string;
}
