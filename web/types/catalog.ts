// The model types that can be counted, and what is known of fields by name.

import type { FieldGroup, Part, Role, Totals } from './count.ts';

/** One model type that can be counted. */
export interface FamilyRow {
  readonly model_type: string;
  /** One line about the type. */
  readonly summary: string;
  readonly architectures: readonly string[];
  /** True if transformers lacks the type: it is counted as the code published with the models builds it. */
  readonly own_code?: true;
  readonly verified: Verified;
}

/** What the tests compare for one model type and find equal. */
export interface Verified {
  /**
   * For each class of `architectures`, in how many configurations every tensor is compared with what transformers builds, or, for
   * `own_code`, with the published code.
   */
  readonly cases: Readonly<Record<string, number>>;
  /** How many published models are counted at exactly their published number of parameters. */
  readonly models: number;
}

/** What is known of a field by its name, in any model type. */
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
  /** Whether the list is complete: the smaller program lists its own types. */
  readonly complete: boolean;
  /** The parts that rows name, in the order of the data, and their roles. */
  readonly parts: readonly Part[];
  readonly roles: readonly Role[];
  readonly fields: Readonly<Record<string, KnownField>>;
  /** A sentence on what each total counts. */
  readonly definitions: Readonly<Record<keyof Totals, string>>;
}

/** The catalogue without what is verified, which the core does not know. */
export interface Listing extends Omit<Catalog, 'families'> {
  readonly families: readonly Omit<FamilyRow, 'verified'>[];
}
