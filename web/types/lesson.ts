// Lessons and sets of exercises, in which the reader counts a model screen by screen.

import type { Count } from './formula.ts';

/**
 * A number that the core counts, for use under a name: a total, or the size of some tensors. It refers to the model of the lesson or
 * screen, to another model, or to a variant of either with other field values.
 */
export interface CountedName {
  /** Substrings of the tensors' names. */
  readonly tensors?: readonly string[];
  /** Whether to count one copy of each of these tensors, for example those of one layer. */
  readonly each?: boolean;
  /** The name of a total; all parameters by default. */
  readonly total?: string;
  /** Fields to change and their new values: any JSON value, or a string with `=` and an expression. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** The name of a published model, or a configuration. */
  readonly model?: string | object;
}

/** A likely wrong answer: an expression for its value, and the mistake that leads to it. */
export interface WrongAnswer {
  readonly value: string;
  readonly says: string;
}

export interface LessonChoice {
  readonly says: string;
  /** Whether the choice is right, or a condition that decides whether it is: `other ≠ parameters`. */
  readonly right?: boolean | string;
  readonly because: string;
}

/** One screen: a text and one question, with or without a picture. In texts, `{expression}` is replaced by the value of the expression. */
export interface LessonScreen {
  readonly title?: string;
  readonly says: string;
  readonly asks: string;
  readonly hint?: string;
  /** Shown once the question is answered correctly, or on request. */
  readonly reveals?: string;
  /** Substrings of the names of the tensors that the picture highlights. */
  readonly lit?: readonly string[];
  /** The model of this screen, if it is not the lesson's. */
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
  /** Whether more than one choice may be right. */
  readonly several?: boolean;
  /** Asks for the value of `field` with which the model has `target` parameters. `value` is such a value; others count as right, too. */
  readonly sets?: { readonly field: string; readonly target: string; readonly value: string; readonly wrong?: readonly WrongAnswer[] };
  /** Lets the reader try several values of a field. */
  readonly turns?: { readonly field: string; readonly says?: string; readonly values: readonly unknown[] };
  /** A line that the answer adds to the reader's ledger. Later screens may refer to it by name. */
  readonly books?: {
    readonly name: string;
    readonly says: string;
    readonly expression?: string;
    readonly tensors?: readonly string[];
    readonly each?: boolean;
  };
}

/** A lesson, in the format of web/data/lessons. It contains expressions instead of numbers; the core evaluates them and judges answers. */
export interface Lesson {
  readonly title: string;
  readonly lead?: string;
  readonly source?: string;
  readonly model?: string | object;
  readonly names?: Readonly<Record<string, string | CountedName>>;
  readonly screens: readonly LessonScreen[];
}

/** A screen with its numbers filled in. */
export interface ShownScreen {
  readonly title?: string;
  readonly says: string;
  readonly asks: string;
  readonly hint?: string;
  readonly reveals?: string;
  readonly number?: {
    readonly value: Count;
    /** The computation with numbers: `4,096 × 14,336`. */
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

/** A learner's answer: a text, or the indices of the selected choices. */
export type GivenAnswer = string | readonly number[];

/** `convention`: the right number under another convention. `unit`: right with another unit. */
export type AnswerVerdict = 'right' | 'convention' | 'wrong' | 'unit' | 'unreadable';

export interface JudgedAnswer {
  readonly ok: true;
  readonly verdict: AnswerVerdict;
  /** An explanation of what is wrong, or a remark. */
  readonly sentence?: string;
}
