// What each device holds of a model that several share.

import type { Count } from './formula.ts';
import type { Note } from './count.ts';
import type { Bytes, Known } from './memory.ts';
import type { TensorKind } from './count.ts';

/** How a model is shared, and what runs on it. There are `pipeline` · max(`tensor`, `expert`) devices. */
export interface DevicesOptions {
  /** Devices that share each tensor; 1 where nothing is said. */
  readonly tensor?: number | bigint | Count;
  /** Stages, each with layers of its own. */
  readonly pipeline?: number | bigint | Count;
  /** Devices that share the experts of a layer: a multiple of `tensor`. */
  readonly expert?: number | bigint | Count;
  /** Whose plan: that of transformers 5.23. */
  readonly plan?: 'transformers';
  /** In the context; 4,096 where nothing is said. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  readonly beams?: number | bigint | Count;
  readonly source?: number | bigint | Count;
  /** As `MemoryOptions` has them. */
  readonly weights?: string;
  readonly cache?: string;
  /** Bytes of one device's memory. */
  readonly room?: number | bigint | Count;
  /** One device alone, by its rank: tensor parallelism counts fastest, then the stages. */
  readonly rank?: number | bigint | Count;
}

/**
 * `column`, `row`: of a linear layer, as in Megatron-LM. `embedding`: a table of tokens. `expert`: whole experts. `layer`: whole, on one stage.
 * `replicated`: whole on several devices. `whole`: on the only one.
 */
export type DivisionRule = 'column' | 'row' | 'embedding' | 'expert' | 'layer' | 'replicated' | 'whole';

/** A row of the model, and how it is divided. */
export interface DividedRow {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly part: string;
  readonly kind: TensorKind;
  readonly rule: DivisionRule;
  /** The word of transformers' plan: `colwise`, `rowwise`, `grouped_gemm`, … */
  readonly style: string;
  /** Which stages hold it. */
  readonly stages: 'every' | 'layers' | 'first' | 'ends' | 'last';
  /** The dimension that is divided; absent where none is. */
  readonly dimension?: number;
  /** Into how many shares, and how many devices hold each of them. */
  readonly parts: Count;
  readonly copies: Count;
  /** Of all its tensors. */
  readonly elements: Count;
  readonly why: string;
}

/** What one device holds of a row. */
export interface LocalRow {
  /** Its place in `rows`. */
  readonly row: number;
  /** With the layers and the experts that are there. */
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly elements: Count;
  /** In config field names with T, P and E_p for the sizes, and with the values in place. */
  readonly formula: string;
  readonly substitution: string;
}

/** From one to another, both of them included. */
export type Span = readonly [first: number, last: number];

/** Devices that hold as much of everything. Names in `rows` are those of the first of them. */
export interface RankKind {
  readonly ranks: readonly Span[];
  readonly stages: readonly Span[];
  /** How many devices these are. */
  readonly count: Count;
  /** The device whose names are given, and its stage. */
  readonly rank: Count;
  readonly stage: Count;
  readonly parameters: Count;
  readonly buffers: Count;
  readonly weights: Known<{ readonly format: string; readonly loaded: Bytes }>;
  readonly cache: Known<{ readonly total: Bytes }>;
  /** Weights and cache. */
  readonly need?: Bytes;
  /** Where a room was given: whether it holds that, and what is left or missing. */
  readonly fits?: boolean;
  readonly left?: Bytes;
  readonly missing?: Bytes;
  readonly parts: readonly { readonly part: string; readonly parameters: Count; readonly bytes?: Count }[];
  /** Its parameters as one closed formula, in short symbols and with the values in place. */
  readonly formula: string;
  readonly substitution: string;
  readonly rows: readonly LocalRow[];
}

/** What each device holds. */
export interface DevicesAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly plan: 'transformers';
  readonly tensor: Count;
  readonly pipeline: Count;
  readonly expert: Count;
  readonly devices: Count;
  readonly tokens: Count;
  readonly sequences: Count;
  /** The model's parameters, and those of them divided by the devices, rounded down. */
  readonly total: Count;
  readonly share: Count;
  readonly rows: readonly DividedRow[];
  /** By their first ranks; the one that was asked for, if one was. */
  readonly ranks: readonly RankKind[];
  /** Which of `ranks` takes most. */
  readonly heaviest: number;
  /** What all devices hold is the model and what stands on several of them, exactly; absent where one device was asked for. */
  readonly sum?: { readonly ranks: Count; readonly replicas: Count; readonly model: Count };
  /** What stands on several devices: its parameters, on how many at most, and what that adds to each device on average, rounded down. */
  readonly replicated: readonly { readonly part: string; readonly parameters: Count; readonly copies: Count; readonly each: Count }[];
  /** How much more than its share the heaviest device holds. */
  readonly over: { readonly parameters: Count; readonly percent: string };
  readonly notes: readonly Note[];
}
