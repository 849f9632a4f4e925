// The details of the element's events.

import type { Answer, CountAnswer, ErrorCode } from '../types/index.ts';

/** The detail of `ledger-answer`. */
export interface LedgerAnswerDetail {
  /** The answer for the first model. */
  readonly answer: CountAnswer;
  /** The answers for all models. */
  readonly answers: readonly Answer[];
  /** The configuration of the first model. */
  readonly config: string;
}

/** The detail of `ledger-error`. */
export interface LedgerErrorDetail {
  /**
   * The code of a refusal (see `Refusal`). Also `unknown_model` if no model is named, the name is unknown or a packed configuration cannot
   * be unpacked, and `not_loaded` if the program or a file could not be loaded.
   */
  readonly code: ErrorCode | 'unknown_model';
  /** The field that the error concerns; empty if it concerns no single field. */
  readonly field: string;
  readonly message: string;
}
