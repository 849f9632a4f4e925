// What each device holds if several share the model.

import type { Count } from './formula.ts';
import type { Note } from './count.ts';
import type { Bytes, Known, TrainingOptions } from './memory.ts';
import type { TensorKind } from './count.ts';

/** The program whose plan is used: transformers 5.23, Megatron-Core 0.16.1, vLLM 0.11.0. */
export type PlanName = 'transformers' | 'megatron' | 'vllm';

/** How a model is shared, and what runs on it. There are `pipeline` · max(`tensor`, `expert`) devices. */
export interface DevicesOptions {
  /** Devices that share each tensor; 1 by default. */
  readonly tensor?: number | bigint | Count;
  /** Pipeline stages, each with its own layers. */
  readonly pipeline?: number | bigint | Count;
  /** Devices that share the experts of a layer: a multiple of `tensor`; for Megatron-Core a divisor is allowed, too. */
  readonly expert?: number | bigint | Count;
  /** `transformers` by default. */
  readonly plan?: PlanName;
  /** Tokens in the context; 4,096 by default. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  readonly beams?: number | bigint | Count;
  readonly source?: number | bigint | Count;
  /** As in `MemoryOptions`. */
  readonly weights?: string;
  readonly cache?: string;
  /** Bytes of one device's memory. */
  readonly room?: number | bigint | Count;
  /** One device, by its rank: tensor parallelism counts fastest, then the stages. */
  readonly rank?: number | bigint | Count;
  /** What training keeps on each device; without adapters. `stage` divides it among the devices that hold the same. */
  readonly training?: Omit<TrainingOptions, 'lora'>;
  /** Copies of the whole model that train together: data parallelism. Only with `training`. */
  readonly data?: number | bigint | Count;
  /** Hidden states are split by tokens between the blocks: sequence parallelism. Only for Megatron-Core. */
  readonly sequence?: boolean;
  /** A second plan for the same model. Missing members have the defaults above. */
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
  /**
   * The parameter of Megatron-Core or vLLM that contains it, alone or with others; `*` is a layer or an expert. Absent for transformers.
   */
  readonly holder?: string;
  /** The first dimension with that program's padding; absent without padding. */
  readonly padded?: Count;
  /**
   * The style in transformers' plan: `colwise`, `rowwise`, `grouped_gemm`, … `colwise_repeated`: several devices hold the same key-value
   * heads.
   */
  readonly style: string;
  /** The stages that hold it. */
  readonly stages: 'every' | 'layers' | 'first' | 'ends' | 'last';
  /** The dimension that is divided; absent if there is none. */
  readonly dimension?: number;
  /** The number of shares, and the number of devices that hold each of them. */
  readonly parts: Count;
  readonly copies: Count;
  /** Elements of all its tensors. */
  readonly elements: Count;
  readonly why: string;
}

/** What one device holds of a row. */
export interface LocalRow {
  /** Its index in `rows`. */
  readonly row: number;
  /** With the layers and experts on this device. */
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly elements: Count;
  /** In config field names with T, P and E_p for the sizes, and with values. */
  readonly formula: string;
  readonly substitution: string;
}

/** The first and the last one, inclusive. */
export type Span = readonly [first: number, last: number];

/** Devices with equal contents. Names in `rows` are those of the first one. */
export interface RankKind {
  readonly ranks: readonly Span[];
  readonly stages: readonly Span[];
  /** The number of these devices. */
  readonly count: Count;
  /** The device with the given names, and its stage. */
  readonly rank: Count;
  readonly stage: Count;
  readonly parameters: Count;
  readonly buffers: Count;
  readonly weights: Known<{ readonly format: string; readonly loaded: Bytes }>;
  readonly cache: Known<{ readonly total: Bytes }>;
  /** Weights and cache. */
  readonly need?: Bytes;
  /** If a memory size was given: whether the device's contents fit, and what is left or missing. */
  readonly fits?: boolean;
  readonly left?: Bytes;
  readonly missing?: Bytes;
  readonly parts: readonly { readonly part: string; readonly parameters: Count; readonly bytes?: Count }[];
  /** If training was requested. `each`: what this device keeps. Without activations. */
  readonly training?: DeviceTraining;
  /** Its parameters as one closed formula, in short symbols and with values. */
  readonly formula: string;
  readonly substitution: string;
  readonly rows: readonly LocalRow[];
}

/** What training keeps on a device. */
export interface DeviceTraining {
  readonly trained: Count;
  readonly stage: Count;
  /** How many devices hold the same share: of everything but whole experts, and of whole experts. ZeRO divides among these. */
  readonly dense_copies: Count;
  readonly expert_copies?: Count;
  /** Its whole share of the model, and the part of it that it keeps: elements of a flat division, rounded up. */
  readonly rows: readonly { readonly name: 'weights' | 'gradients' | 'master' | 'states'; readonly total: Bytes; readonly each: Bytes }[];
  readonly total: Bytes;
  readonly each: Bytes;
}

/** One kind of exchange between devices. */
export interface Exchange {
  readonly collective: 'all_reduce' | 'all_gather' | 'reduce_scatter' | 'all_to_all' | 'send';
  /** `step`: once per update; the others once per token. */
  readonly pass: 'forward' | 'backward' | 'step';
  /**
   * A part of the model; `experts`, `shared_experts`; `stages`: between them. Of a step: `dense` is everything but whole experts, `replicated`
   * the norms and routers that every device holds whole, `ends` the embedding table that two stages hold.
   */
  readonly place: string;
  /** The number of devices that take part. */
  readonly among: Count;
  /** The elements of the tensor that a collective works on, independent of its algorithm; the number of exchanges; and the product. */
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
  /** Parameters of one copy of the model. */
  readonly devices: Count;
  /** Copies that train together, if there are several. */
  readonly data?: Count;
  readonly tokens: Count;
  readonly sequences: Count;
  /** The model's parameters, and these divided by the number of devices, rounded down. */
  readonly total: Count;
  readonly share: Count;
  readonly rows: readonly DividedRow[];
  /** Ordered by their first ranks; only the requested one, if one was. */
  readonly ranks: readonly RankKind[];
  /** The index in `ranks` of the heaviest one. */
  readonly heaviest: number;
  /** What all devices hold: exactly the model, the extra copies and the padding of the vocabulary. Absent if one device was asked for. */
  readonly sum?: { readonly ranks: Count; readonly replicas: Count; readonly padding?: Count; readonly model: Count };
  /** What several devices hold: its parameters, on how many devices at most, and what that adds to each device on average, rounded down. */
  readonly replicated: readonly { readonly part: string; readonly parameters: Count; readonly copies: Count; readonly each: Count }[];
  /** How far the heaviest device is above an even share. */
  readonly over: { readonly parameters: Count; readonly percent: string };
  /** What devices exchange per token and, with training, backward and once per step. */
  readonly sent: readonly Exchange[];
  readonly notes: readonly Note[];
  /** If a second plan was requested: its answer, and the differences. */
  readonly against?: { readonly answer: DevicesAnswer; readonly differences: readonly DeviceDifference[] };
}

/** What the heaviest device of a plan holds of a row. */
export interface DeviceShare {
  readonly rule: DivisionRule;
  /** Absent if that device holds nothing of it. */
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
