// The memory and the operations of a model.

import type { Count } from './formula.ts';

/** How a model is run or trained. */
export interface MemoryOptions {
  /** Tokens in the context; 4,096 by default. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  /** Beams of a beam search; each is a separate sequence. */
  readonly beams?: number | bigint | Count;
  /** Tokens that the encoder of an encoder-decoder reads; by default as many as `tokens`. */
  readonly source?: number | bigint | Count;
  /**
   * `published` (as the configuration says), a number type (`bfloat16`, `float8`, `int8`, `int4`, `nf4`) or a GGUF format (`Q4_0`, `Q6_K`,
   * `Q4_K_M`).
   */
  readonly weights?: string;
  /** The number type of the cache; `bfloat16` by default. */
  readonly cache?: string;
  /**
   * Bytes of one device's memory, and the number of devices. Everything is divided evenly; `ledger.devices` says what each device really
   * holds.
   */
  readonly room?: number | bigint | Count;
  readonly devices?: number | bigint | Count;
  readonly training?: TrainingOptions;
}

export interface TrainingOptions {
  readonly optimizer?: 'adamw' | 'adamw_8bit' | 'sgd' | 'sgd_momentum' | 'adafactor' | 'muon';
  /** `mixed`: computes in 16 bits, with a master copy and the optimizer's states in 32. */
  readonly precision?: 'mixed' | 'float32' | 'bfloat16';
  /** Adapters instead of the model's own weights; modules as peft matches them. */
  readonly lora?: {
    readonly r: number;
    readonly target_modules: readonly string[] | 'all-linear';
    /** Experts that are one parameter: `experts.gate_up_proj`. */
    readonly target_parameters?: readonly string[];
    /** Modules that are trained in full, in addition to the adapters: `lm_head`. */
    readonly modules_to_save?: readonly string[];
    /** With a magnitude per output (DoRA). */
    readonly use_dora?: boolean;
    /** Another scale, which adds no parameters. */
    readonly use_rslora?: boolean;
  };
  /** What ZeRO or FSDP divides among devices: 1 the optimizer, 2 also gradients, 3 everything. */
  readonly stage?: 0 | 1 | 2 | 3;
}

/** Bytes, and the same in GB (1,000,000,000) and in GiB (1,073,741,824), rounded. */
export interface Bytes {
  readonly bytes: Count;
  readonly gb: string;
  readonly gib: string;
}

/** If it is not known, the reason. */
export type Known<T> = ({ readonly known: true } & T) | { readonly known: false; readonly reason: string };

/** A row of tensors as stored. */
export interface StoredRow {
  readonly name: string;
  readonly format: string;
  readonly elements: Count;
  readonly bytes: Count;
  /** The part of `bytes` for scales and the like. */
  readonly beside?: Count;
  /** False: in files only. */
  readonly loaded?: boolean;
}

/** A tensor that is kept during generation, and its copies. */
export interface CacheRow {
  readonly name: string;
  /** The first dimension is the number of sequences. */
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly elements: Count;
  readonly bytes: Count;
  /** Bytes in config field names, and with values. */
  readonly formula: string;
  readonly substitution: string;
}

/** The cache as another engine keeps it. Known only where a log or the source of the engine proves it. */
export type EngineCache = { readonly engine: string } & Known<{
  /** The number type of keys and values, as the engine names it: `f16`. */
  readonly type: string;
  readonly keys: Bytes;
  readonly values: Bytes;
  /** Recurrent states of all sequences. */
  readonly states?: Bytes;
  readonly total: Bytes;
  /** Tokens that the engine allocates together, if it does. */
  readonly block?: Count;
  /** If the bytes are those of one of several devices: how many there are. */
  readonly devices?: Count;
}>;

/** The memory of a model. */
export interface MemoryAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly tokens: Count;
  readonly batch: Count;
  readonly beams?: Count;
  /** Tokens that a text encoder reads, if there is one. */
  readonly source?: Count;
  readonly weights: Known<{
    readonly format: string;
    readonly note?: string;
    /** The bytes that inference loads. */
    readonly loaded: Bytes;
    /** Bits per parameter of the model, with scales and the like, rounded: `4.50`. */
    readonly bits_per_parameter?: string;
    /** The bytes in files, if that is more; without their headers. */
    readonly files?: Bytes;
    readonly rows: readonly StoredRow[];
  }>;
  readonly cache: Known<{
    readonly total: Bytes;
    /** Bytes per further token once windows are full, and the constant part; absent if tokens are compressed. */
    readonly per_token?: Count;
    readonly constant?: Count;
    readonly rows: readonly CacheRow[];
    /** The same cache as llama.cpp, SGLang and vLLM keep it; absent if nothing is kept. */
    readonly engines?: readonly EngineCache[];
    /** The whole cache as one closed formula in the tokens T, in short symbols and with values. */
    readonly formula: string;
    readonly substitution: string;
  }>;
  /** Weights and cache. */
  readonly need?: Bytes;
  /** If a memory size was given: how it is filled, and the longest context that fits. */
  readonly room?: {
    readonly total: Bytes;
    readonly devices: Count;
    readonly fits: boolean;
    readonly left?: Bytes;
    readonly missing?: Bytes;
    /** The memory of one device, and its share of the need. */
    readonly one: Bytes;
    readonly share: Bytes;
    /** In ten-thousandths of the larger of need and memory. */
    readonly weights_share: number;
    readonly cache_share: number;
    readonly room_share: number;
    readonly longest: Count;
    /** True if the cache always fits, however long the context. */
    readonly unlimited?: boolean;
    /** If `longest` exceeds the length that the configuration declares: that length and its field. */
    readonly beyond?: { readonly field: string; readonly tokens: Count };
  };
  /** Operations: two for each multiply-add. */
  readonly compute: Known<{
    /** Multiply-adds with weights per token, and the head's part of them. */
    readonly matrices: Count;
    readonly head: Count;
    /** For a prompt of that many tokens, and the part of attention, each query with each key. */
    readonly prompt: Count;
    readonly prompt_attention: Count;
    /** For one token after the prompt. */
    readonly next: Count;
    readonly next_attention: Count;
    /** Per token, in a prompt and after it: products with recurrent states, with an encoder's output, or with outputs of earlier layers. */
    readonly states: Count;
    /** Three times a prompt: forward, and twice as much backward. */
    readonly training: Count;
    /** What is computed too but not counted. */
    readonly left_out: readonly string[];
  }>;
  /** Not known if peft adapts nothing with these names, or refuses them. */
  readonly training?: Known<{
    readonly trained: Count;
    readonly frozen?: Count;
    /** Without activations, which depend on kernels. `rest`: the bytes that remain after an even division. */
    readonly rows: readonly {
      readonly name: 'frozen' | 'weights' | 'gradients' | 'master' | 'states';
      readonly total: Bytes;
      readonly each: Bytes;
      readonly rest?: Count;
    }[];
    readonly total: Bytes;
    readonly each: Bytes;
    /** For adapters: what each row of tensors receives. */
    readonly tensors: readonly { readonly name: string; readonly trained: Count }[];
  }>;
}
