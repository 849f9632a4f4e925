// Who answers: the counter, and the ledger, which answers every question.

import type { Article, ArticleAnswer } from './article.ts';
import type { Catalog, Listing } from './catalog.ts';
import type { Check } from './claim.ts';
import type { ModelComparison } from './comparison.ts';
import type { Answer, TotalsAnswer } from './count.ts';
import type { Derivation, DeriveOptions } from './derivation.ts';
import type { DevicesAnswer, DevicesOptions } from './devices.ts';
import type { GivenAnswer, JudgedAnswer, Lesson, LessonAnswer } from './lesson.ts';
import type { MemoryAnswer, MemoryOptions } from './memory.ts';
import type { BytesInput, ConfigInput } from './input.ts';
import type { InputFile, ReadOptions, Reading, Wants } from './read.ts';
import type { Refusal } from './refusal.ts';
import type { Search, SearchRequest } from './search.ts';

/** Counts: what the smaller program answers, for the model types that people ask for most. */
export interface Counter<Listed extends Listing = Catalog> {
  /** Whether it has the model types that a configuration names; `whole()` has all. What it has not is refused as `not_loaded`. */
  has(config: ConfigInput): boolean;
  /** Counts the model of a config.json, given as its text or as the object. Never throws for bad input: see `Refusal`. */
  count(config: ConfigInput): Answer;
  /** The sums alone, for those who count many: in a third of the time. */
  totals(config: ConfigInput): TotalsAnswer | Refusal;
  /** The model types that can be counted, and what is known of fields and sums. */
  catalog(): Listed;
}

/** Answers every question. */
export interface Ledger<Listed extends Listing = Catalog> extends Counter<Listed> {
  /** Two to four configurations beside one another: where they differ, and why. One that is refused says so in its place. */
  compare(configs: readonly ConfigInput[]): ModelComparison | Refusal;
  /** How somebody came to a number, as people write it: `6.74B`, `6,738,411,520`, `13.5 GB in fp16`. */
  check(config: ConfigInput, claim: string | bigint): Check | Refusal;
  /** What each step of somebody's computation is worth. */
  article(article: string | BytesInput | Article): ArticleAnswer | Refusal;
  /** The screens of a lesson or of exercises, with their numbers. Its models are configurations. */
  lesson(lesson: Lesson): LessonAnswer | Refusal;
  /** What a learner's answer to one of its screens is worth; screens are numbered from 0. */
  judge(lesson: Lesson, screen: number, answer: GivenAnswer): JudgedAnswer | Refusal;
  /** How the count comes about, step by step. */
  derive(config: ConfigInput, options?: DeriveOptions): Derivation | Refusal;
  /** The configurations nearest to a target: with its budget, or to the end by `next`. */
  search(config: ConfigInput, request: SearchRequest): Search | Refusal;
  /**
   * Says what a text, bytes or several files are, and reads what lists tensors: safetensors headers, their index, lists, printed models. With a
   * configuration beside them (in `config`, or among the files) tensors are checked against it; `fields` fill in what a printed model does not
   * say (`recognised.open`), by dotted names. Never throws for bad input.
   */
  read(input: string | BytesInput | readonly InputFile[], options?: ReadOptions): Reading;
  /** Which bytes of large files `read` needs: begin with `{ name, size, content: '' }`, and ask until it wants none. */
  wants(input: readonly InputFile[]): Wants | Refusal;
  /** What the model takes in memory and operations. */
  memory(config: ConfigInput, options?: MemoryOptions): MemoryAnswer | Refusal;
  /** What each device holds where several share the model, by transformers' own plans. */
  devices(config: ConfigInput, options?: DevicesOptions): DevicesAnswer | Refusal;
}

/** For those who serve the wasm themselves. */
export interface LoadOptions {
  /** The program: its bytes, a response that brings them, or compiled. Only the first call reads it; later calls get what that started. */
  readonly wasm?: WasmSource | Promise<WasmSource>;
}

export type WasmSource = ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module;
