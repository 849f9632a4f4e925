// The columns of the table of models: their names and how each cell is computed.

import { releases, type Release } from '../data/releases.ts';
import type { Count, Totals } from '../types/index.ts';
import * as texts from './models-texts.ts';
import { context, dimension, inExperts, ofParts, share, type Cell, type Counted } from './model-rows.ts';

/**
 * The kinds of columns. `count`: parameters, bytes or operations, where k is 1,000; `size`: dimensions, where k is 1,024; `share`:
 * millionths of all parameters; `date`: `2024-07-23` or `2024-07`.
 */
export type Kind = 'word' | 'date' | 'count' | 'size' | 'share';

export interface Column {
  /** The name in conditions, addresses and on the command line. */
  readonly name: string;
  /** Other accepted names. */
  readonly aliases?: readonly string[];
  readonly kind: Kind;
  /** Whether a cell needs the core's memory answer in addition to a count. */
  readonly memory?: boolean;
  readonly of: (model: Counted) => Cell;
}

const released = new Map(releases.flatMap((release) => release.models.map((id): [string, Release] => [id, release])));
/** The release date and license of a published model, if known. */
export const releaseOf = (id: string): Release | undefined => released.get(id);

const digits = (count: Count | undefined): Cell => (count === undefined ? undefined : BigInt(count));
const total = (name: string, sum: keyof Totals, ...aliases: readonly string[]): Column => ({
  name,
  kind: 'count',
  aliases,
  of: ({ sums }) => digits(sums.totals[sum]),
});
const size = (name: string, symbol: string, ...aliases: readonly string[]): Column => ({
  name,
  kind: 'size',
  aliases,
  of: (model) => dimension(model, symbol),
});
const partShare = (name: string, ...parts: readonly string[]): Column => ({
  name,
  kind: 'share',
  of: (model) => share(model, ofParts(model, ...parts)),
});

export const columns: readonly Column[] = [
  { name: 'name', kind: 'word', of: ({ listed }) => listed.name },
  { name: 'id', kind: 'word', of: ({ listed }) => listed.id || undefined },
  { name: 'publisher', kind: 'word', aliases: ['owner', 'org', 'organization', 'author'], of: ({ listed: { id } }) => id.split('/', 1)[0] || undefined },
  { name: 'type', kind: 'word', aliases: ['model_type', 'family'], of: ({ sums }) => sums.model_type },
  { name: 'class', kind: 'word', aliases: ['architecture', 'architectures'], of: ({ sums }) => sums.architecture },
  total('parameters', 'parameters', 'params', 'param', 'total', 'size'),
  total('active', 'active', 'activated', 'active_params', 'active_parameters'),
  total('non_embedding', 'non_embedding', 'nonembedding', 'without_embeddings'),
  partShare('embedding', 'embedding'),
  partShare('attention', 'attention'),
  partShare('feed_forward', 'feed_forward', 'router'),
  { name: 'in_experts', kind: 'share', of: (model) => share(model, inExperts(model)) },
  size('layers', 'L', 'depth', 'num_hidden_layers', 'n_layer'),
  size('width', 'd', 'hidden', 'hidden_size', 'd_model', 'n_embd'),
  size('heads', 'n', 'num_attention_heads', 'n_head'),
  size('kv_heads', 'n_kv', 'num_key_value_heads', 'n_kv_heads'),
  size('experts', 'E', 'num_experts', 'n_routed_experts'),
  size('experts_per_token', 'k', 'top_k', 'num_experts_per_tok'),
  size('vocabulary', 'V', 'vocab', 'vocab_size'),
  { name: 'context', kind: 'size', aliases: ['context_length', 'ctx', 'max_position_embeddings'], of: context },
  { name: 'released', kind: 'date', aliases: ['date', 'release', 'release_date'], of: ({ listed: { id } }) => releaseOf(id)?.released },
  { name: 'license', kind: 'word', aliases: ['licence'], of: ({ listed: { id } }) => releaseOf(id)?.license },
  { name: 'bytes', kind: 'count', memory: true, of: ({ memory }) => (memory?.weights.known ? digits((memory.weights.files ?? memory.weights.loaded).bytes) : undefined) },
  { name: 'cache', kind: 'count', memory: true, of: ({ memory }) => (memory?.cache.known ? digits(memory.cache.per_token) : undefined) },
  { name: 'operations', kind: 'count', memory: true, of: ({ memory }) => (memory?.compute.known ? 2n * BigInt(memory.compute.matrices) : undefined) },
]; // prettier-ignore

/** The columns shown by default. */
export const DEFAULT_COLUMNS = ['name', 'type', 'parameters', 'active', 'layers', 'width', 'vocabulary', 'context', 'released'] as const;

export const COLUMN_NAMES: readonly string[] = columns.map(({ name }) => name);

/** Finds a column by its name or an alias. */
export const findColumn = (name: string): Column | undefined =>
  columns.find((column) => column.name === name) ?? columns.find(({ aliases }) => aliases?.includes(name));

/** Whether the cells of a column are text instead of numbers. */
export const isText = ({ kind }: Column): boolean => kind === 'word' || kind === 'date';

/** The heading of a column. */
export const columnLabel = ({ name }: Column): string => texts.columns[name][0];
export const columnMeaning = ({ name }: Column): string => texts.columns[name][1];
