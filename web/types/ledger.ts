// The counter, which only counts, and the ledger, which answers all questions.

import type { Article, ArticleAnswer } from './article.ts';
import type { Catalog, Listing } from './catalog.ts';
import type { Check } from './claim.ts';
import type { ModelComparison } from './comparison.ts';
import type { Answer, TotalsAnswer } from './count.ts';
import type { Derivation, DeriveOptions } from './derivation.ts';
import type { DevicesAnswer, DevicesOptions } from './devices.ts';
import type { GivenAnswer, JudgedAnswer, Lesson, LessonAnswer } from './lesson.ts';
import type { MemoryAnswer, MemoryOptions } from './memory.ts';
import type { OperationsAnswer, OperationsOptions } from './operations.ts';
import type { BytesInput, ConfigInput } from './input.ts';
import type { InputFile, ReadOptions, Reading, Wants } from './read.ts';
import type { Refusal } from './refusal.ts';
import type { Search, SearchRequest } from './search.ts';

/** Counts parameters. The smaller WebAssembly programs implement this interface for some model types. */
export interface Counter<Listed extends Listing = Catalog> {
  /**
   * Whether this program supports the model types that the configuration names: false if `count` refuses it with the code `not_loaded`.
   * Always true for the ledger, and for a configuration that no program can read.
   */
  has(config: ConfigInput): boolean;
  /** Counts the parameters of the model that a config.json describes. Never throws for bad input, but returns a `Refusal`. */
  count(config: ConfigInput): Answer;
  /** Computes only the totals, in a third of the time. */
  totals(config: ConfigInput): TotalsAnswer | Refusal;
  /** Lists the model types that can be counted, and the meanings of fields and totals. */
  catalog(): Listed;
}

/** Answers all questions about models. The full WebAssembly program implements this interface. */
export interface Ledger<Listed extends Listing = Catalog> extends Counter<Listed> {
  /**
   * Compares two to four configurations: where they differ, and which fields cause it. A refused configuration has its error instead of a
   * model.
   */
  compare(configs: readonly ConfigInput[]): ModelComparison | Refusal;
  /**
   * Explains how one or several stated numbers may have been computed: `6.74B`, `13.5 GB in fp16`, `671B total, 37B activated`, `70.27
   * TFLOPs for 4,096 tokens`.
   */
  check(config: ConfigInput, claim: string | bigint): Check | Refusal;
  /** Judges each step and the total of a worked article. */
  article(article: string | BytesInput | Article): ArticleAnswer | Refusal;
  /** Fills in the numbers on the screens of a lesson or a set of exercises. The models of a lesson must be given as configurations. */
  lesson(lesson: Lesson): LessonAnswer | Refusal;
  /** Judges a learner's answer to one screen of a lesson. Screens are numbered from 0. */
  judge(lesson: Lesson, screen: number, answer: GivenAnswer): JudgedAnswer | Refusal;
  /** Derives the parameter count step by step. */
  derive(config: ConfigInput, options?: DeriveOptions): Derivation | Refusal;
  /** Finds the configurations nearest to a target size. Stops when its budget is used up; the answer's `next` continues the search. */
  search(config: ConfigInput, request: SearchRequest): Search | Refusal;
  /**
   * Recognises a text, bytes or several files, and reads tensors from safetensors headers and indexes, GGUF, PyTorch and NumPy files, lists
   * of tensors and printed models. If a configuration is given, in `config` or among the files, the tensors are compared with its model.
   * `fields` gives values that a printed model does not show (`recognised.open`), keyed by dotted name. Never throws for bad input.
   */
  read(input: string | BytesInput | readonly InputFile[], options?: ReadOptions): Reading;
  /**
   * Returns the byte ranges of large files that `read` needs. Start with `{ name, size, content: '' }`, add the bytes, and repeat until
   * nothing is missing.
   */
  wants(input: readonly InputFile[]): Wants | Refusal;
  /** Computes the memory that the model needs and the number of operations that it performs. */
  memory(config: ConfigInput, options?: MemoryOptions): MemoryAnswer | Refusal;
  /** Computes the model's operations under each common convention. */
  operations(config: ConfigInput, options?: OperationsOptions): OperationsAnswer | Refusal;
  /** Computes what each device holds if several devices share the model. */
  devices(config: ConfigInput, options?: DevicesOptions): DevicesAnswer | Refusal;
}

/** Options for callers that serve the WebAssembly program themselves. */
export interface LoadOptions {
  /**
   * The program: its bytes, a response with them, or a compiled module. Only the first call uses it; later calls share the program that the
   * first call started.
   */
  readonly wasm?: WasmSource | Promise<WasmSource>;
}

export type WasmSource = ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module;
