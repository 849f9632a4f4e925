// What each command writes with --json: web/build/schema.mjs makes param-ledger.schema.json of it. jsonl writes one such value per line; the other
// commands write one per model.

import type { HubVerified } from '../hub/files.ts';
import type {
  Answer,
  ArticleAnswer,
  Catalog,
  Check,
  Derivation,
  DevicesAnswer,
  FieldRow,
  Listing,
  MemoryAnswer,
  ModelComparison,
  OperationsAnswer,
  Reading,
  Refusal,
  SearchAnswer,
  TotalsAnswer,
} from '../types/index.ts';
import type { Command } from './command.ts';

export interface JsonAnswers {
  /** With `--explain` the field. */
  count: Answer | FieldRow;
  compare: ModelComparison | Refusal;
  derive: Derivation | Refusal;
  memory: MemoryAnswer | Refusal;
  operations: OperationsAnswer | Refusal;
  devices: DevicesAnswer | Refusal;
  check: Check | Refusal;
  article: ArticleAnswer | Refusal;
  search: SearchAnswer | Refusal;
  read: Reading;
  verify: HubVerified | Refusal;
  /** Of a model the field of its count; otherwise what is known of fields of this name. */
  explain: FieldRow | NamedField | Refusal;
  /** Each cell as text; a model without one lacks it. */
  models: readonly Readonly<Record<string, string>>[];
  types: Listing['families'];
  /** With `--totals` only the sums. `id` is that of the line; `line` its number, if it is refused. */
  jsonl: Line & (Answer | TotalsAnswer);
  help: readonly Omit<Command, 'run'>[];
}

/** A field that some model types have. */
export type NamedField = { readonly name: string } & Catalog['fields'][string];

interface Line {
  readonly id?: string | number | boolean | null;
  readonly line?: number;
}
