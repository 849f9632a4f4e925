// Parses and writes what the compact form of an answer shows in a widget or a frame. The text comes from attributes, or from an address
// such as `#view=total+parts&editable=num_hidden_layers:1-80&theme=dark;m=meta-llama/Llama-3.1-8B`.

import { parseHash, type ModelLink } from '../config/link.ts';
import type { Count } from '../types/index.ts';

/** The parts of an answer that can be shown, in display order. */
export const COMPACT_PARTS = ['total', 'parts', 'compare', 'formula', 'derivation', 'devices', 'table'] as const;

export type CompactPart = (typeof COMPACT_PARTS)[number];

/** A field that the user may change, and its bounds, if it has any. */
export interface Editable {
  readonly field: string;
  readonly least?: Count;
  readonly most?: Count;
}

export type CompactTheme = '' | 'light' | 'dark';

export interface Compact {
  readonly parts: readonly CompactPart[];
  /** How devices share the model, such as `8x1x8`. Undefined in a link without `devices:`. */
  readonly plan?: string;
  readonly editable: readonly Editable[];
  readonly theme: CompactTheme;
}

const words = (text: string) => text.split(/[\s,+]+/).filter(Boolean);

/** The parts of an answer that a text names. If it names none: the total and the table of parts. */
export function parseParts(text: string): readonly CompactPart[] {
  const named = words(text).map((word) => word.replace(/^devices:.*/, 'devices'));
  const found = COMPACT_PARTS.filter((part) => named.includes(part));
  return found.length > 0 ? found : ['total', 'parts'];
}

/** The parallel plan after `devices:`. If there is none, tensor parallelism over eight devices. */
export const parsePlanIn = (text: string): string => /(?:^|[\s,+])devices:((?:(?:megatron|vllm)-)?[\dx]+)/.exec(text)?.[1] ?? '8';

export const writeParts = ({ parts, plan }: Pick<Compact, 'parts' | 'plan'>, between: string): string =>
  parts.map((part) => (part === 'devices' && plan !== undefined ? `${part}:${plan}` : part)).join(between);

/** `compares`: whether the models share one comparison. `alone`: the parts that are shown for each model separately. */
export function arrangeParts(parts: readonly CompactPart[], models: number): { compares: boolean; alone: readonly CompactPart[] } {
  const compares = parts.includes('compare') && models > 1;
  const alone = parts.filter((part) => part !== 'compare' && !(compares && (part === 'total' || part === 'parts')));
  return { compares, alone: alone.length > 0 || compares ? alone : parseParts('') };
}

/**
 * Parses fields with optional bounds, such as `num_hidden_layers:1-80, hidden_size`. Bounds are dropped if the minimum exceeds the maximum.
 */
export const parseEditable = (text: string): readonly Editable[] =>
  words(text).map((word) => {
    const [, field, least, most] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(word) as RegExpExecArray;
    return { field, ...(least !== undefined && BigInt(least) <= BigInt(most) && { least, most }) };
  });

export const writeEditable = (fields: readonly Editable[]): string =>
  fields.map(({ field, least, most }) => (least === undefined ? field : `${field}:${least}-${most}`)).join(' ');

export const parseTheme = (text: string): CompactTheme => (text === 'light' || text === 'dark' ? text : '');

export interface CompactLink extends Compact {
  readonly models: readonly ModelLink[];
}

/** Parses the compact form in an address; undefined if the address does not ask for the compact form or its models cannot be parsed. */
export function parseCompactHash(hash: string): CompactLink | undefined {
  const match = /^#(view=[^;]*);(.*)$/.exec(hash);
  const models = match && parseHash(match[2])?.models;
  if (!models) return undefined;
  const said = new URLSearchParams(match[1]);
  const value = (name: string) => said.get(name) ?? '';
  const view = value('view');
  return {
    parts: parseParts(view),
    ...(view.includes('devices:') && { plan: parsePlanIn(view) }),
    editable: parseEditable(value('editable')),
    theme: parseTheme(value('theme')),
    models,
  };
}

/** Writes the compact form as an address. `models` is the part of the address for the models. */
export function writeCompactHash({ parts, plan, editable, theme }: Compact, models: string): string {
  const said = [
    `view=${writeParts({ parts, plan }, '+')}`,
    ...(editable.length > 0 ? [`editable=${writeEditable(editable).replaceAll(' ', '+')}`] : []),
    ...(theme ? [`theme=${theme}`] : []),
  ];
  return `#${said.join('&')};${models.replace(/^#/, '')}`;
}

/** Whether a JSON literal is within a field's bounds. Only literals of digits alone are checked; any other literal counts as within. */
export const isWithin = (literal: string, { least, most }: Editable): boolean =>
  least === undefined ||
  most === undefined ||
  !/^\d+$/.test(literal) ||
  (BigInt(literal) >= BigInt(least) && BigInt(literal) <= BigInt(most));
