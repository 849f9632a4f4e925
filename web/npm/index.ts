// The npm package: `import { count } from 'param-ledger'`. Each function loads the WebAssembly program that it needs, once per document or
// process.

import { loadCounter, loadFullCounter, loadPublishedCounter } from '../core/counter.ts';
import { version as ownVersion } from '../support/build-info.ts';
import { memoizeAsync } from '../support/memoize-async.ts';
import type {
  Answer,
  Article,
  ArticleAnswer,
  ByteSource,
  BytesInput,
  Catalog,
  Check,
  ConfigInput,
  Counter,
  Derivation,
  DeriveOptions,
  DevicesAnswer,
  DevicesOptions,
  InputFile,
  Ledger,
  LoadOptions,
  MemoryAnswer,
  MemoryOptions,
  ModelComparison,
  OperationsAnswer,
  OperationsOptions,
  Reading,
  ReadOptions,
  Refusal,
  Search,
  SearchRequest,
  TotalsAnswer,
} from '../types/index.ts';

// The code behind all functions except `count` and `totals` is imported when one of them is called, even without a bundler.
const loadSync = () => import('./sync.ts');
const fetchLedger = async () => (await import('../core/ledger.ts')).loadLedger();

/** Asks the programs from the smallest to the full one, until one of them has the model type. */
async function answerOf<A extends Answer | TotalsAnswer | Refusal>(
  question: (counter: Pick<Counter, 'count' | 'totals'>) => A,
): Promise<A> {
  for (const load of [loadCounter, loadPublishedCounter]) {
    const answer = question(await load());
    if (answer.ok || answer.error.code !== 'not_loaded') return answer;
  }
  return question(await loadFullCounter());
}

/**
 * Counts the model of a config.json, given as its text, its bytes or an object. For invalid input the promise resolves to a `Refusal`. It
 * rejects only if the program cannot be loaded.
 */
export const count = (config: ConfigInput): Promise<Answer> => answerOf((counter) => counter.count(config));

/** Computes only the totals of `count`, in a third of the time. */
export const totals = (config: ConfigInput): Promise<TotalsAnswer | Refusal> => answerOf((counter) => counter.totals(config));

/** Compares two to four models and explains their differences. */
export const compare = async (configs: readonly ConfigInput[]): Promise<ModelComparison | Refusal> =>
  (await fetchLedger()).compare(configs);

/** Derives the count step by step. */
export const derive = async (config: ConfigInput, options?: DeriveOptions): Promise<Derivation | Refusal> =>
  (await fetchLedger()).derive(config, options);

/**
 * Finds the conventions that explain a stated number, or each of several in a text: `6.74B`, `13.5 GB in fp16`, `671B total, 37B
 * activated`.
 */
export const check = async (config: ConfigInput, claim: string | bigint): Promise<Check | Refusal> =>
  (await fetchLedger()).check(config, claim);

/** Checks each step and the total of a worked article. */
export const article = async (article: string | BytesInput | Article): Promise<ArticleAnswer | Refusal> =>
  (await fetchLedger()).article(article);

/** Computes the memory for weights, cache and training in bytes, and the number of operations. */
export const memory = async (config: ConfigInput, options?: MemoryOptions): Promise<MemoryAnswer | Refusal> =>
  (await fetchLedger()).memory(config, options);

/** Computes the operations of a model under each common convention. */
export const operations = async (config: ConfigInput, options?: OperationsOptions): Promise<OperationsAnswer | Refusal> =>
  (await fetchLedger()).operations(config, options);

/** Computes what each device holds if several devices share the model. */
export const devices = async (config: ConfigInput, options?: DevicesOptions): Promise<DevicesAnswer | Refusal> =>
  (await fetchLedger()).devices(config, options);

/** Searches for the configurations with parameter counts closest to a target. If the budget is used up first, `next` continues. */
export const search = async (config: ConfigInput, request: SearchRequest): Promise<Search | Refusal> =>
  (await fetchLedger()).search(config, request);

/** Recognises text, bytes or several files, and reads the tensors that they list. */
export const read = async (input: string | BytesInput | readonly InputFile[], options?: ReadOptions): Promise<Reading> =>
  (await fetchLedger()).read(input, options);

/** Lists all model types, how each is verified, and the meanings of fields and totals. */
export const catalog = async (): Promise<Catalog> => (await (await loadSync()).loadLedger()).catalog();

/**
 * Reads only the bytes of a large file that `read` needs. Rejects with a RangeError if these are too many, and if `source.read` rejects.
 */
export async function headOf(source: ByteSource): Promise<InputFile>;
/** @deprecated The ledger argument is no longer needed: `headOf(source)`. */
export async function headOf(ledger: Pick<Ledger, 'wants'>, source: ByteSource): Promise<InputFile>; // eslint-disable-line no-redeclare -- overloads
// eslint-disable-next-line no-redeclare -- overloads
export async function headOf(first: ByteSource | Pick<Ledger, 'wants'>, source?: ByteSource): Promise<InputFile> {
  const { readWantedBytes } = await import('../core/wanted-bytes.ts');
  return source ? readWantedBytes(first as Ledger, source) : readWantedBytes(await fetchLedger(), first as ByteSource);
}

const counter = /* @__PURE__ */ memoizeAsync(async (options?: LoadOptions) => (await loadSync()).loadCounter(options));

const ledger = /* @__PURE__ */ memoizeAsync(async (options?: LoadOptions) => (await loadSync()).loadLedger(options));

/** @deprecated `count` and `totals` choose the program themselves. For a synchronous counter use `loadCounter` of `param-ledger/sync`. */
export function load(options?: LoadOptions): Promise<Counter> {
  return counter(options);
}

/** @deprecated Use the functions of this module. For a synchronous ledger use `loadLedger` of `param-ledger/sync`. */
export function whole(options?: LoadOptions): Promise<Ledger> {
  return ledger(options);
}

/** @deprecated `count` and `totals` choose the program themselves. */
export async function counterFor(config: ConfigInput): Promise<Counter> {
  const common = await load();
  return common.has(config) ? common : whole();
}

/** The version of this package. */
export const version: string = ownVersion;
