// What the element's events bring.

import type { Answer, CountAnswer, ErrorCode } from '../types/index.ts';

/** What `ledger-answer` brings. */
export interface LedgerAnswerDetail {
  /** To the first model. */
  readonly answer: CountAnswer;
  /** To each of them. */
  readonly answers: readonly Answer[];
  /** Of the first model, as it is counted. */
  readonly config: string;
}

/** What `ledger-error` brings. */
export interface LedgerErrorDetail {
  /** Of a refusal: see `Refusal`; `unknown_model` where no published model and no model type has the name, `not_loaded` where the program or a file did not arrive. */
  readonly code: ErrorCode | 'unknown_model';
  /** The field that it is about; empty for the whole. */
  readonly field: string;
  readonly message: string;
}
