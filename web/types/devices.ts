// What each device holds of a model that several share.

import type { Count } from './formula.ts';
import type { Note } from './count.ts';
import type { Bytes, Known, TrainingOptions } from './memory.ts';
import type { TensorKind } from './count.ts';

/** Whose plan: of transformers 5.23, Megatron-Core 0.16.1, vLLM 0.11.0. */
export type PlanName = 'transformers' | 'megatron' | 'vllm';

/** How a model is shared, and what runs on it. There are `pipeline` · max(`tensor`, `expert`) devices. */
export interface DevicesOptions {
  /** Devices that share each tensor; 1 where nothing is said. */
  readonly tensor?: number | bigint | Count;
  /** Stages, each with layers of its own. */
  readonly pipeline?: number | bigint | Count;
  /** Devices that share the experts of a layer: a multiple of `tensor`; for Megatron-Core a divisor, too. */
  readonly expert?: number | bigint | Count;
  /** `transformers` where nothing is said. */
  readonly plan?: PlanName;
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
  /** What training keeps on each device; without adapters. `stage` divides it among the devices that hold the same. */
  readonly training?: Omit<TrainingOptions, 'lora'>;
  /** Copies of the whole model that train together: data parallelism. Only with `training`. */
  readonly data?: number | bigint | Count;
  /** Hidden states split by tokens between the blocks: sequence parallelism. Only of Megatron-Core. */
  readonly sequence?: boolean;
  /** Another plan of the same model, to stand next to this one. What it leaves out is as above. */
  readonly against?: Pick<DevicesOptions, 'tensor' | 'pipeline' | 'expert' | 'plan'>;
}

/**
 * `column`, `row`: of a linear layer, as in Megatron-LM. `embedding`: an embedding table. `expert`: whole experts. `layer`: whole, on one stage.
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
  /** The parameter of Megatron-Core or vLLM that holds it, alone or together with others; `*` is a layer or an expert. Absent for transformers. */
  readonly holder?: string;
  /** The first dimension as that program pads it; absent where it does not. */
  readonly padded?: Count;
  /** The word of transformers' plan: `colwise`, `rowwise`, `grouped_gemm`, … `colwise_repeated`: key-value heads that several devices hold. */
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
  /** Where training was asked for. `each`: what this device keeps of it. Without activations. */
  readonly training?: DeviceTraining;
  /** Its parameters as one closed formula, in short symbols and with the values in place. */
  readonly formula: string;
  readonly substitution: string;
  readonly rows: readonly LocalRow[];
}

/** What training keeps on a device. */
export interface DeviceTraining {
  readonly trained: Count;
  readonly stage: Count;
  /** How many devices hold the same share of what is not a whole expert, and of whole experts: these divide what the stage says. */
  readonly dense_copies: Count;
  readonly expert_copies?: Count;
  /** All of its share of the model, and what it keeps of that: elements of a flat division, rounded up. */
  readonly rows: readonly { readonly name: 'weights' | 'gradients' | 'master' | 'states'; readonly total: Bytes; readonly each: Bytes }[];
  readonly total: Bytes;
  readonly each: Bytes;
}

/** What devices exchange at one kind of place. */
export interface Exchange {
  readonly collective: 'all_reduce' | 'all_gather' | 'reduce_scatter' | 'all_to_all' | 'send';
  /** `step`: once for each update; the others once for each token. */
  readonly pass: 'forward' | 'backward' | 'step';
  /**
   * A part of the model; `experts`, `shared_experts`; `stages`: between them. Of a step: `dense` is everything but whole experts, `replicated`
   * the norms and routers that every device holds whole, `ends` the embedding table that two stages hold.
   */
  readonly place: string;
  /** How many devices take part. */
  readonly among: Count;
  /** Of the tensor that the collective works on, whatever its algorithm moves from device to device; how often; and both multiplied. */
  readonly elements: Count;
  readonly times: Count;
  readonly total: Count;
  readonly formula: string;
  readonly substitution: string;
  readonly why: string;
}

/** What each device holds. */
export interface DevicesAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly plan: PlanName;
  readonly tensor: Count;
  readonly pipeline: Count;
  readonly expert: Count;
  /** Of one copy of the model. */
  readonly devices: Count;
  /** Copies that train together, where more than one. */
  readonly data?: Count;
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
  /** What all devices hold: exactly the model, the extra copies and the padding of the vocabulary. Absent if one device was asked for. */
  readonly sum?: { readonly ranks: Count; readonly replicas: Count; readonly padding?: Count; readonly model: Count };
  /** What several devices hold: its parameters, on how many devices at most, and what that adds to each device on average, rounded down. */
  readonly replicated: readonly { readonly part: string; readonly parameters: Count; readonly copies: Count; readonly each: Count }[];
  /** How much more than its share the heaviest device holds. */
  readonly over: { readonly parameters: Count; readonly percent: string };
  /** What devices exchange for a token, and where training was asked for, backward and once a step. */
  readonly sent: readonly Exchange[];
  readonly notes: readonly Note[];
  /** Where another plan was asked for: its answer, and where the two differ. */
  readonly against?: { readonly answer: DevicesAnswer; readonly differences: readonly DeviceDifference[] };
}

/** What the heaviest device of a plan holds of a row. */
export interface DeviceShare {
  readonly rule: DivisionRule;
  /** Absent where that device holds nothing of it. */
  readonly shape?: readonly (number | Count)[];
  readonly elements: Count;
  readonly copies: Count;
  readonly holder?: string;
  readonly padded?: Count;
  readonly why: string;
}

/** A row that two plans divide differently. */
export interface DeviceDifference {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly part: string;
  readonly first: DeviceShare;
  readonly second: DeviceShare;
}
