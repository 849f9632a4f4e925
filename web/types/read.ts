// What else people have: what is handed in to be read, and what it turned out to be.

import type { Part } from './count.ts';
import type { Count } from './formula.ts';
import type { BytesInput, ConfigInput } from './input.ts';
import type { Refusal } from './refusal.ts';

/** Something to be read. */
export interface InputFile {
  /** By which shards are told from one another. */
  readonly name?: string;
  /** Of a large file its head is enough: `wants` says what belongs to it. */
  readonly content: string | BytesInput;
  /** How many bytes the whole file has, where `content` is its begin. */
  readonly size?: number;
  /** Pieces of the file behind its begin. */
  readonly further?: readonly { readonly at: number; readonly content: BytesInput }[];
}

/** A file of which any bytes can be read: on a disk, by ranges over the network. */
export interface ByteSource {
  readonly name: string;
  readonly size: number;
  /** Exactly these, or it rejects. */
  readonly read: (begin: number, end: number) => Promise<Uint8Array>;
}

/** Bytes of the files that are to be read before `read` has all of their heads; none where it has. */
export interface Wants {
  readonly ok: true;
  readonly wants: readonly { readonly file: number; readonly begin: number; readonly end: number }[];
}

/** What turned out to be a configuration: for `count`. */
export interface ReadConfig {
  readonly ok: true;
  readonly kind: 'config';
  /** Its text, without a fence or a mark around it; JSON also where it was given in another notation. */
  readonly text: string;
  /** That notation: what Python prints and people write, YAML, arguments of a program, what llama.cpp prints of a file's metadata. */
  readonly notation?: 'python' | 'yaml' | 'arguments' | 'log';
  /** Which of the files it is. */
  readonly file: number;
}

/** What names a model and is no configuration of it: an answer of the Hub's API, an adapter_config.json, a recipe that trains a model. */
export interface ReadNamed {
  readonly ok: true;
  readonly kind: 'named';
  readonly what: 'hub' | 'adapter' | 'recipe';
  /** As `owner/name`; empty where that is not said, or is a folder of somebody's. */
  readonly id: string;
  /** Elements of the published files, as the Hub says. */
  readonly parameters?: Count;
  readonly dtypes?: readonly { readonly dtype: string; readonly elements: Count }[];
  /** What it trains beside the model: counted where a configuration was handed in, too; else `uncounted` may say why it cannot be. */
  readonly adapter?: { readonly type: string; readonly parameters?: Count; readonly uncounted?: string };
}

/** What is nothing that can be read. */
export interface ReadOther {
  readonly ok: true;
  readonly kind: 'other';
  readonly what: 'empty' | 'hdf5' | 'onnx' | 'flax' | 'binary' | 'pointer' | 'page' | 'list' | 'number' | 'words';
}

/** Tensors of one shape, as they were read. */
export interface ReadTensor {
  /** With index ranges, as the rows of a count. */
  readonly name: string;
  /** Absent where only the name is known. */
  readonly shape?: readonly (number | Count)[];
  /** As safetensors spells it; absent where it is not said. */
  readonly dtype?: string;
  /** What its name says; `other` where that says nothing. */
  readonly part: Part | 'other';
  /** `packed`: several numbers in each element; `scale`: what such numbers are read by. `parameter` where it is not said. */
  readonly kind?: 'buffer' | 'packed' | 'scale' | 'tied';
  /** Of GGUF files: the name in the checkpoint that was converted. */
  readonly checkpoint?: string;
  /** Its shape (or, where packed, the width of its numbers) is not said, but taken from what is around it or usual. */
  readonly taken?: true;
  /** False where a wrapper such as LoRA freezes it. */
  readonly trainable?: false;
  /** How many tensors the row stands for; 1 where it is not said. */
  readonly copies?: Count;
  /** Elements of one; `total` where it is not said. */
  readonly elements?: Count;
  /** Of packed ones: elements as stored. */
  readonly stored?: Count;
  /** Of all copies, packed ones as the numbers that they hold. */
  readonly total?: Count;
}

