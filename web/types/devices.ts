// Model parallelism: what each device holds if several devices share a model.

import type { Count } from './formula.ts';
import type { Note } from './count.ts';
import type { Bytes, Known, TrainingOptions } from './memory.ts';
import type { TensorKind } from './count.ts';

/** The library whose parallelism plan is followed: transformers 5.23, Megatron-Core 0.16.1 or vLLM 0.11.0. */
export type PlanName = 'transformers' | 'megatron' | 'vllm';

/** How a model is divided among devices, and what the devices run. There are `pipeline` · max(`tensor`, `expert`) devices. */
export interface DevicesOptions {
  /** Tensor parallelism: the number of devices among which tensors are divided; 1 by default. */
  readonly tensor?: number | bigint | Count;
  /** Pipeline parallelism: the number of stages, each with its own layers. */
  readonly pipeline?: number | bigint | Count;
  /**
   * Expert parallelism: the number of devices that share the experts of a layer. It must be 1 or a multiple of `tensor`; for Megatron-Core
   * it may also be a divisor.
   */
  readonly expert?: number | bigint | Count;
  /** `transformers` by default. */
  readonly plan?: PlanName;
  /** Tokens in the context; 4,096 by default. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  readonly beams?: number | bigint | Count;
  readonly source?: number | bigint | Count;
  /** Formats of weights and cache, as in `MemoryOptions`. */
  readonly weights?: string;
  readonly cache?: string;
  /** The memory of one device, in bytes. */
  readonly room?: number | bigint | Count;
  /** The rank of a device, to get the answer for that device only. Ranks are numbered stage by stage. */
  readonly rank?: number | bigint | Count;
  /**
   * Adds what training keeps in memory on each device. Adapters and the plan `vllm` are not supported. The ZeRO `stage` divides this among
   * the devices that hold the same share of the model.
   */
  readonly training?: Omit<TrainingOptions, 'lora'>;
  /** Data parallelism: the number of copies of the model that train together. Only with `training`. */
  readonly data?: number | bigint | Count;
  /** Sequence parallelism: hidden states are split by tokens between the blocks. Only for Megatron-Core. */
  readonly sequence?: boolean;
  /** A second plan for the same model, to compare with. Sizes that are absent are 1. An absent `plan` is that of the first plan. */
  readonly against?: Pick<DevicesOptions, 'tensor' | 'pipeline' | 'expert' | 'plan'>;
}

/**
 * `column`, `row`: a linear layer, divided by output or input features as in Megatron-LM (with the style `packed_rowwise`, `row` divides by
 * output features). `embedding`: an embedding table, divided by rows or columns. `expert`: each device holds some experts whole. `layer`:
 * whole, on one pipeline stage. `replicated`: whole on several devices. `whole`: whole on the only device.
 */
export type DivisionRule = 'column' | 'row' | 'embedding' | 'expert' | 'layer' | 'replicated' | 'whole';

/** A row of the tensor table, and how it is divided among devices. */
export interface DividedRow {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly part: string;
  readonly kind: TensorKind;
  readonly rule: DivisionRule;
  /**
   * The parameter of Megatron-Core or vLLM that contains the tensor, possibly fused with others. `*` stands for a layer or expert index.
   * Absent for transformers, buffers and scales.
   */
  readonly holder?: string;
  /** The size of the first dimension with the padding that Megatron-Core or vLLM adds; absent without padding. */
  readonly padded?: Count;
  /**
   * How the tensor is divided, in the terms of transformers' plans where they have one: `colwise`, `rowwise`, `grouped_gemm`, …
   * `replicate`: not at all. `colwise_repeated`: by whole key-value heads; if there are fewer heads than devices, several devices hold the
   * same head.
   */
  readonly style: string;
  /** The pipeline stages that hold the tensor. `layers`: the stage of its layer. `ends`: the first and the last. */
  readonly stages: 'every' | 'layers' | 'first' | 'ends' | 'last';
  /** The index of the divided dimension; absent if no dimension is divided. */
  readonly dimension?: number;
  /** The number of different shares within a stage, and the number of devices of all stages that hold each element. */
  readonly parts: Count;
  readonly copies: Count;
  /** The elements of all tensors that the row stands for. */
  readonly elements: Count;
  readonly why: string;
}

/** The share of a row that one device holds. */
export interface LocalRow {
  /** The index of the row in `DevicesAnswer.rows`. */
  readonly row: number;
  /** The row's name with the indices of the layers and experts on this device. */
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly elements: Count;
  /**
   * The number of elements as a formula: in config field names, with `tensor`, `pipeline` and `expert` for the sizes of parallelism, and
   * with values.
   */
  readonly formula: string;
  readonly substitution: string;
}

/** The first and last index of a range, both included. */
export type Span = readonly [first: number, last: number];

