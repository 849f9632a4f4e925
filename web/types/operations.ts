// What a model computes, by the conventions that people mean.

import type { Count } from './formula.ts';

export interface OperationsOptions {
  /** In the context; 4,096 where nothing is said. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  /** Tokens that the encoder of an encoder-decoder reads; as many as `tokens` where nothing is said. */
  readonly source?: number | bigint | Count;
  /** For a utilization: the tokens of all devices in a second, how many devices there are, and the peak of one in TFLOP/s. */
  readonly tokens_per_second?: number | string;
  readonly devices?: number | bigint | Count;
  readonly peak?: number | string;
}

/** Operations under one convention: two for each multiply-add. */
export interface OperationsConvention {
  /** `forward_full`, `training_causal`, `six_n`, `palm`, … */
  readonly id: string;
  /** A forward pass alone, or a forward and a backward pass. */
  readonly pass: 'forward' | 'training';
  readonly label: string;
  /**
   * N: active parameters. M: multiply-adds with weights for a token. A: multiply-adds of attention for a query and a key, in all layers.
   * W: A with the keys of each layer's window. E: multiply-adds once for a prompt. T: tokens. L, h, q: layers, heads and their width.
   */
  readonly formula: string;
  readonly substitution: string;
  readonly source: string;
  /** Of all tokens of all sequences. */
  readonly total: Count;
  /** Absent where tokens differ. */
  readonly per_token?: Count;
  /** Model FLOPs utilization in percent, to two digits, where tokens a second and a peak were given. */
  readonly utilization?: string;
}

/** What a model computes under each convention. */
export interface OperationsAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly tokens: Count;
  readonly batch: Count;
  /** Why conventions that need the forward pass are left out. */
  readonly unknown?: string;
  readonly conventions: readonly OperationsConvention[];
  /** What is computed besides and not counted by any of them. */
  readonly left_out: readonly string[];
}
