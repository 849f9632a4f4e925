// Operations: the FLOPs of a model under each common convention.

import type { Count } from './formula.ts';

export interface OperationsOptions {
  /** Tokens in the context; 4,096 by default. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  /** Tokens that the encoder of an encoder-decoder model reads; by default the value of `tokens`. */
  readonly source?: number | bigint | Count;
  /**
   * For the model FLOPs utilization: the tokens per second of all devices together, the number of devices, and the peak of one device in
   * TFLOP/s.
   */
  readonly tokens_per_second?: number | string;
  readonly devices?: number | bigint | Count;
  readonly peak?: number | string;
}

/** The operations under one convention. A multiply-add counts as two operations. */
export interface OperationsConvention {
  /** The identifier: `forward_full`, `training_causal`, `six_n`, `palm`, … */
  readonly id: string;
  /** Whether the convention counts only a forward pass, or a forward and a backward pass. */
  readonly pass: 'forward' | 'training';
  readonly label: string;
  /**
   * N: active parameters, in some conventions without embedding tables. M: multiply-adds with weights and recurrent states, per token. A:
   * multiply-adds of attention per query-key pair, over all layers. W: multiply-adds of attention per query, with each layer's keys limited
   * to its window. E: multiply-adds done once per prompt. T: tokens. L, h, q: the numbers of layers and heads, and the head dimension.
   * w: the window of a layer.
   */
  readonly formula: string;
  readonly substitution: string;
  readonly source: string;
  /** Operations for all tokens of all sequences. */
  readonly total: Count;
  /** Operations per token; absent if the convention includes operations that are done once per prompt. */
  readonly per_token?: Count;
  /** The model FLOPs utilization in percent, with two decimals, if tokens per second and a peak were given; absent without `per_token`. */
  readonly utilization?: string;
}

/** The answer to `Ledger.operations`. */
export interface OperationsAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly tokens: Count;
  readonly batch: Count;
  /** Why the conventions that require the operations of a forward pass are missing. */
  readonly unknown?: string;
  readonly conventions: readonly OperationsConvention[];
  /** Work that the model also does but that the conventions based on a forward pass do not count. */
  readonly left_out: readonly string[];
}
