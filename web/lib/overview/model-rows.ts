// Models as rows of one table: each counted by the core, what is said of each in columns.

import type { CountAnswer, Ledger, MemoryAnswer } from '../types.ts';

/** A word, a whole number, or a share in millionths; undefined where it is not known, or the model has no such thing. */
export type Cell = string | bigint | undefined;

/** A model that may be a row: a published one, or one of the reader's own. */
export interface Listed {
  /** On the Hub; empty for the reader's own. */
  readonly id: string;
  readonly name: string;
  readonly config: object | string;
}

/** What a row is made from. */
export interface Counted {
  readonly listed: Listed;
  readonly answer: CountAnswer;
  /** Undefined where it was not asked for, or is refused. */
  readonly memory?: MemoryAnswer;
}

export type Asked = Pick<Ledger<never>, 'count' | 'memory'>;

/** The models that are counted, in their order; with what they take where a column wants that. */
export type Countings = (withMemory: boolean) => readonly Counted[];

/** Counts each model once, when it is first asked for. */
export function countings(models: readonly Listed[], ledger: Asked): Countings {
  let counted: readonly Counted[] | undefined;
  let whole: readonly Counted[] | undefined;
  return (withMemory) => {
    counted ??= models.flatMap((listed) => {
      const answer = ledger.count(listed.config);
      return answer.ok ? [{ listed, answer }] : [];
    });
    if (!withMemory) return whole ?? counted;
    whole ??= counted.map((row) => {
      const memory = ledger.memory(row.listed.config);
      return { ...row, memory: memory.ok ? memory : undefined };
    });
    return whole;
  };
}

/** A dimension by the symbol that all model types share; of the text model where there are towers, too. */
export function dimension({ answer: { fields } }: Counted, symbol: string): Cell {
  const own = fields.filter((field) => field.symbol === symbol && field.source !== 'ignored');
  const text = own.find(({ name }) => !/^(vision|audio|image)\w*\./.test(name)) ?? own[0];
  return whole(text?.value);
}

/** Names under which configurations say how many tokens a model is made for. */
const CONTEXTS = new Set(['max_position_embeddings', 'n_positions', 'n_ctx', 'max_seq_len', 'max_sequence_length', 'seq_length']);

/** The tokens that a model is made for, as its configuration says; the text model's. */
export function context({ listed: { config } }: Counted): Cell {
  const own = objectOf(config);
  const sections = [own, own.text_config];
  const said = sections.flatMap((section) => Object.entries(section ?? {})).filter(([name]) => CONTEXTS.has(name));
  return said.map(([, value]) => whole(value)).find((value) => value !== undefined && value > 0n);
}

function objectOf(config: object | string): { readonly text_config?: object } {
  try {
    return typeof config === 'string' ? (JSON.parse(config) as object) : config;
  } catch {
    return {}; // what the core reads and JSON does not know, such as NaN
  }
}

/** Of all parameters, in millionths. */
export function share({ answer: { totals } }: Counted, some: bigint): Cell {
  const all = BigInt(totals.parameters);
  return all === 0n ? undefined : (some * 2_000_000n + all) / (2n * all);
}

export const ofParts = ({ answer: { parts } }: Counted, ...names: readonly string[]): bigint =>
  parts.reduce((sum, { part, parameters }) => sum + (names.includes(part) ? BigInt(parameters) : 0n), 0n);

/** What stands in experts of which a token uses some. */
export const inExperts = ({ answer: { tensors } }: Counted): bigint =>
  tensors.reduce((sum, { kind, total, active }) => sum + (kind === 'parameter' && total !== active ? BigInt(total) : 0n), 0n);

function whole(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined;
}
