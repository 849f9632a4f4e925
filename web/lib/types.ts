/**
 * The one answer that page, widget, Node package and tests share. Counts are decimal strings: they exceed
 * what a JavaScript number holds exactly, so turn them into BigInt before doing anything but show them.
 */

/** A non-negative integer of any size in decimal digits, e.g. "8030261248". */
export type Count = string;

/** How a field of the configuration came by its value. */
export type FieldSource = 'given' | 'default' | 'derived' | 'ignored';

/**
 * `buffer`: stored in a checkpoint, not a parameter. `tied`: another tensor's storage, counted there. `published`: not in the model, but
 * held by the files as published. `possible`: held by some published files only.
 */
export type TensorKind = 'parameter' | 'buffer' | 'tied' | 'published' | 'possible';

/** Where in the model a tensor sits, e.g. `attention`; in the order in which data passes. */
export type Part = string;

/** What stands between the operands of a formula. `×` and `+` take two or more; `÷` is exact, `⌊÷⌋` rounds down, `⌈÷⌉` up. */
export type Operation = '+' | '×' | '−' | '÷' | '⌊÷⌋' | '⌈÷⌉' | '^';

/** A formula as a tree: a decimal string is a literal, a number is the index of a name in `symbols`, an array an operation and its operands. */
export type Formula = Count | number | [operation: Operation, ...operands: Formula[]];

/** One distinct tensor; `copies` of it exist, under the names that the index ranges of `name` stand for. */
export interface TensorRow {
  /** As checkpoints spell it; `[3-60]` and `[0,2,5-7]` stand for one tensor per index. */
  readonly name: string;
  /** Its dimensions, as stored; a decimal string where a number would not be exact. */
  readonly shape: readonly (number | Count)[];
  readonly kind: TensorKind;
  /** For `tied`: the name of the tensor whose storage this is. */
  readonly tied_to?: string;
  /** How many tensors the row stands for. */
  readonly copies: Count;
  /** Elements of one tensor. */
  readonly elements: Count;
  /** `elements` × `copies`. For `tied` rows the elements that are *not* counted again. */
  readonly total: Count;
  /** Of `total`, what one token uses; less than `total` for experts only. */
  readonly active: Count;
  readonly part: Part;
  /** What the tensor is: a `matrix` of a linear layer, a `table` that rows are looked up in, a `kernel` of a convolution, a `vector`. */
  readonly role: string;
  /** For `published` and `possible`: why files hold it. */
  readonly reason?: string;
  /** `total` in config field names, e.g. `intermediate_size × hidden_size × num_hidden_layers`. */
  readonly formula: string;
  /** The same with the values in place: `14,336 × 4,096 × 32`. */
  readonly substitution: string;
  /** The same as a tree, to draw as mathematics. */
  readonly math: Formula;
}

/** One field of the configuration. Rows with a source other than `ignored` are the family's form, in reading order. */
export interface FieldRow {
  /** As config.json spells it; dotted when nested. */
  readonly name: string;
  /** What counts; absent for a derived list too long to write. Integers are JSON numbers where exact, else decimal strings. */
  readonly value?: unknown;
  readonly source: FieldSource;
  /** What may stand there. */
  readonly type?: 'integer' | 'boolean' | 'string' | 'list' | 'number';
  /** The value that a missing field takes; absent where it is derived from other fields. */
  readonly default?: unknown;
  /** True where `null` is allowed (and means: derived, or absent). */
  readonly nullable?: boolean;
  /** The values that a string or the items of a list may take. */
  readonly choices?: readonly string[];
  /** One line for the form. */
  readonly meaning?: string;
  /** Where in the form it stands, e.g. `attention`. */
  readonly group?: string;
  /** The short symbol that closed formulas use, e.g. `d`. */
  readonly symbol?: string;
  /** How far an arrow key goes. */
  readonly step?: number;
  /** The least value that means anything. */
  readonly least?: number;
  /** True for what a reader asks first: widths, depth, vocabulary. */
  readonly headline?: boolean;
  /** For `derived`: the formula, in field names. */
  readonly formula?: string;
  /** The same as a tree. */
  readonly math?: Formula;
  /** The spelling that the configuration used, where it is an alias: `n_embd` was given as `hidden_size`. */
  readonly given_as?: string;
  /** For `ignored`: why. */
  readonly reason?: string;
}

