// Models as rows of one table: each counted by the core, what is said of each in columns.

import type { Published } from '../models/entry.ts';
import type { CountAnswer, Ledger, MemoryAnswer } from '../types.ts';

/** A word, a whole number, or a share in millionths; undefined where it is not known, or the model has no such thing. */
export type Cell = string | bigint | undefined;

/** What a row is made from. */
export interface Counted {
  readonly published: Published;
  readonly answer: CountAnswer;
  /** Undefined where it was not asked for, or is refused. */
  readonly memory?: MemoryAnswer;
}

export type Asked = Pick<Ledger<never>, 'count' | 'memory'>;

/** The models that are counted, in their order; what a column does not want is not asked. */
export const countedModels = (models: readonly Published[], ledger: Asked, withMemory: boolean): readonly Counted[] =>
  models.flatMap((published) => {
    const answer = ledger.count(published.config);
    if (!answer.ok) return [];
    const memory = withMemory ? ledger.memory(published.config) : undefined;
    return [{ published, answer, memory: memory?.ok ? memory : undefined }];
  });

/** A dimension by the symbol that all model types share; of the text model where there are towers, too. */
export function dimension({ answer: { fields } }: Counted, symbol: string): Cell {
  const own = fields.filter((field) => field.symbol === symbol && field.source !== 'ignored');
  const text = own.find(({ name }) => !/^(vision|audio|image)\w*\./.test(name)) ?? own[0];
  return whole(text?.value);
}

/** Names under which configurations say how many tokens a model is made for. */
const CONTEXTS = new Set(['max_position_embeddings', 'n_positions', 'n_ctx', 'max_seq_len', 'max_sequence_length', 'seq_length']);

/** The tokens that a model is made for, as its configuration says; the text model's. */
export function context({ published: { config } }: Counted): Cell {
  const sections = [config, (config as { readonly text_config?: object }).text_config];
  const said = sections.flatMap((section) => Object.entries(section ?? {})).filter(([name]) => CONTEXTS.has(name));
  return said.map(([, value]) => whole(value)).find((value) => value !== undefined && value > 0n);
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
