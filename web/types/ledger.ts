// The counter, and the ledger, which answers every question.

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

/** Counts. A smaller program has only the model types that people ask for most. */
export interface Counter<Listed extends Listing = Catalog> {
  /** Whether it has the model types that a configuration names; the whole program has all. A missing type is refused as `not_loaded`. */
  has(config: ConfigInput): boolean;
  /** Counts the model of a config.json, given as its text or as the object. Never throws for bad input: see `Refusal`. */
  count(config: ConfigInput): Answer;
  /** Only the totals, in a third of the time. */
  totals(config: ConfigInput): TotalsAnswer | Refusal;
  /** The model types that can be counted, and the meanings of fields and totals. */
  catalog(): Listed;
}

/** Answers every question. */
export interface Ledger<Listed extends Listing = Catalog> extends Counter<Listed> {
  /** Two to four configurations: where they differ, and why. For a refused one there is its error. */
  compare(configs: readonly ConfigInput[]): ModelComparison | Refusal;
  /**
   * How somebody arrived at a number, or at several: `6.74B`, `13.5 GB in fp16`, `671B total, 37B activated`, `70.27 TFLOPs for 4,096
   * tokens`.
   */
  check(config: ConfigInput, claim: string | bigint): Check | Refusal;
  /** A verdict for each step of somebody's computation. */
  article(article: string | BytesInput | Article): ArticleAnswer | Refusal;
  /** The screens of a lesson or of exercises, with their numbers. Its models are configurations. */
  lesson(lesson: Lesson): LessonAnswer | Refusal;
  /** The verdict on a learner's answer to one of its screens; screens are numbered from 0. */
  judge(lesson: Lesson, screen: number, answer: GivenAnswer): JudgedAnswer | Refusal;
  /** The count, derived step by step. */
  derive(config: ConfigInput, options?: DeriveOptions): Derivation | Refusal;
  /** The configurations nearest to a target: within its budget, or to the end with `next`. */
  search(config: ConfigInput, request: SearchRequest): Search | Refusal;
  /**
   * Recognises a text, bytes or several files, and reads lists of tensors: safetensors headers, their index, lists, printed models. With a
   * configuration (in `config`, or among the files) the tensors are compared; `fields` give what a printed model does not show
   * (`recognised.open`), by dotted names. Never throws for bad input.
   */
  read(input: string | BytesInput | readonly InputFile[], options?: ReadOptions): Reading;
  /** The bytes of large files that `read` needs: start with `{ name, size, content: '' }`, and repeat until nothing is missing. */
  wants(input: readonly InputFile[]): Wants | Refusal;
  /** The memory and the operations of the model. */
  memory(config: ConfigInput, options?: MemoryOptions): MemoryAnswer | Refusal;
  /** The operations of the model under each common convention. */
  operations(config: ConfigInput, options?: OperationsOptions): OperationsAnswer | Refusal;
  /** What each device holds if several share the model. */
  devices(config: ConfigInput, options?: DevicesOptions): DevicesAnswer | Refusal;
}

/** For callers that serve the wasm themselves. */
export interface LoadOptions {
  /**
   * The program: its bytes, a response with them, or a compiled module. Only the first call reads it; later calls get that call's program.
   */
  readonly wasm?: WasmSource | Promise<WasmSource>;
}

export type WasmSource = ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module;