/** One name of the formulas: its short symbol, its value and what it means. */
export interface SymbolRow {
  /** The name that formulas use: a config field, or a count over one. */
  readonly name: string;
  /** Short form, e.g. `n_kv`; what follows `_` is a subscript. */
  readonly symbol: string;
  readonly value: Count;
  readonly meaning: string;
  /** True where it is a config field and so has a row in `fields`. */
  readonly field: boolean;
  /** How a derived value follows from other names. */
  readonly formula?: string;
  /** The same as a tree. */
  readonly math?: Formula;
}

/** The whole model in one line. */
export interface ClosedFormula {
  readonly math: Formula;
  readonly value: Count;
  /** In short symbols: `2·V·d + L·(2·d² + …) + d`. */
  readonly symbols: string;
  /** With numbers in place of the symbols. */
  readonly substitution: string;
}

/**
 * The sums. More may be there than are named here: `definitions` says what each counts.
 */
export interface Totals {
  /** Unique parameters: a tied tensor counts once. */
  readonly parameters: Count;
  /** Elements of persistent buffers: stored in checkpoints, not parameters. */
  readonly buffers: Count;
  /** Parameters and buffers: the elements of a checkpoint that transformers saves. */
  readonly stored: Count;
  /** Embedding tables (tokens, positions, types). */
  readonly embedding: Count;
  /** The head's own parameters; 0 where it is tied to the embedding. */
  readonly output_head: Count;
  /** Parameters without embedding tables and output head. */
  readonly non_embedding: Count;
  /** Parameters that one token uses: all but the experts it is not routed to. */
  readonly active: Count;
  /** The same without the embedding tables, of which a token uses a row. */
  readonly active_non_embedding: Count;
  /** What is stored, and what the files as published hold beside the model. */
  readonly published: Count;
  readonly [total: string]: Count;
}

export interface PartTotal {
  readonly part: Part;
  readonly parameters: Count;
  readonly buffers: Count;
}

export interface Note {
  /** `info`: worth knowing. `warning`: look again, e.g. a key that stands twice. */
  readonly level: 'info' | 'warning';
  readonly field?: string;
  readonly message: string;
}

/** The sums alone. */
export interface TotalsAnswer {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly totals: Totals;
}

export interface CountAnswer extends TotalsAnswer {
  /** Of the Param Ledger that counted. */
  readonly version: string;
  /** All classes that this model type has here; the first is taken when the configuration names none. */
  readonly architectures: readonly string[];
  /** What each total counts, in a sentence. */
  readonly definitions: Readonly<Record<string, string>>;
  /** Only parts that the model has, in the order in which data passes. */
  readonly parts: readonly PartTotal[];
  readonly tensors: readonly TensorRow[];
  readonly fields: readonly FieldRow[];
  readonly symbols: readonly SymbolRow[];
  readonly formula: ClosedFormula;
  readonly notes: readonly Note[];
}

export type ErrorCode =
  | 'malformed_json'
  | 'too_large'
  | 'too_deep'
  | 'unknown_architecture'
  | 'missing_field'
  | 'wrong_type'
  | 'out_of_range'
  | 'not_divisible'
  | 'inconsistent'
  | 'overflow'
  | 'unsupported'
  | 'not_loaded'
  | 'internal';

/** What is refused on purpose, though transformers builds something: CONTRIBUTING.md says which configurations each of them is. */
export type RefusedKind =
  | 'learned_activation'
  | 'no_experts'
  | 'no_heads'
  | 'unsaid_experts'
  | 'router_width'
  | 'list_length'
  | 'shared_layers'
  | 'two_spellings'
  | 'per_layer_config'
  | 'attribute_map'
  | 'label_keys'
  | 'listed_layers'
  | 'early_alias'
  | 'unwritable';

