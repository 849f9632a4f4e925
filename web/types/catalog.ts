// The model types that can be counted, and the meanings of fields.

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

/** The equal results of the tests for one model type. */
export interface Verified {
  /**
   * For each class of `architectures`, the number of configurations with every tensor compared with what transformers builds, or, for
   * `own_code`, with the published code.
   */
  readonly cases: Readonly<Record<string, number>>;
  /** The number of published models that are counted exactly as published. */
  readonly models: number;
}

/** The meaning of a field by its name, in any model type. */
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
  /** The parts of rows, in data order, and their roles. */
  readonly parts: readonly Part[];
  readonly roles: readonly Role[];
  readonly fields: Readonly<Record<string, KnownField>>;
  /** The meaning of each total. */
  readonly definitions: Readonly<Record<keyof Totals, string>>;
}

/** The catalogue without the verification, which the core does not know. */
export interface Listing extends Omit<Catalog, 'families'> {
  readonly families: readonly Omit<FamilyRow, 'verified'>[];
}
