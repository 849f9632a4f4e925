// The inputs of `Ledger.read` and its answers.

import type { Part } from './count.ts';
import type { Count } from './formula.ts';
import type { BytesInput, ConfigInput } from './input.ts';
import type { Refusal } from './refusal.ts';

/** A file to be read. */
export interface InputFile {
  /** The file name, which identifies shards. */
  readonly name?: string;
  /** The content. The beginning of a large file is enough: `wants` returns the byte ranges that are needed. */
  readonly content: string | BytesInput;
  /** The size of the whole file in bytes, if `content` is only its beginning. */
  readonly size?: number;
  /** Further pieces of the file, each with its offset in bytes (`at`). */
  readonly further?: readonly { readonly at: number; readonly content: BytesInput }[];
}

/** A file with random access, for example on disk or over HTTP range requests. */
export interface ByteSource {
  readonly name: string;
  readonly size: number;
  /** Returns exactly the bytes from `begin` up to but not including `end`, or rejects. */
  readonly read: (begin: number, end: number) => Promise<Uint8Array>;
}

/**
 * The next byte ranges that `read` needs, at most one per file; empty if nothing is missing. `file` is the index of the file. Further
 * ranges may be needed after these.
 */
export interface Wants {
  readonly ok: true;
  readonly wants: readonly { readonly file: number; readonly begin: number; readonly end: number }[];
}

/** A configuration, which can be passed to `count`. */
export interface ReadConfig {
  readonly ok: true;
  readonly kind: 'config';
  /** The configuration as JSON, converted if it was given in another notation. A Markdown fence or byte order mark around it is removed. */
  readonly text: string;
  /** The original notation, if it is not JSON: Python source or repr, YAML, command-line arguments, or the metadata in a llama.cpp log. */
  readonly notation?: 'python' | 'yaml' | 'arguments' | 'log';
  /** The index of the file that contains the configuration. */
  readonly file: number;
}

/**
 * An input that names a model without being its configuration: a response of the Hub's API, an adapter_config.json, or a training recipe.
 */
export interface ReadNamed {
  readonly ok: true;
  readonly kind: 'named';
  readonly what: 'hub' | 'adapter' | 'recipe';
  /** The model's id on the Hub, `owner/name`; empty if the input names no model or a local folder. */
  readonly id: string;
  /** The number of elements in the published files, according to the Hub. */
  readonly parameters?: Count;
  readonly dtypes?: readonly { readonly dtype: string; readonly elements: Count }[];
  /**
   * The adapter that is trained. Its parameters are counted if a configuration is passed as well. If they are not counted, `uncounted` may
   * give the reason.
   */
  readonly adapter?: { readonly type: string; readonly parameters?: Count; readonly uncounted?: string };
}

/** An input in which nothing can be counted, and what it appears to be. */
export interface ReadOther {
  readonly ok: true;
  readonly kind: 'other';
  readonly what: 'empty' | 'hdf5' | 'onnx' | 'flax' | 'binary' | 'pointer' | 'page' | 'list' | 'number' | 'words';
}

/** A row of tensors that have the same shape. */
export interface ReadTensor {
  /** The name with index ranges, as in the rows of a count. */
  readonly name: string;
  /** Absent if only the name is known. */
  readonly shape?: readonly (number | Count)[];
  /** The number type as safetensors spells it (`BF16`), or the block format of a GGUF file (`Q4_K`); absent if unknown. */
  readonly dtype?: string;
  /** The part of the model that the name indicates, or `other`. */
  readonly part: Part | 'other';
  /**
   * `packed`: each element holds several numbers. `scale`: scaling factors of packed numbers. `tied`: shares the values of another tensor,
   * where they are counted. If absent, the tensor is a parameter.
   */
  readonly kind?: 'buffer' | 'packed' | 'scale' | 'tied';
  /** For GGUF files: the tensor's name in the checkpoint that was converted. */
  readonly checkpoint?: string;
  /** True if the shape, or the bit width of packed numbers, is not in the input but inferred from other tensors or from convention. */
  readonly taken?: true;
  /** False if a wrapper such as LoRA freezes the tensor. */
  readonly trainable?: false;
  /** The number of tensors that the row stands for; 1 by default. */
  readonly copies?: Count;
  /** The number of stored elements in one tensor; present if there are several copies and it is known. */
  readonly elements?: Count;
  /** For packed tensors: the number of stored elements in all copies. */
  readonly stored?: Count;
  /** The number of elements in all copies, with packed numbers counted individually; absent if it is not known. */
  readonly total?: Count;
}

/** A row of tensors in which the input differs from the configuration's model. */
export interface Difference {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  /** The shape in the model, if it differs. */
  readonly expected?: readonly (number | Count)[];
  /** The number of tensors that the row stands for. */
  readonly tensors: Count;
  readonly total: Count;
}

