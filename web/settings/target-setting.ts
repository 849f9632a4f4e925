// The setting of the Target size view. Parses and writes it as JSON in an address, and makes the search request to the core.

import { parseQuantity } from '../support/quantity.ts';
import type { CountAnswer, FieldRow, SearchRequest } from '../types/index.ts';

/** How a field takes part in a search. Numbers are strings, so that they stay as the user typed them. */
export interface Part {
  readonly mode: 'fixed' | 'vary' | 'tied';
  readonly from?: string;
  readonly to?: string;
  readonly step?: string;
  readonly of?: string;
  readonly times?: string;
  readonly multiple?: string;
}

export interface Bounds {
  readonly least: string;
  readonly most: string;
}

export type Shape = 'head' | 'depth' | 'ratio';

export interface TargetSetting {
  readonly target: string;
  /** Which total should be close to the target. */
  readonly total: 'parameters' | 'active';
  readonly parts: Readonly<Record<string, Part>>;
  readonly limits: Readonly<Record<Shape, Bounds>>;
}

const DEFAULT_LIMITS: TargetSetting['limits'] = {
  head: { least: '64', most: '256' },
  depth: { least: '', most: '' },
  ratio: { least: '2', most: '8' },
};

/** The integer fields that a search may vary: those that occur in formulas and those of the model's main dimensions. */
export function listSearchable(answer: CountAnswer): readonly FieldRow[] {
  const counted = new Set(answer.symbols.filter(({ field }) => field).map(({ name }) => name));
  return answer.fields.filter(
    ({ name, type, value, source }) =>
      source !== 'ignored' && type === 'integer' && typeof value === 'number' && (counted.has(name) || isShape(answer, name)),
  );
}

const SHAPES = ['d', 'L', 'n', 'n_kv', 'f', 'h'];
const isShape = (answer: CountAnswer, name: string) => SHAPES.some((symbol) => findField(answer, symbol)?.name === name);

/** The first integer field with this symbol or, without one, with this symbol and a subscript that starts with `t`, as in a text section. */
export function findField({ fields }: CountAnswer, symbol: string): FieldRow | undefined {
  const integers = fields.filter(({ source, type }) => source !== 'ignored' && type === 'integer');
  return integers.find((row) => row.symbol === symbol) ?? integers.find((row) => row.symbol?.startsWith(`${symbol}_t`));
}

const numberOf = (row: FieldRow | undefined) => (typeof row?.value === 'number' ? row.value : 0);

/** Whether the setting is still the initial one for its target. If so, a new target resets the ranges. */
export const isUntouched = (answer: CountAnswer, wish: TargetSetting): boolean =>
  JSON.stringify(createTargetSetting(answer, wish.target, wish.total)) === JSON.stringify(wish);

/**
 * The factor by which width and depth are multiplied to reach the target, since the parameter count grows with width squared times depth.
 * It is at least 1/64 and at most 64. It is 1 if the target is zero or cannot be parsed, or if the model's total is zero or unknown.
 */
function growthTo({ totals }: CountAnswer, target: string, total: TargetSetting['total']): number {
  const wanted = Number(parseQuantity(target)?.value ?? 0n) / Number(totals[total]);
  return Number.isFinite(wanted) && wanted > 0 ? Math.min(Math.max(Math.cbrt(wanted), 1 / 64), 64) : 1;
}

/**
 * The initial ranges. Depth and width vary around values expected for the target size. If the model's fields allow it, the number of heads
 * and the feed-forward dimension are tied to the width, and an equal number of key-value heads to the number of heads.
 */
export function createTargetSetting(answer: CountAnswer, target: string, total: TargetSetting['total'] = 'parameters'): TargetSetting {
  const [d, n, nKv, f, layers] = ['d', 'n', 'n_kv', 'f', 'L'].map((symbol) => findField(answer, symbol));
  const growth = growthTo(answer, target, total);
  const parts: Record<string, Part> = {};
  const around = (row: FieldRow, step: number): Part => {
    const value = numberOf(row) * growth;
    const near = (factor: number) => String(Math.max(step, Math.round((value * factor) / step) * step));
    return { mode: 'vary', from: near(0.5), to: near(2), step: String(step) };
  };
  if (layers) parts[layers.name] = around(layers, 1);
  if (d) parts[d.name] = around(d, numberOf(d) >= 1024 ? 128 : 64);
  if (d && n && numberOf(n) > 0 && numberOf(d) % numberOf(n) === 0) {
    parts[n.name] = { mode: 'tied', of: d.name, times: `1/${numberOf(d) / numberOf(n)}`, multiple: '' };
    if (nKv && nKv.name !== n.name && numberOf(nKv) === numberOf(n))
      parts[nKv.name] = { mode: 'tied', of: n.name, times: '1', multiple: '' };
  }
  if (d && f && f.source !== 'derived' && numberOf(d) > 0) {
    parts[f.name] = { mode: 'tied', of: d.name, times: (numberOf(f) / numberOf(d)).toFixed(3), multiple: '256' };
  }
  return { target, total, parts, limits: limitsAround(answer) };
}

