// Inputs of `read`, and its answers.

import type { Part } from './count.ts';
import type { Count } from './formula.ts';
import type { BytesInput, ConfigInput } from './input.ts';
import type { Refusal } from './refusal.ts';

/** A file to be read. */
export interface InputFile {
  /** The name, which identifies shards. */
  readonly name?: string;
  /** The head of a large file is enough: `wants` says which bytes belong to it. */
  readonly content: string | BytesInput;
  /** The size of the whole file, if `content` is only its beginning. */
  readonly size?: number;
  /** Further pieces of the file. */
  readonly further?: readonly { readonly at: number; readonly content: BytesInput }[];
}

/** A file with random access: on a disk, or over the network by ranges. */
export interface ByteSource {
  readonly name: string;
  readonly size: number;
  /** Returns exactly these bytes, or rejects. */
  readonly read: (begin: number, end: number) => Promise<Uint8Array>;
}

/** The bytes that `read` still needs of the files; empty if it has all heads. */
export interface Wants {
  readonly ok: true;
  readonly wants: readonly { readonly file: number; readonly begin: number; readonly end: number }[];
}

/** A configuration, for `count`. */
export interface ReadConfig {
  readonly ok: true;
  readonly kind: 'config';
  /** Its text, without a fence or a mark around it. It is JSON even if it was given in another notation. */
  readonly text: string;
  /** The other notation: Python's repr or source, YAML, arguments of a program, or the metadata that llama.cpp logs. */
  readonly notation?: 'python' | 'yaml' | 'arguments' | 'log';
  /** The index of its file. */
  readonly file: number;
}

/** An input that names a model and is not its configuration: an answer of the Hub's API, an adapter_config.json, a training recipe. */
export interface ReadNamed {
  readonly ok: true;
  readonly kind: 'named';
  readonly what: 'hub' | 'adapter' | 'recipe';
  /** `owner/name`; empty if there is none, or if it is somebody's folder. */
  readonly id: string;
  /** Elements of the published files, as the Hub says. */
  readonly parameters?: Count;
  readonly dtypes?: readonly { readonly dtype: string; readonly elements: Count }[];
  /** What is trained in addition to the model. It is counted if a configuration is passed, too; otherwise `uncounted` may say why not. */
  readonly adapter?: { readonly type: string; readonly parameters?: Count; readonly uncounted?: string };
}

/** An input that cannot be read. */
export interface ReadOther {
  readonly ok: true;
  readonly kind: 'other';
  readonly what: 'empty' | 'hdf5' | 'onnx' | 'flax' | 'binary' | 'pointer' | 'page' | 'list' | 'number' | 'words';
}

/** Tensors of one shape, as read. */
export interface ReadTensor {
  /** With index ranges, like the rows of a count. */
  readonly name: string;
  /** Absent if only the name is known. */
  readonly shape?: readonly (number | Count)[];
  /** In safetensors' spelling; absent if unknown. */
  readonly dtype?: string;
  /** The part that the name indicates; `other` if it indicates none. */
  readonly part: Part | 'other';
  /** `packed`: several numbers per element; `scale`: the factor of such numbers. `parameter` by default. */
  readonly kind?: 'buffer' | 'packed' | 'scale' | 'tied';
  /** For GGUF files: the name in the checkpoint that was converted. */
  readonly checkpoint?: string;
  /** True if its shape, or the width of packed numbers, is not given but inferred from other tensors or from convention. */
  readonly taken?: true;
  /** False if a wrapper such as LoRA freezes it. */
  readonly trainable?: false;
  /** How many tensors the row stands for; 1 by default. */
  readonly copies?: Count;
  /** Elements of one tensor; `total` by default. */
  readonly elements?: Count;
  /** For packed tensors: the stored elements. */
  readonly stored?: Count;
  /** Elements of all copies. Packed ones count as the numbers they hold. */
  readonly total?: Count;
}

/** Tensors that differ between the input and a configuration's model. */
export interface Difference {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  /** The model's shape, if it is another. */
  readonly expected?: readonly (number | Count)[];
  /** How many tensors have the name. */
  readonly tensors: Count;
  readonly total: Count;
}

