// The core's own JSON, as core/answer.cpp writes it: short, with what never changes in the catalogue. Only ledger.ts reads it.

import type {
  CacheRow,
  Catalog,
  Count,
  FamilyRow,
  FieldRow,
  MemoryAnswer,
  Note,
  PartTotal,
  Refusal,
  TensorKind,
  TotalsAnswer,
} from './types.ts';

/** A formula in the prefix notation of core/formula.hpp: see `fromPrefix`. */
export type RawFormula = string;

export interface RawTensor {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  /** `parameter` where it is not said. */
  readonly kind?: TensorKind;
  readonly tied_to?: string;
  readonly reason?: string;
  readonly part: string;
  readonly role: string;
  /** 1 where it is not said. */
  readonly copies?: Count;
  /** `total` where it is not said. */
  readonly elements?: Count;
  readonly total: Count;
  /** `total` where it is not said. */
  readonly active?: Count;
  readonly math: RawFormula;
}

/** `source` is `given` and, but for what is ignored, `type` is `integer` where they are not said. */
export type RawField = Pick<FieldRow, 'name' | 'value' | 'type' | 'default' | 'nullable' | 'choices' | 'given_as' | 'reason'> & {
  readonly source?: FieldRow['source'];
  readonly math?: RawFormula;
};

export interface RawSymbol {
  readonly name: string;
  readonly symbol: string;
  readonly value: Count;
  /** False for a count over fields; true where it is not said. */
  readonly field?: boolean;
  /** Of what is no field. */
  readonly meaning?: string;
  readonly math?: RawFormula;
}

export interface RawCount extends TotalsAnswer {
  readonly parts: readonly PartTotal[];
  readonly tensors: readonly RawTensor[];
  readonly fields: readonly RawField[];
  /** In the order of the numbers that formulas call them by. */
  readonly symbols: readonly RawSymbol[];
  readonly formula: { readonly math: RawFormula; readonly value: Count };
  readonly notes: readonly Note[];
}

export type RawAnswer = RawCount | Refusal;

/** What is verified of a family is known to the tests alone: build.mjs adds it. */
export type RawCatalog = Omit<Catalog, 'families'> & { readonly families: readonly Omit<FamilyRow, 'verified'>[] };

type RawKnown<T> = T extends { readonly known: true } ? Omit<T, 'rows' | 'formula' | 'substitution'> : T;

/** What a model takes: as MemoryAnswer, formulas in prefix notation. */
export interface RawMemory extends Omit<MemoryAnswer, 'cache'> {
  readonly cache:
    | (RawKnown<Extract<MemoryAnswer['cache'], { readonly known: true }>> & {
        readonly rows: readonly (Omit<CacheRow, 'formula' | 'substitution'> & { readonly math: RawFormula })[];
        readonly math: RawFormula;
      })
    | Extract<MemoryAnswer['cache'], { readonly known: false }>;
  readonly symbols: readonly {
    readonly name: string;
    readonly symbol: string;
    readonly value: Count;
    readonly field?: boolean;
    readonly meaning?: string;
  }[];
}
