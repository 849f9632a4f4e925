// The rows of the table of models. The totals of all models are counted at once, all other answers when a cell first needs them.

import { parseConfig } from '../config/config-text.ts';
import type { CountAnswer, FieldRow, Ledger, MemoryAnswer, TotalsAnswer } from '../types/index.ts';

/** Text, a whole number, or a share in millionths. Undefined if the value is unknown or does not apply to the model. */
export type Cell = string | bigint | undefined;

/** A model that can be a row: a published one, or one of the user's. */
export interface Listed {
  /** The id on the Hub; empty for the user's own models. */
  readonly id: string;
  readonly name: string;
  readonly config: object | string;
  /** Whether it is a model type, with its default values, that the user has opened. */
  readonly visited?: boolean;
}

/** A listed model and the core's answers about it. */
export interface Counted {
  readonly listed: Listed;
  /** The totals. They take less time than a full count and are enough for many columns. */
  readonly sums: TotalsAnswer;
  /** The full count, computed when first read; undefined if the model is refused. */
  readonly answer: CountAnswer | undefined;
  /** The memory answer, computed when first read; undefined if the model is refused. */
  readonly memory: MemoryAnswer | undefined;
}

export type Asked = Pick<Ledger<never>, 'totals' | 'count' | 'memory'>;

/** Returns the counted models in their original order. */
export type LazyCounts = () => readonly Counted[];

/** Returns a function that counts the totals of all models when it is first called. Refused models are left out. */
export function createCounting(models: readonly Listed[], ledger: Asked): LazyCounts {
  let counted: readonly Counted[] | undefined;
  return () =>
    (counted ??= models.flatMap((listed) => {
      const sums = countTotals(listed, ledger);
      return sums.ok ? [new CountedWhenRead(listed, sums, ledger)] : [];
    }));
}

const summed = new WeakMap<Listed, ReturnType<Asked['totals']>>();

/** The totals of a model, or the refusal. The result is cached, so each model is counted only once. */
export function countTotals(listed: Listed, ledger: Pick<Asked, 'totals'>): ReturnType<Asked['totals']> {
  const known = summed.get(listed) ?? ledger.totals(listed.config);
  summed.set(listed, known);
  return known;
}

class CountedWhenRead implements Counted {
  readonly listed: Listed;
  readonly sums: TotalsAnswer;
  readonly #ledger: Asked;
  #answer?: ReturnType<Asked['count']>;
  #memory?: ReturnType<Asked['memory']>;

  constructor(listed: Listed, sums: TotalsAnswer, ledger: Asked) {
    this.listed = listed;
    this.sums = sums;
    this.#ledger = ledger;
  }

  get answer() {
    this.#answer ??= this.#ledger.count(this.listed.config);
    return this.#answer.ok ? this.#answer : undefined;
  }
  get memory() {
    this.#memory ??= this.#ledger.memory(this.listed.config);
    return this.#memory.ok ? this.#memory : undefined;
  }
}

/**
 * The value of the first field with this symbol that the count uses, preferably outside of the sections for images and audio. Most symbols
 * have one meaning in all model types. `k` is also the symbol of kernel sizes: only experts per token are meant here.
 */
export function dimension({ answer }: Counted, symbol: string): Cell {
  const means = ({ symbol: own, group }: FieldRow) => own === symbol && (symbol !== 'k' || group === 'experts');
  const own = answer?.fields.filter((field) => means(field) && field.source !== 'ignored') ?? [];
  const text = own.find(({ name }) => !/^(vision|audio|image)\w*\./.test(name)) ?? own[0];
  return whole(text?.value);
}

/** Field names for the context length. */
const CONTEXTS = new Set(['max_position_embeddings', 'n_positions', 'n_ctx', 'max_seq_len', 'max_sequence_length', 'seq_length']);

/** The context length in tokens that the configuration states, at its top level or else in `text_config`. */
export function context({ listed: { config } }: Counted): Cell {
  const own: { readonly text_config?: object } = typeof config === 'string' ? parseConfig(config) : config;
  const sections = [own, own.text_config];
  const said = sections.flatMap((section) => Object.entries(section ?? {})).filter(([name]) => CONTEXTS.has(name));
  return said.map(([, value]) => whole(value)).find((value) => value !== undefined && value > 0n);
}

/** `some` as a share of all parameters, in millionths, rounded. */
export function share({ sums: { totals } }: Counted, some: bigint | undefined): Cell {
  const all = BigInt(totals.parameters);
  return some === undefined || all === 0n ? undefined : (some * 2_000_000n + all) / (2n * all);
}

export const ofParts = ({ answer }: Counted, ...names: readonly string[]): bigint | undefined =>
  answer?.parts.reduce((sum, { part, parameters }) => sum + (names.includes(part) ? BigInt(parameters) : 0n), 0n);

/**
 * The parameters of routed experts: the tensors with more parameters in total than one token uses. There are none if a token uses all
 * experts, or if the number of experts per token is unknown.
 */
export const inExperts = ({ answer }: Counted): bigint | undefined =>
  answer?.tensors.reduce((sum, { kind, total, active }) => sum + (kind === 'parameter' && total !== active ? BigInt(total) : 0n), 0n);

function whole(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined;
}