/** How the tensors in the input differ from those of a configuration's model. */
export interface Comparison {
  readonly model_type: string;
  readonly architecture: string;
  /**
   * True if no tensor is missing, unexpected or of a different shape. For a printed model: true if the text does not contradict the model.
   * `missing` may then contain tensors that the text does not show.
   */
  readonly agrees: boolean;
  readonly totals: { readonly matched_tensors: Count; readonly matched: Count; readonly missing: Count; readonly unexpected: Count };
  readonly missing: readonly Difference[];
  readonly unexpected: readonly Difference[];
  readonly other_shape: readonly Difference[];
  /** Tensors that the model ties to another one but that are stored nevertheless. */
  readonly tied_stored: readonly Difference[];
  /** The number of entries that were left out of each list. */
  readonly missing_left_out?: number;
  readonly unexpected_left_out?: number;
  readonly other_shape_left_out?: number;
  readonly tied_stored_left_out?: number;
}

/** Tensors that were read from files, lists or a printed model. */
export interface ReadTensors {
  readonly ok: true;
  readonly kind: 'safetensors' | 'gguf' | 'pytorch' | 'numpy' | 'safetensors_index' | 'tensor_list' | 'printed_model';
  /** For a printed model: the name of the outermost class. */
  readonly class?: string;
  /** True if there are `problems`, or if a printed model does not determine the parameter count. */
  readonly partial: boolean;
  /** The first 100 problems. `file`: the index of the file, absent for the first one. `line` is counted from 1. */
  readonly problems: readonly { readonly file?: number; readonly line?: number; readonly message: string }[];
  readonly problems_left_out?: Count;
  readonly totals: {
    readonly tensors: Count;
    /** Stored elements. Absent, like the members from `parameters` to `trainable_share`, if the shape of some tensor is not known. */
    readonly elements?: Count;
    /**
     * Parameters: packed numbers counted individually, without buffers and scales. Absent if a printed model does not determine the count.
     */
    readonly parameters?: Count;
    /** For a printed model: the parameters of the modules in the text, each counted separately. */
    readonly shown?: Count;
    /** For a printed model that does not show all necessary fields: the parameters under the assumed values. */
    readonly if_assumed?: Count;
    readonly buffers?: Count;
    readonly scales?: Count;
    /** The size in bytes, if the dtype of every tensor is known; absent for a printed model. */
    readonly bytes?: Count;
    /**
     * For a printed model: the parameters if the output head is tied to the embedding, which the text does not show. `parameters` is then
     * the untied count.
     */
    readonly if_tied?: Count;
    /** For a printed model with an adapter such as LoRA: the trainable parameters, and their share in millionths. */
    readonly trainable?: Count;
    readonly trainable_share?: Count;
    /** From a safetensors index: the bytes and the parameters of all files. */
    readonly total_size?: Count;
    readonly total_parameters?: Count;
  };
  readonly dtypes: readonly { readonly dtype: string; readonly tensors: Count; readonly elements: Count; readonly bytes: Count }[];
  readonly parts: readonly { readonly part: Part | 'other'; readonly parameters: Count }[];
  readonly tensors: readonly ReadTensor[];
  readonly tensors_left_out?: number;
  readonly files?: readonly { readonly name: string; readonly tensors: number; readonly given?: false }[];
  /** The first entries of the metadata in the files. */
  readonly metadata?: readonly { readonly key: string; readonly value: string }[];
  /** Remarks that are not problems, for example tensors that do not belong to the model, or prefixes that were removed. */
  readonly notes?: readonly string[];
  /** For a printed model: the number of quantized modules. They are counted as the unpacked matrices. */
  readonly quantized_modules?: Count;
  /**
   * The reconstructed configuration: for a printed model, its class and the dimensions in the text; for a GGUF file, the configuration that
   * was converted.
   */
  readonly recognised?: Comparison & {
    readonly config: object;
    /** Fields that affect the count but that the text does not show: the assumed value of each, and the tensors whose shapes it changes. */
    readonly open: readonly {
      readonly field: string;
      readonly assumed: unknown;
      readonly tensors: readonly string[];
      /** If `tensors` is empty: another value of the field, and the number of parameters with it. */
      readonly other?: unknown;
      readonly other_parameters?: Count;
    }[];
  };
  /** The comparison with the given configuration, or the reason why it is refused. */
  readonly check?: ({ readonly ok: true } & Comparison) | Refusal;
}

export type Reading = ReadConfig | ReadNamed | ReadOther | ReadTensors | Refusal;

/** Options of `Ledger.read`. */
export interface ReadOptions {
  readonly config?: ConfigInput;
  readonly fields?: Readonly<Record<string, unknown>>;
}
