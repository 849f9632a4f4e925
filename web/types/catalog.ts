// The catalogue: the model types that can be counted, and the meanings of configuration fields.

import type { FieldGroup, Part, Role, Totals } from './count.ts';

/** One model type that can be counted. */
export interface FamilyRow {
  readonly model_type: string;
  /** A one-line description of the type. */
  readonly summary: string;
  readonly architectures: readonly string[];
  /** True if transformers does not have the type. Its models are then counted as built by the code published with them. */
  readonly own_code?: true;
  readonly verified: Verified;
}

/** How many configurations and published models of a model type the tests check. */
export interface Verified {
  /**
   * For each class in `architectures`: the number of configurations whose tensors have all been compared with those that transformers
   * builds or, for `own_code`, with those that the published code builds.
   */
  readonly cases: Readonly<Record<string, number>>;
  /** The number of published models for which the tests confirm the published parameter count exactly. */
  readonly models: number;
}

/** What a field name means, independent of the model type. */
export interface KnownField {
  readonly symbol?: string;
  readonly group?: FieldGroup;
  readonly meaning: string;
  /** The amount by which an arrow key changes the value; 1 by default. */
  readonly step?: number;
  readonly headline?: boolean;
}

export interface Catalog {
  readonly families: readonly FamilyRow[];
  /** Whether the list contains every model type. The smaller WebAssembly programs list only the types that they support. */
  readonly complete: boolean;
  /** The parts and roles that a tensor row may have. Parts are roughly in the order of the forward pass. */
  readonly parts: readonly Part[];
  readonly roles: readonly Role[];
  readonly fields: Readonly<Record<string, KnownField>>;
  /** The meaning of each total. */
  readonly definitions: Readonly<Record<keyof Totals, string>>;
}

/** The catalogue without the test results, which the core does not know. */
export interface Listing extends Omit<Catalog, 'families'> {
  readonly families: readonly Omit<FamilyRow, 'verified'>[];
}
