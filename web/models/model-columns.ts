// The columns of the table of models: what each is called, says and is made from.

import type { Count, Totals } from '../types/index.ts';
import * as texts from './models-texts.ts';
import { context, dimension, inExperts, ofParts, share, type Cell, type Counted } from './model-rows.ts';

/** `count`: parameters, bytes, operations, in thousands of thousands; `size`: dimensions, whose k is 1,024; `share`: millionths of all. */
export type Kind = 'word' | 'count' | 'size' | 'share';

export interface Column {
  /** As conditions, addresses and the command line call it. */
  readonly name: string;
  readonly kind: Kind;
  /** Whether the core is asked for more than a count. */
  readonly memory?: boolean;
  readonly of: (model: Counted) => Cell;
}

const digits = (count: Count | undefined): Cell => (count === undefined ? undefined : BigInt(count));
const total = (name: string, sum: keyof Totals): Column => ({ name, kind: 'count', of: ({ sums }) => digits(sums.totals[sum]) });
const size = (name: string, symbol: string): Column => ({ name, kind: 'size', of: (model) => dimension(model, symbol) });
const partShare = (name: string, ...parts: readonly string[]): Column => ({
  name,
  kind: 'share',
  of: (model) => share(model, ofParts(model, ...parts)),
});

export const columns: readonly Column[] = [
  { name: 'name', kind: 'word', of: ({ listed }) => listed.name },
  { name: 'id', kind: 'word', of: ({ listed }) => listed.id || undefined },
  { name: 'publisher', kind: 'word', of: ({ listed: { id } }) => id.split('/', 1)[0] || undefined },
  { name: 'type', kind: 'word', of: ({ sums }) => sums.model_type },
  { name: 'class', kind: 'word', of: ({ sums }) => sums.architecture },
  total('parameters', 'parameters'),
  total('active', 'active'),
  total('non_embedding', 'non_embedding'),
  partShare('embedding', 'embedding'),
  partShare('attention', 'attention'),
  partShare('feed_forward', 'feed_forward', 'router'),
  { name: 'in_experts', kind: 'share', of: (model) => share(model, inExperts(model)) },
  size('layers', 'L'),
  size('width', 'd'),
  size('heads', 'n'),
  size('kv_heads', 'n_kv'),
  size('experts', 'E'),
  size('experts_per_token', 'k'),
  size('vocabulary', 'V'),
  { name: 'context', kind: 'size', of: context },
  { name: 'bytes', kind: 'count', memory: true, of: ({ memory }) => (memory?.weights.known ? digits((memory.weights.files ?? memory.weights.loaded).bytes) : undefined) },
  { name: 'cache', kind: 'count', memory: true, of: ({ memory }) => (memory?.cache.known ? digits(memory.cache.per_token) : undefined) },
  { name: 'operations', kind: 'count', memory: true, of: ({ memory }) => (memory?.compute.known ? 2n * BigInt(memory.compute.matrices) : undefined) },
]; // prettier-ignore

/** Those that are shown where nothing is said. */
export const DEFAULT_COLUMNS = ['name', 'type', 'parameters', 'active', 'layers', 'width', 'vocabulary', 'context'] as const;

export const COLUMN_NAMES: readonly string[] = columns.map(({ name }) => name);

export const findColumn = (name: string): Column | undefined => columns.find((column) => column.name === name);

/** What stands above a column, and what it says. */
export const columnLabel = ({ name }: Column): string => texts.columns[name][0];
export const columnMeaning = ({ name }: Column): string => texts.columns[name][1];