export interface Refusal {
  readonly ok: false;
  readonly error: {
    readonly code: ErrorCode;
    /** The field it is about; empty for the text as a whole. */
    readonly field: string;
    readonly message: string;
    readonly kind?: RefusedKind;
    /** For `malformed_json`: where, from 1. */
    readonly line?: number;
    readonly column?: number;
    /** Where a name was probably mistyped: the names that may have been meant. */
    readonly nearest?: readonly string[];
  };
}

export type Answer = CountAnswer | Refusal;

/** One model type that can be counted. */
export interface FamilyRow {
  readonly model_type: string;
  /** What it is, in a line. */
  readonly summary: string;
  readonly architectures: readonly string[];
  /** True where transformers lacks the type: counted is what the code builds that is published with the models. */
  readonly own_code?: true;
  readonly verified: Verified;
}

/** What the tests compare, and find equal, for one model type. */
export interface Verified {
  /**
   * For each class of `architectures`: of how many configurations every tensor is compared with what transformers builds, or, for
   * `own_code`, with what the published code says.
   */
  readonly cases: Readonly<Record<string, number>>;
  /** How many published models come out at exactly their published number of parameters. */
  readonly models: number;
}

/** What is known of a field by its name, in whatever model type it occurs. */
export interface KnownField {
  readonly symbol?: string;
  readonly group?: string;
  readonly meaning: string;
  readonly step?: number;
  readonly least?: number;
  readonly headline?: boolean;
}

export interface Catalog {
  readonly families: readonly FamilyRow[];
  /** Whether these are all: the smaller program lists its own. */
  readonly complete: boolean;
  /** What rows name as their part, in the order in which data passes, and as their role. */
  readonly parts: readonly string[];
  readonly roles: readonly string[];
  readonly fields: Readonly<Record<string, KnownField>>;
  /** What each total counts, in a sentence. */
  readonly definitions: Readonly<Record<string, string>>;
}

/** The same without what is verified, which the core does not know. */
export interface Listing extends Omit<Catalog, 'families'> {
  readonly families: readonly Omit<FamilyRow, 'verified'>[];
}

