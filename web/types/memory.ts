// What a model takes in memory and operations.

import type { Count } from './formula.ts';

/** How a model is run or trained. */
export interface MemoryOptions {
  /** In the context; 4,096 where nothing is said. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  /** Of beam search; each is a sequence of its own. */
  readonly beams?: number | bigint | Count;
  /** Tokens that the encoder of an encoder-decoder reads; as many as `tokens` where nothing is said. */
  readonly source?: number | bigint | Count;
  /** `published` (as the configuration says), a type of numbers (`bfloat16`, `float8`, `int8`, `int4`, `nf4`) or a format of GGUF (`Q4_0`, `Q6_K`, `Q4_K_M`). */
  readonly weights?: string;
  /** The type of numbers that the cache is kept in; `bfloat16` where nothing is said. */
  readonly cache?: string;
  /** Bytes of one device's memory, and how many devices there are: all is divided evenly, which is not what each holds (`ledger.devices`). */
  readonly room?: number | bigint | Count;
  readonly devices?: number | bigint | Count;
  readonly training?: TrainingOptions;
}

export interface TrainingOptions {
  readonly optimizer?: 'adamw' | 'adamw_8bit' | 'sgd' | 'sgd_momentum' | 'adafactor' | 'muon';
  /** `mixed`: multiplied in 16 bits, with a copy and the optimizer's states in 32. */
  readonly precision?: 'mixed' | 'float32' | 'bfloat16';
  /** Adapters in the place of the model's own numbers; modules as peft matches them. */
  readonly lora?: {
    readonly r: number;
    readonly target_modules: readonly string[] | 'all-linear';
    /** Of experts that are one parameter: `experts.gate_up_proj`. */
    readonly target_parameters?: readonly string[];
    /** Modules that are trained whole beside the adapters: `lm_head`. */
    readonly modules_to_save?: readonly string[];
    /** With a magnitude for each output. */
    readonly use_dora?: boolean;
    /** Another scale, which adds no parameters. */
    readonly use_rslora?: boolean;
  };
  /** What ZeRO or FSDP divides among devices: 1 the optimizer, 2 gradients too, 3 all. */
  readonly stage?: 0 | 1 | 2 | 3;
}

/** Bytes, with what they are in GB (1,000,000,000) and in GiB (1,073,741,824), rounded. */
export interface Bytes {
  readonly bytes: Count;
  readonly gb: string;
  readonly gib: string;
}

/** What is not known says why. */
export type Known<T> = ({ readonly known: true } & T) | { readonly known: false; readonly reason: string };

/** A row of tensors as they are stored. */
export interface StoredRow {
  readonly name: string;
  readonly format: string;
  readonly elements: Count;
  readonly bytes: Count;
  /** Of `bytes`, scales and the like. */
  readonly beside?: Count;
  /** False: in files alone. */
  readonly loaded?: boolean;
}

/** A tensor that is kept while a model generates, and its copies. */
export interface CacheRow {
  readonly name: string;
  /** The first dimension is the sequences. */
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly elements: Count;
  readonly bytes: Count;
  /** Bytes in config field names, and with the values in place. */
  readonly formula: string;
  readonly substitution: string;
}

/** What a model takes. */
export interface MemoryAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly tokens: Count;
  readonly batch: Count;
  readonly beams?: Count;
  /** Where an encoder reads a text of its own. */
  readonly source?: Count;
  readonly weights: Known<{
    readonly format: string;
    readonly note?: string;
    /** What inference loads. */
    readonly loaded: Bytes;
    /** What files hold, where that is more; without their headers. */
    readonly files?: Bytes;
    readonly rows: readonly StoredRow[];
  }>;
  readonly cache: Known<{
    readonly total: Bytes;
    /** Bytes that each further token adds once windows are full, and what does not grow; absent where tokens are compressed. */
    readonly per_token?: Count;
    readonly constant?: Count;
    readonly rows: readonly CacheRow[];
    /** All of it as one closed formula in the tokens T, in short symbols and with the values in place. */
    readonly formula: string;
    readonly substitution: string;
  }>;
  /** Weights and cache. */
  readonly need?: Bytes;
  /** Where a room was given: how it is filled, and the longest context that fits. */
  readonly room?: {
    readonly total: Bytes;
    readonly devices: Count;
    readonly fits: boolean;
    readonly left?: Bytes;
    readonly missing?: Bytes;
    /** The memory of one device, and the share of the need that falls to it. */
    readonly one: Bytes;
    readonly share: Bytes;
    /** In ten-thousandths of the larger of need and room. */
    readonly weights_share: number;
    readonly cache_share: number;
    readonly room_share: number;
    readonly longest: Count;
    /** True where the cache does not grow beyond the room, however long the context. */
    readonly unlimited?: boolean;
    /** Where `longest` is more than the configuration says that the model is made for, and the field that says so. */
    readonly beyond?: { readonly field: string; readonly tokens: Count };
  };
  /** Operations: two for each multiply-add. */
  readonly compute: Known<{
    /** Multiply-adds of weights for each token, and of those the head's. */
    readonly matrices: Count;
    readonly head: Count;
    /** Of a prompt of so many tokens, and of that attention's, each query with each key. */
    readonly prompt: Count;
    readonly prompt_attention: Count;
    /** Of one token after it. */
    readonly next: Count;
    readonly next_attention: Count;
    /** Of each token, in a prompt and after it: products with states of recurrences, with an encoder's output, or with outputs of earlier layers. */
    readonly states: Count;
    /** Three times a prompt: forward, and twice as much backward. */
    readonly training: Count;
    /** What is computed besides and not counted. */
    readonly left_out: readonly string[];
  }>;
  /** Not known where peft adapts nothing by these names, or refuses them. */
  readonly training?: Known<{
    readonly trained: Count;
    readonly frozen?: Count;
    /** Without activations, which depend on kernels. `rest`: bytes that an even division leaves over. */
    readonly rows: readonly {
      readonly name: 'frozen' | 'weights' | 'gradients' | 'master' | 'states';
      readonly total: Bytes;
      readonly each: Bytes;
      readonly rest?: Count;
    }[];
    readonly total: Bytes;
    readonly each: Bytes;
    /** Of adapters, what each row of tensors receives. */
    readonly tensors: readonly { readonly name: string; readonly trained: Count }[];
  }>;
}