/** Devices that hold tensors of the same shapes. `rows` describes one of them: the first or, if a rank was requested, the requested one. */
export interface RankKind {
  readonly ranks: readonly Span[];
  readonly stages: readonly Span[];
  /** The number of devices of this kind. */
  readonly count: Count;
  /** The rank and the pipeline stage of the device that `rows` describes. */
  readonly rank: Count;
  readonly stage: Count;
  readonly parameters: Count;
  readonly buffers: Count;
  readonly weights: Known<{ readonly format: string; readonly loaded: Bytes }>;
  readonly cache: Known<{ readonly total: Bytes }>;
  /** The bytes of weights and cache together; absent if either is not known. */
  readonly need?: Bytes;
  /** If `room` was given and `need` is known: whether weights and cache fit, and the bytes that are left or missing. */
  readonly fits?: boolean;
  readonly left?: Bytes;
  readonly missing?: Bytes;
  readonly parts: readonly { readonly part: string; readonly parameters: Count; readonly bytes?: Count }[];
  /** What training keeps on one of these devices, except activations. Only if training was requested. */
  readonly training?: DeviceTraining;
  /** The device's parameter count as one closed formula, in short symbols and with values. */
  readonly formula: string;
  readonly substitution: string;
  readonly rows: readonly LocalRow[];
}

/** What training keeps on a device. */
export interface DeviceTraining {
  readonly trained: Count;
  readonly stage: Count;
  /**
   * The number of devices that hold the same share, among which ZeRO divides it: `expert_copies` for experts that are held whole,
   * `dense_copies` for everything else.
   */
  readonly dense_copies: Count;
  readonly expert_copies?: Count;
  /**
   * `total`: the bytes for the device's whole share of the model. `each`: the bytes that the device keeps after ZeRO has divided them,
   * rounded up.
   */
  readonly rows: readonly { readonly name: 'weights' | 'gradients' | 'master' | 'states'; readonly total: Bytes; readonly each: Bytes }[];
  readonly total: Bytes;
  readonly each: Bytes;
}

/** One kind of communication between devices. */
export interface Exchange {
  readonly collective: 'all_reduce' | 'all_gather' | 'reduce_scatter' | 'all_to_all' | 'send';
  /** `step`: the numbers are per optimizer step. `forward` and `backward`: they are per token. */
  readonly pass: 'forward' | 'backward' | 'step';
  /**
   * The part of the model that communicates; `experts`, `shared_experts`, or `stages` for transfers between pipeline stages. For the pass
   * `step`: `dense` is everything except experts that are held whole, `ends` an embedding table that the first and the last stage hold, and
   * `replicated` the norms of query and key heads or, with sequence parallelism, everything that each device holds whole.
   */
  readonly place: string;
  /** The number of devices that take part in one exchange. */
  readonly among: Count;
  /**
   * The size in elements of the tensor that the collective works on, whatever algorithm implements it, or, for `all_to_all`, of the part
   * that goes to other devices; the number of exchanges; and their product. For the pass `step`: for the device at the index `heaviest`.
   */
  readonly elements: Count;
  readonly times: Count;
  readonly total: Count;
  readonly formula: string;
  readonly substitution: string;
  readonly why: string;
}

/** The answer to `Ledger.devices`: what each device holds. */
export interface DevicesAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly plan: PlanName;
  readonly tensor: Count;
  readonly pipeline: Count;
  readonly expert: Count;
  /** The number of devices that hold one copy of the model. */
  readonly devices: Count;
  /** The number of copies of the model that train together, if more than one. */
  readonly data?: Count;
  readonly tokens: Count;
  readonly sequences: Count;
  /** The model's parameter count, and an even share of it, rounded down. */
  readonly total: Count;
  readonly share: Count;
  readonly rows: readonly DividedRow[];
  /** The kinds of devices, ordered by their first ranks. If a rank was requested: only that device. */
  readonly ranks: readonly RankKind[];
  /**
   * The index in `ranks` of the devices with the most bytes of weights and cache. For devices whose bytes are not known, the number of
   * parameters is compared.
   */
  readonly heaviest: number;
  /**
   * `ranks`: the parameters on all devices together. They are the sum of the model's parameters (`model`), their additional copies
   * (`replicas`) and the padding of the vocabulary (`padding`, absent if it is 0). Absent if a rank was requested.
   */
  readonly sum?: { readonly ranks: Count; readonly replicas: Count; readonly padding?: Count; readonly model: Count };
  /**
   * By part: the parameters that several devices hold, on how many devices at most, and how many extra parameters this means per device on
   * average, rounded down.
   */
  readonly replicated: readonly { readonly part: string; readonly parameters: Count; readonly copies: Count; readonly each: Count }[];
  /** How many more parameters than an even share the device at the index `heaviest` holds; 0 if it holds fewer. */
  readonly over: { readonly parameters: Count; readonly percent: string };
  /**
   * What the devices send each other per token and, with training, once per step. What they send in the backward pass is listed only for
   * Megatron-Core.
   */
  readonly sent: readonly Exchange[];
  readonly notes: readonly Note[];
  /** If a second plan was requested: the answer for it, and the rows in which the two plans differ. */
  readonly against?: { readonly answer: DevicesAnswer; readonly differences: readonly DeviceDifference[] };
}

/** The share of a row that one device of a plan holds: the heaviest or, in the first plan, the requested one. */
export interface DeviceShare {
  readonly rule: DivisionRule;
  /** Absent if the device holds nothing of the row. */
  readonly shape?: readonly (number | Count)[];
  readonly elements: Count;
  readonly copies: Count;
  readonly holder?: string;
  readonly padded?: Count;
  readonly why: string;
}

/** A row of parameters that two plans divide by different rules, or into shares of different shapes on the compared devices. */
export interface DeviceDifference {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly part: string;
  readonly first: DeviceShare;
  readonly second: DeviceShare;
}