/** Something to be read. */
export interface InputFile {
  /** By which shards are told from one another. */
  readonly name?: string;
  /** Of a large file its head is enough: `wants` says what belongs to it. */
  readonly content: string | Uint8Array;
  /** How many bytes the whole file has, where `content` is its begin. */
  readonly size?: number;
  /** Pieces of the file behind its begin. */
  readonly further?: readonly { readonly at: number; readonly content: Uint8Array }[];
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
  /** Its text, without a fence or a mark around it. */
  readonly text: string;
  /** Which of the files it is. */
  readonly file: number;
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
  readonly part: Part;
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
  readonly parts: readonly { readonly part: Part; readonly parameters: Count }[];
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

export type Reading = ReadConfig | ReadOther | ReadTensors | Refusal;

/** What is known beside what is read. */
export interface ReadOptions {
  readonly config?: string | Uint8Array | object;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** How a model is run or trained. Counts may be numbers or digits. */
export interface MemoryOptions {
  /** In the context; 4,096 where nothing is said. */
  readonly tokens?: number | Count;
  readonly batch?: number | Count;
  /** Of beam search; each is a sequence of its own. */
  readonly beams?: number | Count;
  /** Tokens that the encoder of an encoder-decoder reads; as many as `tokens` where nothing is said. */
  readonly source?: number | Count;
  /** `published` (as the configuration says), a type of numbers (`bfloat16`, `float8`, `int8`, `int4`, `nf4`) or a format of GGUF (`Q4_0`, `Q6_K`, `Q4_K_M`). */
  readonly weights?: string;
  /** The type of numbers that the cache is kept in; `bfloat16` where nothing is said. */
  readonly cache?: string;
  /** Bytes of one device's memory, and how many devices there are. */
  readonly room?: number | Count;
  readonly devices?: number | Count;
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
    /** All of it as one closed formula in the tokens n, in short symbols and with the values in place. */
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

/** One switch that an explanation takes. */
export interface Switch {
  /** `final_norm`, `no_grouped_queries`, … */
  readonly id: string;
  readonly label: string;
  /** `total`: a sum by its name; `rows`: tensors left out or counted again; `configuration`: the model as it is not. */
  readonly kind: 'total' | 'rows' | 'configuration';
  /** Whether it makes the sum larger. */
  readonly added: boolean;
  /** By so much, after the switches before it. */
  readonly change: Count;
}

/** One way from a model to a number. */
export interface Explanation {
  /** The sum that proves it: `6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096`. */
  readonly sentence: string;
  readonly sum: Count;
  /** Of a claim in bytes: what the sum comes to. */
  readonly bytes?: Count;
  /** How the model fills the bytes, where that is not so many for each parameter: `a file in Q4_K_M`. */
  readonly stored?: string;
  /** What the number as written has more than the sum, with a minus where it is less. */
  readonly difference: Count;
  /** How much it takes to say: see `Check.ranking`. */
  readonly cost: number;
  /** How the number is read, where that is not as written: `as cut off`, `as a round number`, `by the name, 7 billion`. */
  readonly reading?: string;
  readonly switches: readonly Switch[];
  /** The fields that another configuration changes, by their paths. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** The tensors that are not counted as usual: what of them is, and what usually. */
  readonly rows: readonly { readonly name: string; readonly counted: Count; readonly usual: Count }[];
}

/** How somebody came to a number. */
export interface Check {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly claim: {
    readonly text: string;
    readonly unit: 'parameters' | 'bytes';
    /** The least and the largest integer that is written so. */
    readonly low: Count;
    readonly high: Count;
    readonly digits: number;
    /** Of bytes: what one parameter is stored as, or the format that is named, and who says so. */
    readonly dtype?: string;
    readonly dtype_from?: 'claim' | 'config' | 'default';
  };
  /** `exact`: that integer. `agrees`: within the digits as written. `nearest`: no convention, but one is close. */
  readonly verdict: 'exact' | 'agrees' | 'nearest' | 'unexplained';
  readonly sentence: string;
  /** A number that no count gives, and where it is from: told, not explained. */
  readonly known?: { readonly model: string; readonly history: string; readonly source: string };
  /** Of the model as it is. */
  readonly parameters: Count;
  /** Plainest first. */
  readonly agreeing: readonly Explanation[];
  /** The total nearest to the number, where one is within a few hundredths. */
  readonly nearest?: Explanation;
  /** The totals and switches that change something in this model. */
  readonly offered: readonly Pick<Switch & { readonly cost: number }, 'id' | 'label' | 'kind' | 'cost'>[];
  /** How explanations are ranked, in words. */
  readonly ranking: string;
}

/** One step of somebody's computation. */
export interface ArticleStep {
  /** What later steps call its number. */
  readonly name?: string;
  readonly says: string;
  /** In the setting's fields and symbols, the article's own names, numbers and the names of steps before: `L * (mha + mlp)`. */
  readonly expression?: string;
  /** The number as printed: `8.19M`. */
  readonly prints?: string;
  /** Which of the model's tensors it is about: parts of their names. */
  readonly tensors?: readonly string[];
  /** Of one layer. */
  readonly each?: boolean;
}

/** Somebody's computation of a total: the form of web/articles. It holds no verdict; those are computed. */
export interface Article {
  readonly title: string;
  readonly source?: { readonly name: string; readonly url?: string; readonly note?: string };
  /** The configuration whose fields and symbols its steps name; of `generic` for a model that is none. */
  readonly setting?: object;
  /** The real model's configuration. */
  readonly model?: object;
  /** Its own names: `{ "N": "num_hidden_layers" }`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly steps: readonly ArticleStep[];
  readonly total?: ArticleStep;
}

/**
 * `convention`: right for a model that is not quite this one. `carried`: goes on rightly from a wrong number. `unit`: right with another
 * unit. `left_out`: tensors that it does not count.
 */
export type StepVerdict = 'right' | 'convention' | 'carried' | 'wrong' | 'unit' | 'left_out' | 'unprinted' | 'unreadable';

export interface JudgedStep {
  readonly name?: string;
  readonly verdict: StepVerdict;
  readonly sentence?: string;
  readonly printed?: Count;
  /** Whether what is printed has fewer digits than the number. */
  readonly rounded?: boolean;
  /** What it comes to, with the true values of the steps before. */
  readonly value?: Count;
  /** The same with the numbers that those print, where that differs. */
  readonly carried?: Count;
  /** What the model's tensors come to. */
  readonly model?: Count;
  /** How a wrong number came about, where that shows. */
  readonly slip?: 'digit' | 'factor' | 'term' | 'ratio';
  /** The sum that proves a convention. */
  readonly convention?: string;
}

/** A step from the article's total to the model's. */
export interface Bar {
  readonly kind: 'printed' | 'rounding' | 'slip' | 'own' | 'convention' | 'rest' | 'model';
  readonly label: string;
  /** The name of a step, or the convention. */
  readonly step?: string;
  /** With its sign; none where it stands for a total. */
  readonly change?: Count;
  readonly total: Count;
}

export interface ArticleAnswer {
  readonly ok: true;
  readonly steps: readonly JudgedStep[];
  readonly total?: JudgedStep;
  /** The real model's total. */
  readonly model?: Count;
  readonly waterfall: readonly Bar[];
}

/** A space of configurations and what is looked for in it; the rest is as the configuration has it. Fields are dotted where nested. */
export interface SearchRequest {
  /** A number of parameters as people write it. */
  readonly target: string;
  readonly vary: readonly (
    | { readonly field: string; readonly from: number; readonly to: number; readonly step?: number }
    | { readonly field: string; readonly values: readonly number[] }
  )[];
  /** Fields that follow another: that times a ratio ("8/3"), rounded up to a multiple. Without one it must come out even. */
  readonly tied?: readonly { readonly field: string; readonly of: string; readonly times: string | number; readonly multiple?: number }[];
  /** Ratios of two fields. */
  readonly limits?: readonly {
    readonly field: string;
    readonly over: string;
    readonly least?: string | number;
    readonly most?: string | number;
  }[];
  /** What is to come near the target. */
  readonly total?: 'parameters' | 'active';
  /** How many configurations: 20 where it is not said. */
  readonly most?: number;
  /** Also what transformers builds and cannot run, or what leaves a rest: heads that key-value heads or the width do not share out. */
  readonly uneven?: boolean;
  /** Evaluations of the formula after which it answers with what it has, 5,000,000 where it is not said; `searchOn` goes on. */
  readonly budget?: number;
}

export interface SearchAnswer {
  readonly ok: true;
  readonly done: boolean;
  readonly target: Count;
  /** Points of the space. */
  readonly points: Count;
  readonly percent: number;
  readonly evaluations: Count;
  /** Configurations that were counted in full. */
  readonly counted: Count;
  readonly refused: Count;
  /** No configuration of the space is nearer than the last one given. */
  readonly exact: boolean;
  /** Fields over which the formula is not closed: each value was gone through. */
  readonly through: readonly string[];
  /** Nearest first. `difference` is signed. */
  readonly found: readonly { readonly total: Count; readonly difference: Count; readonly fields: Readonly<Record<string, number>> }[];
}

/** Of each model in the order of the configurations; null where one is refused, or has none. */
export type Cells<T> = readonly (T | null)[];

/** A number of each model, and what it adds to that of the first: `+788529152`, `-4096`, `0`. */
export interface ComparedCounts {
  readonly values: Cells<Count>;
  readonly differences: Cells<string>;
}

/** One model's field; without a value where that is derived and too long to write. Given where no source is said. */
export interface ComparedField {
  readonly name: string;
  readonly value?: unknown;
  readonly source?: 'default' | 'derived';
}

/** Tensors that are one by their names without layers or, across model types, by what they do. */
export interface ComparedTensors extends ComparedCounts {
  readonly part: Part;
  /** What they do, where their names tell: `query`, `expert gate`, `norm before attention`. */
  readonly role?: string;
  /** `only`: some model has none; else `shape`, `kind` (tied or not), `count` (other layers or experts) differ, or they are the `same`. */
  readonly status: 'only' | 'shape' | 'kind' | 'count' | 'same';
  /** A list: layers may have tensors of one name in several shapes. At most eight of them. */
  readonly cells: Cells<readonly { readonly name: string; readonly shape: readonly (number | Count)[]; readonly kind?: TensorKind }[]>;
}

/** What switching fields from the first model's values to another's does to the count. */
export interface ComparedCause {
  /** Each as the first and as the other model has it. Several where the first of them alone make no model. */
  readonly fields: readonly (readonly [ComparedField | null, ComparedField | null])[];
  /** The class is another, too. */
  readonly architecture?: true;
  /** All that is left: the model type, and what no field says. */
  readonly rest?: true;
  readonly difference: string;
  /** The parameters now. */
  readonly after: Count;
}

export interface ModelComparison {
  readonly ok: true;
  readonly models: readonly ({ readonly ok: true; readonly model_type: string; readonly architecture: string } | Refusal)[];
  /** Which one is the first that is counted; the rest is missing where none is. */
  readonly base?: number;
  readonly totals?: readonly ({ readonly name: string } & ComparedCounts)[];
  readonly parts?: readonly ({ readonly part: Part } & ComparedCounts)[];
  /** Those that differ. */
  readonly fields?: readonly { readonly cells: Cells<ComparedField> }[];
  readonly tensors?: readonly ComparedTensors[];
  /** From the first to each other model: fields are switched one after another, so that the differences add up. */
  readonly causes?: Cells<readonly ComparedCause[]>;
}

/** Counts: what the smaller program answers, for the model types that people ask for most. */
export interface Counter<Listed extends Listing = Catalog> {
  /** Whether it has the model types that a configuration names; `whole()` has all. What it has not is refused as `not_loaded`. */
  has(config: string | Uint8Array | object): boolean;
  /** Counts the model of a config.json, given as its text or as the object. Never throws for bad input: see `Refusal`. */
  count(config: string | Uint8Array | object): Answer;
  /** The sums alone, for those who count many: in a third of the time. */
  totals(config: string | Uint8Array | object): TotalsAnswer | Refusal;
  /** The model types that can be counted, and what is known of fields and sums. */
  catalog(): Listed;
}

/** Answers every question. */
export interface Ledger<Listed extends Listing = Catalog> extends Counter<Listed> {
  /** Two to four configurations beside one another: where they differ, and why. One that is refused says so in its place. */
  compare(configs: readonly (string | Uint8Array | object)[]): ModelComparison | Refusal;
  /** How somebody came to a number, as people write it: `6.74B`, `6,738,411,520`, `13.5 GB in fp16`. */
  check(config: string | Uint8Array | object, claim: string): Check | Refusal;
  /** What each step of somebody's computation is worth. */
  article(article: string | Article): ArticleAnswer | Refusal;
  /** The configurations nearest to a target. */
  search(config: string | Uint8Array | object, request: SearchRequest): SearchAnswer | Refusal;
  /** Goes on with the search begun last, for so many evaluations. */
  searchOn(budget: number): SearchAnswer | Refusal;
  /**
   * Says what a text, bytes or several files are, and reads what lists tensors: safetensors headers, their index, lists, printed models. With a
   * configuration beside them (in `config`, or among the files) tensors are checked against it; `fields` fill in what a printed model does not
   * say (`recognised.open`), by dotted names. Never throws for bad input.
   */
  read(input: string | Uint8Array | readonly InputFile[], options?: ReadOptions): Reading;
  /** Which bytes of large files `read` needs: begin with `{ name, size, content: '' }`, and ask until it wants none. */
  wants(input: readonly InputFile[]): Wants | Refusal;
  /** What the model takes in memory and operations. */
  memory(config: string | Uint8Array | object, options?: MemoryOptions): MemoryAnswer | Refusal;
}

/** For those who serve the wasm themselves. */
export interface LoadOptions {
  /** The program: its bytes, a response that brings them, or compiled. */
  readonly wasm?: WasmSource | Promise<WasmSource>;
}

export type WasmSource = ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module;
