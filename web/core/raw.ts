// The JSON that the core writes (core/model/answer.cpp and others). It is compact: whatever does not depend on the model is in the
// catalogue. Only web/core reads it.

import type {
  Article,
  BlockFacts,
  CacheRow,
  Count,
  DerivedStep,
  DevicesAnswer,
  Exchange,
  FieldRow,
  MemoryAnswer,
  Note,
  PartTotal,
  RankKind,
  Refusal,
  TensorKind,
  TotalsAnswer,
  Role,
} from '../types/index.ts';
import type { Positions, Windows } from '../answer/overview.ts';

/** A formula in the prefix notation of core/expr/formula.hpp: see `parseFormula`. */
export type RawFormula = string;

/** One row of tensors. Trailing values that are missing or null have their defaults. */
export type RawTensor = readonly [
  name: string,
  shape: readonly (number | Count)[],
  /** Index in the catalogue's `parts`. */
  part: number,
  /** Index in the catalogue's `roles`. */
  role: number,
  total: Count,
  math: RawFormula,
  /** 1 by default. */
  copies?: Count | null,
  /** `total` by default. */
  elements?: Count | null,
  /** `total` by default. */
  active?: Count | null,
  /** `parameter` by default. */
  kind?: TensorKind,
  /** The name of the tensor that this row is tied to, or the index of the reason why published files contain this row. */
  about?: string | number,
];

/** A field that the model reads. By default `source` is `given` and `type` is `integer`. */
export type RawField = Pick<FieldRow, 'name' | 'value' | 'type' | 'default' | 'nullable' | 'choices' | 'given_as'> & {
  readonly source?: FieldRow['source'];
  readonly math?: RawFormula;
};

/** A field that no tensor depends on. `reason` is an index in `reasons`; without it, the default reason applies. */
export type RawIgnored = readonly [name: string, value: unknown, reason?: number];

/**
 * A name in formulas. `meaning` is absent for a field, because the catalogue has it. Other names are, for example, quantities derived from
 * fields, or steps of a derivation.
 */
export type RawSymbol = readonly [name: string, symbol: string, value: Count, meaning?: string | null, math?: RawFormula];

/** The first line of an answer. */
export interface RawHead extends TotalsAnswer {
  readonly parts: readonly PartTotal[];
  readonly formula: { readonly math: RawFormula; readonly value: Count };
}

/** The other lines of an answer. Each is separate JSON, parsed when it is first read. */
export interface RawLines {
  readonly tensors: readonly RawTensor[];
  readonly fields: readonly RawField[];
  readonly ignored: readonly RawIgnored[];
  /** In the order of the indices by which formulas refer to them. */
  readonly symbols: readonly RawSymbol[];
  readonly reasons: readonly string[];
  readonly notes: readonly Note[];
}

/** The first line of an answer, or a refusal, which has no other lines. */
export type RawAnswer = RawHead | Refusal;

type RawKnown<T> = T extends { readonly known: true } ? Omit<T, 'rows' | 'formula' | 'substitution'> : T;

/** The answer to `memory`, with formulas in prefix notation. */
export interface RawMemory extends Omit<MemoryAnswer, 'cache'> {
  readonly cache:
    | (RawKnown<Extract<MemoryAnswer['cache'], { readonly known: true }>> & {
        readonly rows: readonly (Omit<CacheRow, 'formula' | 'substitution'> & { readonly math: RawFormula })[];
        readonly math: RawFormula;
      })
    | Extract<MemoryAnswer['cache'], { readonly known: false }>;
  readonly symbols: readonly RawSymbol[];
}

/** The share of a row that a device holds: the index of the row, then the name, shape and elements on that device. */
export type RawLocalRow = readonly [row: number, name: string, shape: readonly (number | Count)[], elements: Count, math: RawFormula];

export type RawRankKind = Omit<RankKind, 'rows' | 'formula' | 'substitution'> & {
  readonly rows: readonly RawLocalRow[];
  readonly math: RawFormula;
};

/** The answer to `devices`, with formulas in prefix notation. */
export interface RawDevices extends Omit<DevicesAnswer, 'ranks' | 'sent'> {
  readonly ranks: readonly RawRankKind[];
  readonly sent: readonly RawExchange[];
  /** The derivation of one device's total, if steps are requested. The device is the requested rank or else the heaviest. */
  readonly steps?: readonly RawDeviceStep[];
  readonly symbols: readonly RawSymbol[];
}

export interface RawExchange extends Omit<Exchange, 'formula' | 'substitution'> {
  readonly math: RawFormula;
}

export interface RawDeviceStep extends Pick<DerivedStep, 'kind' | 'name' | 'part' | 'value'> {
  readonly math: RawFormula;
  readonly lines: readonly (readonly [
    row: number,
    name: string,
    shape: readonly (number | Count)[],
    shape_math: readonly RawFormula[],
    value: Count,
    math: RawFormula,
  ])[];
}

/**
 * One row of tensors in a step. `value`: the number of elements that the row adds to the step. `about`: the tensor that the row is tied to,
 * or the reason why published files contain it.
 */
export type RawDerivedTensor = readonly [
  name: string,
  shape: readonly (number | Count)[],
  shape_math: readonly RawFormula[],
  role: Role,
  task: string,
  value: Count,
  math: RawFormula,
  about?: string | null,
  /** Present if the matrix is stored as [in, out]. */
  transposed?: string,
];

export type RawDerivedStep = Pick<DerivedStep, 'name' | 'part' | 'list' | 'layers' | 'copies' | 'value' | keyof BlockFacts> & {
  readonly kind: Exclude<DerivedStep['kind'], 'device' | 'share' | 'beyond'>;
  readonly math: RawFormula;
  readonly lines?: readonly RawDerivedTensor[];
};

/** A derivation without its sentences: core/derivation/derivation_answer.hpp. */
export interface RawDerivation {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly sections: readonly { readonly section: string; readonly steps: readonly RawDerivedStep[] }[];
  /** The worked article, without its title and without the sentences of its steps. */
  readonly article: Article;
  readonly symbols: readonly RawSymbol[];
  /** The source of each field in the formulas that the configuration does not give. */
  readonly sources: Readonly<Record<string, 'default' | 'derived'>>;
  /** Facts about the model type, if transformers has it (core/derivation/type_facts.hpp), and the sliding windows of the model's cache. */
  readonly facts: {
    readonly activation?: string;
    readonly positions?: Positions;
    /** Whether the model has a key-value cache. */
    readonly caches?: true;
    readonly windows?: Windows;
  };
}