/** The comparison of the input with a configuration's model. */
export interface Comparison {
  readonly model_type: string;
  readonly architecture: string;
  /** True if nothing is missing, unexpected or of another shape. */
  readonly agrees: boolean;
  readonly totals: { readonly matched_tensors: Count; readonly matched: Count; readonly missing: Count; readonly unexpected: Count };
  readonly missing: readonly Difference[];
  readonly unexpected: readonly Difference[];
  readonly other_shape: readonly Difference[];
  /** Tensors that share another's storage and are stored nevertheless. */
  readonly tied_stored: readonly Difference[];
  /** How many more entries each list has. */
  readonly missing_left_out?: number;
  readonly unexpected_left_out?: number;
  readonly other_shape_left_out?: number;
  readonly tied_stored_left_out?: number;
}

/** Tensors that were read from files, lists or a printed model. */
export interface ReadTensors {
  readonly ok: true;
  readonly kind: 'safetensors' | 'gguf' | 'pytorch' | 'numpy' | 'safetensors_index' | 'tensor_list' | 'printed_model';
  /** For a printed model: its outermost class. */
  readonly class?: string;
  /** True if something could not be read, contradicts the format, or is not shown. */
  readonly partial: boolean;
  readonly problems: readonly { readonly file?: number; readonly line?: number; readonly message: string }[];
  readonly problems_left_out?: Count;
  readonly totals: {
    readonly tensors: Count;
    /** Stored elements. Absent, like the following members, if only names are known. */
    readonly elements?: Count;
    /** Parameters, with packed numbers counted singly and without buffers and scales. Absent if a printed model does not determine it. */
    readonly parameters?: Count;
    /** For a printed model: what its text shows, with every module counted. */
    readonly shown?: Count;
    /** For a printed model with open fields: the parameters under the assumed values. */
    readonly if_assumed?: Count;
    readonly buffers?: Count;
    readonly scales?: Count;
    /** Present if every dtype is known. */
    readonly bytes?: Count;
    /** For a printed model: the parameters if the tensors that its class usually ties are tied, or else a head with the table's shape. The text does not say. */
    readonly if_tied?: Count;
    /** Trainable parameters if LoRA freezes the rest, and their share in millionths. */
    readonly trainable?: Count;
    readonly trainable_share?: Count;
    /** From an index: bytes and parameters of all files. */
    readonly total_size?: Count;
    readonly total_parameters?: Count;
  };
  readonly dtypes: readonly { readonly dtype: string; readonly tensors: Count; readonly elements: Count; readonly bytes: Count }[];
  readonly parts: readonly { readonly part: Part | 'other'; readonly parameters: Count }[];
  readonly tensors: readonly ReadTensor[];
  readonly tensors_left_out?: number;
  readonly files?: readonly { readonly name: string; readonly tensors: number; readonly given?: false }[];
  /** Metadata of the files. */
  readonly metadata?: readonly { readonly key: string; readonly value: string }[];
  /** Remarks that are not problems: tensors that are not part of the model, prefixes that were removed. */
  readonly notes?: readonly string[];
  /** Modules of a printed model that hold quantised numbers, counted as the matrices they stand for. */
  readonly quantized_modules?: Count;
  /** The configuration of the printed class, with the dimensions that the text shows; for GGUF files the one that was converted. */
  readonly recognised?: Comparison & {
    readonly config: object;
    /** Fields that the number depends on and that the text does not show: the assumed value of each, and the tensors that need it. */
    readonly open: readonly { readonly field: string; readonly assumed: unknown; readonly tensors: readonly string[] }[];
  };
  /** The requested comparison. */
  readonly check?: ({ readonly ok: true } & Comparison) | Refusal;
}

export type Reading = ReadConfig | ReadNamed | ReadOther | ReadTensors | Refusal;

/** Options of `read`. */
export interface ReadOptions {
  readonly config?: ConfigInput;
  readonly fields?: Readonly<Record<string, unknown>>;
}