/** The default limits, widened to include the current model. */
function limitsAround(answer: CountAnswer): TargetSetting['limits'] {
  const wide = (shape: Shape): Bounds => {
    const { least, most } = DEFAULT_LIMITS[shape];
    const [field, over] = SHAPE_FIELDS[shape].map((symbol) => numberOf(findField(answer, symbol)));
    if (least === '' || field === 0 || over === 0) return { least, most };
    return {
      least: String(Math.min(Number(least), Math.floor(field / over))),
      most: String(Math.max(Number(most), Math.ceil(field / over))),
    };
  };
  return { head: wide('head'), depth: wide('depth'), ratio: wide('ratio') };
}

/** Limits that exclude nothing. */
export const NO_LIMITS: TargetSetting['limits'] = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((shape) => [shape, { least: '', most: '' }]),
) as unknown as TargetSetting['limits'];

/** The options of the core's `search` request. */
export function toSearchRequest(wish: TargetSetting, answer: CountAnswer): SearchRequest {
  const known = new Map(listSearchable(answer).map((row) => [row.name, row.given_as ?? row.name]));
  const entries = Object.entries(wish.parts).flatMap(([name, part]) => (known.has(name) ? [[name, part] as const] : []));
  const vary = entries.flatMap(([field, { mode, from = '', to = '', step = '' }]) =>
    mode === 'vary' ? [{ field, from: Number(from), to: Number(to), step: Number(step || 1) }] : [],
  );
  const tied = entries.flatMap(([field, { mode, of = '', times = '', multiple = '' }]) =>
    mode === 'tied' ? [{ field, of, times: times.trim(), ...(multiple.trim() !== '' && { multiple: Number(multiple) }) }] : [],
  );
  const limits = (Object.entries(wish.limits) as [Shape, Bounds][]).flatMap(([shape, { least, most }]) => {
    const [field, over] = SHAPE_FIELDS[shape].map((symbol) => findField(answer, symbol)?.name);
    if (field === undefined || over === undefined || (least.trim() === '' && most.trim() === '')) return [];
    return [{ field, over, ...(least.trim() !== '' && { least: least.trim() }), ...(most.trim() !== '' && { most: most.trim() }) }];
  });
  // The core computes tied fields in order, so each is listed after the field that it is tied to.
  return { target: wish.target, vary, tied: inOrder(tied), limits, ...(wish.total === 'active' && { total: 'active' }) };
}

const SHAPE_FIELDS: Readonly<Record<Shape, readonly [string, string]>> = { head: ['d', 'n'], depth: ['d', 'L'], ratio: ['f', 'd'] };

/** The shape ratios that the search can limit. The model must have both fields of a ratio. */
export const listShapes = (answer: CountAnswer): readonly Shape[] =>
  (Object.keys(SHAPE_FIELDS) as Shape[]).filter((shape) => SHAPE_FIELDS[shape].every((symbol) => findField(answer, symbol)));

function inOrder<T extends { readonly field: string; readonly of: string }>(tied: readonly T[]): T[] {
  const out: T[] = [];
  const rest = [...tied];
  while (rest.length > 0) {
    const at = rest.findIndex(({ of }) => rest.every(({ field }) => field !== of));
    out.push(...rest.splice(Math.max(at, 0), 1)); // fields that refer to each other in a cycle keep their order, and the core reports them
  }
  return out;
}

const MODES: readonly Part['mode'][] = ['fixed', 'vary', 'tied'];

/**
 * Parses the setting in an address; undefined if the text is not JSON or has no valid `target` or `parts`. Other members with a wrong type
 * get default values or are dropped.
 */
export function parse(text: string): TargetSetting | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { target, total, parts, limits } = membersOf(value);
  if (typeof target !== 'string' || !isObject(parts)) return undefined;
  return {
    target,
    total: total === 'active' ? 'active' : 'parameters',
    parts: Object.fromEntries(Object.entries(parts).map(([field, part]) => [field, partOf(membersOf(part))])),
    limits: Object.fromEntries(
      Object.entries(DEFAULT_LIMITS).map(([shape, usual]) => {
        const { least, most } = membersOf(membersOf(limits)[shape]);
        return [shape, { least: typedOf(least) ?? usual.least, most: typedOf(most) ?? usual.most }];
      }),
    ) as Record<Shape, Bounds>,
  };
}

export const write = (wish: TargetSetting): string => JSON.stringify(wish);

function partOf({ mode, ...typed }: Readonly<Record<string, unknown>>): Part {
  const own = ['from', 'to', 'step', 'of', 'times', 'multiple'].flatMap((name) => {
    const text = typedOf(typed[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { mode: MODES.find((known) => known === mode) ?? 'fixed', ...Object.fromEntries(own) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const membersOf = (value: unknown) => (isObject(value) ? value : {});

/** Numbers of the setting are text, but an address written by hand may contain them as JSON numbers. */
const typedOf = (value: unknown) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined);
