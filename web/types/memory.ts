// Memory: what a model needs for generation and training, and the operations it performs.

import type { Count } from './formula.ts';

/** How a model is run or trained. */
export interface MemoryOptions {
  /** Tokens in the context; 4,096 by default. */
  readonly tokens?: number | bigint | Count;
  readonly batch?: number | bigint | Count;
  /** The number of beams in beam search. Each beam is a separate sequence. */
  readonly beams?: number | bigint | Count;
  /** Tokens that the encoder of an encoder-decoder model reads; by default the value of `tokens`. */
  readonly source?: number | bigint | Count;
  /**
   * The format of the weights: `published` (the format that the configuration names, or bfloat16 if it names none; the default), a number
   * type (`bfloat16`, `float8`, `int8`, `int4`, `nf4`) or a GGUF format (`Q4_0`, `Q6_K`, `Q4_K_M`).
   */
  readonly weights?: string;
  /** The number type of the cache; `bfloat16` by default. Recurrent states may have 32 bits regardless of it. */
  readonly cache?: string;
  /**
   * The memory of one device in bytes, and the number of devices. Weights and cache are divided evenly; `ledger.devices` computes what each
   * device actually holds. What training keeps is divided as `training.stage` says.
   */
  readonly room?: number | bigint | Count;
  readonly devices?: number | bigint | Count;
  readonly training?: TrainingOptions;
}

export interface TrainingOptions {
  readonly optimizer?: 'adamw' | 'adamw_8bit' | 'sgd' | 'sgd_momentum' | 'adafactor' | 'muon';
  /** `mixed`: computes in 16 bits, and keeps a master copy of the weights and (except for `adamw_8bit`) the states in 32 bits. */
  readonly precision?: 'mixed' | 'float32' | 'bfloat16';
  /** Trains LoRA adapters instead of the model's own weights. Module names are matched as in peft. */
  readonly lora?: {
    readonly r: number;
    readonly target_modules: readonly string[] | 'all-linear';
    /** Names of parameters to adapt, such as those that hold all experts in one tensor: `experts.gate_up_proj`. */
    readonly target_parameters?: readonly string[];
    /** Modules that are trained in full in addition to the adapters: `lm_head`. */
    readonly modules_to_save?: readonly string[];
    /** Whether to use DoRA, which also trains one magnitude per output feature. */
    readonly use_dora?: boolean;
    /** Whether to use rank-stabilized LoRA, which only changes the scaling and adds no parameters. */
    readonly use_rslora?: boolean;
  };
  /**
   * The ZeRO stage. 1 divides the optimizer states and the master copy among the devices, 2 also the gradients, 3 also the weights, as FSDP
   * does.
   */
  readonly stage?: 0 | 1 | 2 | 3;
}

/** A number of bytes, also rounded to GB (1,000,000,000 bytes) and GiB (1,073,741,824 bytes). */
export interface Bytes {
  readonly bytes: Count;
  readonly gb: string;
  readonly gib: string;
}

/** A result, or the reason why it is not known. */
export type Known<T> = ({ readonly known: true } & T) | { readonly known: false; readonly reason: string };

/** A row of the tensor table, as stored. A row whose tensors are stored in several formats has one entry for each format. */
export interface StoredRow {
  readonly name: string;
  readonly format: string;
  /** The elements of the whole row, also in each of several entries. */
  readonly elements: Count;
  readonly bytes: Count;
  /** The part of `bytes` that is quantization data, such as scales. */
  readonly beside?: Count;
  /** False if the tensors are stored in files but not loaded for inference. */
  readonly loaded?: boolean;
}

/** A tensor in the cache. Layers with equal tensors share one row. */
export interface CacheRow {
  readonly name: string;
  /** The shape. Its first dimension is the number of sequences. */
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly elements: Count;
  readonly bytes: Count;
  /** The bytes as a formula in the names of config fields and options, and with values. */
  readonly formula: string;
  readonly substitution: string;
}

/** The size of the cache in another engine. Known only where a log or the source code of the engine confirms it. */
export type EngineCache = { readonly engine: string } & Known<{
  /** The number type of keys and values: `f16`, `16 bits`. */
  readonly type: string;
  readonly keys: Bytes;
  readonly values: Bytes;
  /** Bytes of the recurrent states of all sequences; absent if there are none. */
  readonly states?: Bytes;
  readonly total: Bytes;
  /** The number of tokens that the engine allocates at a time, if it allocates in blocks. */
  readonly block?: Count;
  /** The number of devices, if the bytes are those on one of several devices. */
  readonly devices?: Count;
}>;

