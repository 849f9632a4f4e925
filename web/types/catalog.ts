// What can be counted, and what is known of fields by their names.

import type { FieldGroup, Part, Role, Totals } from './count.ts';

/** One model type that can be counted. */
export interface FamilyRow {
  readonly model_type: string;
  /** What it is, in a line. */
  readonly summary: string;
  readonly architectures: readonly string[];
  /** True where transformers lacks the type: counted is what the code builds that is published with the models. */
  readonly own_code?: true;
  readonly verified: Verified;
}

/** What the tests compare, and find equal, for one model type. */
export interface Verified {
  /**
   * For each class of `architectures`: of how many configurations every tensor is compared with what transformers builds, or, for
   * `own_code`, with what the published code says.
   */
  readonly cases: Readonly<Record<string, number>>;
  /** How many published models come out at exactly their published number of parameters. */
  readonly models: number;
}

/** What is known of a field by its name, in whatever model type it occurs. */
export interface KnownField {
  readonly symbol?: string;
  readonly group?: FieldGroup;
  readonly meaning: string;
  readonly step?: number;
  readonly least?: number;
  readonly headline?: boolean;
}

export interface Catalog {
  readonly families: readonly FamilyRow[];
  /** Whether these are all: the smaller program lists its own. */
  readonly complete: boolean;
  /** What rows name as their part, in the order in which data passes, and as their role. */
  readonly parts: readonly Part[];
  readonly roles: readonly Role[];
  readonly fields: Readonly<Record<string, KnownField>>;
  /** What each total counts, in a sentence. */
  readonly definitions: Readonly<Record<keyof Totals, string>>;
}

/** The same without what is verified, which the core does not know. */
export interface Listing extends Omit<Catalog, 'families'> {
  readonly families: readonly Omit<FamilyRow, 'verified'>[];
}
