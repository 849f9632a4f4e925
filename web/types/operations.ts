// The operations of a model under each common convention.

import type { Count } from './formula.ts';

export interface OperationsOptions {
  /** Tokens in the context; 4,096 by default. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  /** Tokens that the encoder of an encoder-decoder reads; by default as many as `tokens`. */
  readonly source?: number | bigint | Count;
  /** For the utilization: tokens per second of all devices, the number of devices, and the peak of one in TFLOP/s. */
  readonly tokens_per_second?: number | string;
  readonly devices?: number | bigint | Count;
  readonly peak?: number | string;
}

/** Operations under one convention: two for each multiply-add. */
export interface OperationsConvention {
  /** `forward_full`, `training_causal`, `six_n`, `palm`, … */
  readonly id: string;
  /** A forward pass, or a forward and a backward pass. */
  readonly pass: 'forward' | 'training';
  readonly label: string;
  /**
   * N: active parameters. M: multiply-adds with weights per token. A: multiply-adds of attention per pair of query and key, in all layers.
   * W: A with the keys in each layer's window. E: multiply-adds once per prompt. T: tokens. L, h, q: layers, heads and their dimension.
   */
  readonly formula: string;
  readonly substitution: string;
  readonly source: string;
  /** For all tokens of all sequences. */
  readonly total: Count;
  /** Absent if tokens differ. */
  readonly per_token?: Count;
  /** Model FLOPs utilization in percent, to two digits, if tokens per second and a peak were given. */
  readonly utilization?: string;
}

/** The operations of a model under each convention. */
export interface OperationsAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly tokens: Count;
  readonly batch: Count;
  /** Why conventions that need the forward pass are left out. */
  readonly unknown?: string;
  readonly conventions: readonly OperationsConvention[];
  /** What is computed too, but part of no convention. */
  readonly left_out: readonly string[];
}
