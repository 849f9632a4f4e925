// The types of what each command writes with --json. web/build/schema.mjs generates schema.json from them. `jsonl` writes one such value
// per line. Commands that accept several models write one value per model, except `compare`.

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
  /** `FieldRow` with `--explain`, if the model is counted. */
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
  /** If a model is given, the field as that model uses it. Otherwise, what the catalogue knows about fields with this name. */
  explain: FieldRow | NamedField | Refusal;
  /** One record per model, with each cell as text. Columns without a value are omitted. */
  models: readonly Readonly<Record<string, string>>[];
  types: Listing['families'];
  /**
   * `TotalsAnswer` with `--totals`. `id` is copied from the input line. `line` is the number of the input line, present only if its
   * configuration is refused.
   */
  jsonl: Line & (Answer | TotalsAnswer);
  help: readonly Omit<Command, 'run'>[];
}

/** A field from the catalogue, with its name. */
export type NamedField = { readonly name: string } & Catalog['fields'][string];

interface Line {
  readonly id?: string | number | boolean | null;
  readonly line?: number;
}