/** The answer to `Ledger.memory`. */
export interface MemoryAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly tokens: Count;
  readonly batch: Count;
  readonly beams?: Count;
  /** The number of tokens that the encoder of a text-to-text model such as T5 or BART reads; absent if the model contains none. */
  readonly source?: Count;
  readonly weights: Known<{
    readonly format: string;
    readonly note?: string;
    /** The bytes that are loaded for inference. */
    readonly loaded: Bytes;
    /** Bits per parameter of the model, including quantization data such as scales, rounded: `4.50`. */
    readonly bits_per_parameter?: string;
    /** The bytes of tensor data in the files, without headers; present if this differs from `loaded`. */
    readonly files?: Bytes;
    readonly rows: readonly StoredRow[];
  }>;
  readonly cache: Known<{
    readonly total: Bytes;
    /**
     * `per_token`: the bytes that each further token adds once all sliding windows are full. `constant`: the bytes that do not grow with
     * the context. Both are absent if the model compresses past tokens.
     */
    readonly per_token?: Count;
    readonly constant?: Count;
    readonly rows: readonly CacheRow[];
    /** The size of the cache in llama.cpp, SGLang and vLLM; absent if the model caches nothing. */
    readonly engines?: readonly EngineCache[];
    /** The size of the whole cache as one closed formula in the number of tokens T: in short symbols and with values. */
    readonly formula: string;
    readonly substitution: string;
  }>;
  /** The bytes of weights and cache together; absent if either is not known. */
  readonly need?: Bytes;
  /** If `room` was given and `need` is known: whether weights and cache fit, and the longest context that fits, 0 if none does. */
  readonly room?: {
    readonly total: Bytes;
    readonly devices: Count;
    readonly fits: boolean;
    readonly left?: Bytes;
    readonly missing?: Bytes;
    /** The memory of one device, and its share of `need`, rounded up. */
    readonly one: Bytes;
    readonly share: Bytes;
    /** Weights, cache and memory in ten-thousandths of the larger of `need` and the memory of all devices, for a bar chart. */
    readonly weights_share: number;
    readonly cache_share: number;
    readonly room_share: number;
    readonly longest: Count;
    /** True if every context of up to 2^53 tokens fits, as it does if the cache does not grow. */
    readonly unlimited?: boolean;
    /** If `longest` is limited but exceeds the maximum length that the configuration declares: that length and its field. */
    readonly beyond?: { readonly field: string; readonly tokens: Count };
  };
  /** The operations of a forward pass and of training. A multiply-add counts as two operations. */
  readonly compute: Known<{
    /** Multiply-adds with weights, per token, and the output head's part of them. */
    readonly matrices: Count;
    readonly head: Count;
    /** Operations for prompts of `tokens` tokens, and attention's part of them, which counts a score for every query-key pair. */
    readonly prompt: Count;
    readonly prompt_attention: Count;
    /** Operations for the next token after the prompt, and attention's part of them. */
    readonly next: Count;
    readonly next_attention: Count;
    /**
     * Operations for one token of every sequence, in the prompt or after it, on activations whose number does not grow with the context:
     * recurrent states, an encoder's output or outputs of earlier layers.
     */
    readonly states: Count;
    /** Operations for a forward and a backward pass: three times `prompt`. */
    readonly training: Count;
    /** Work that the model also does but that is not counted. */
    readonly left_out: readonly string[];
  }>;
  /**
   * For adapters: not known if nothing in the model has any of the given names, if peft refuses to adapt a module, or if it is unclear how
   * peft adapts it.
   */
  readonly training?: Known<{
    readonly trained: Count;
    readonly frozen?: Count;
    /** A remark, for example that no module has one of the given names. */
    readonly note?: string;
    /**
     * The bytes that training keeps, without activations. The size of activations depends on the kernels. `each`: the bytes on one device,
     * rounded up. `rest`: the remainder of that division, if there is one.
     */
    readonly rows: readonly {
      readonly name: 'frozen' | 'weights' | 'gradients' | 'master' | 'states';
      readonly total: Bytes;
      readonly each: Bytes;
      readonly rest?: Count;
    }[];
    readonly total: Bytes;
    readonly each: Bytes;
    /** The number of parameters that adapters train for each row of tensors; empty without adapters. */
    readonly tensors: readonly { readonly name: string; readonly trained: Count }[];
  }>;
}