/** Tensors in which what was read and a configuration's model differ. */
export interface Difference {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  /** The model's shape, where it has another. */
  readonly expected?: readonly (number | Count)[];
  /** How many of the name's. */
  readonly tensors: Count;
  readonly total: Count;
}

/** What was read beside a configuration's model. */
export interface Comparison {
  readonly model_type: string;
  readonly architecture: string;
  /** Nothing is missing, unexpected or of another shape. */
  readonly agrees: boolean;
  readonly totals: { readonly matched_tensors: Count; readonly matched: Count; readonly missing: Count; readonly unexpected: Count };
  readonly missing: readonly Difference[];
  readonly unexpected: readonly Difference[];
  readonly other_shape: readonly Difference[];
  /** Tensors that share another's storage, and are there all the same. */
  readonly tied_stored: readonly Difference[];
  /** How many more of each list there are. */
  readonly missing_left_out?: number;
  readonly unexpected_left_out?: number;
  readonly other_shape_left_out?: number;
  readonly tied_stored_left_out?: number;
}

/** Tensors that were read: from files, lists or the text of a printed model. */
export interface ReadTensors {
  readonly ok: true;
  readonly kind: 'safetensors' | 'gguf' | 'pytorch' | 'numpy' | 'safetensors_index' | 'tensor_list' | 'printed_model';
  /** Of a printed model: its outermost module. */
  readonly class?: string;
  /** True where something could not be read, contradicts the format, or is not shown. */
  readonly partial: boolean;
  readonly problems: readonly { readonly file?: number; readonly line?: number; readonly message: string }[];
  readonly problems_left_out?: Count;
  readonly totals: {
    readonly tensors: Count;
    /** As stored; absent, like what follows, where only names are known. */
    readonly elements?: Count;
    /** Packed numbers each for itself; without buffers and scales. Absent where a printed model leaves open what it comes to. */
    readonly parameters?: Count;
    /** Of a printed model: what its text shows, each module for itself. */
    readonly shown?: Count;
    /** Of a printed model whose text leaves fields open: with what is assumed of them. */
    readonly if_assumed?: Count;
    readonly buffers?: Count;
    readonly scales?: Count;
    /** Where every dtype is known. */
    readonly bytes?: Count;
    /** Of a printed model: the parameters if what usually is tied in its class is, or else a head of the table's shape; the text does not say. */
    readonly if_tied?: Count;
    /** What is trained, where LoRA freezes the rest; and its share in millionths. */
    readonly trainable?: Count;
    readonly trainable_share?: Count;
    /** What an index says: the bytes and the parameters of all files. */
    readonly total_size?: Count;
    readonly total_parameters?: Count;
  };
  readonly dtypes: readonly { readonly dtype: string; readonly tensors: Count; readonly elements: Count; readonly bytes: Count }[];
  readonly parts: readonly { readonly part: Part | 'other'; readonly parameters: Count }[];
  readonly tensors: readonly ReadTensor[];
  readonly tensors_left_out?: number;
  readonly files?: readonly { readonly name: string; readonly tensors: number; readonly given?: false }[];
  /** What the files say of themselves. */
  readonly metadata?: readonly { readonly key: string; readonly value: string }[];
  /** What is worth knowing of the files, and no fault: what stands beside the model, what was left out of names. */
  readonly notes?: readonly string[];
  /** Modules of a printed model that hold narrow numbers, counted as the matrices that they stand for. */
  readonly quantized_modules?: Count;
  /** The configuration of the family whose class was printed, with the dimensions that the text shows; of GGUF files the one that they were converted from. */
  readonly recognised?: Comparison & {
    readonly config: object;
    /** Fields that the number depends on, and of which the text says nothing; what each is taken to be, and the tensors that want it. */
    readonly open: readonly { readonly field: string; readonly assumed: unknown; readonly tensors: readonly string[] }[];
  };
  /** The comparison that was asked for. */
  readonly check?: ({ readonly ok: true } & Comparison) | Refusal;
}

export type Reading = ReadConfig | ReadNamed | ReadOther | ReadTensors | Refusal;

/** What is known beside what is read. */
export interface ReadOptions {
  readonly config?: ConfigInput;
  readonly fields?: Readonly<Record<string, unknown>>;
}
