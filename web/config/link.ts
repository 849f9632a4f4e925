// Reads and writes the page's state in the address after `#`. A model is `m=<published model>` or `t=<model type>` followed by the edited
// fields, or `c=<config>`, which is compressed. Several models follow one another. The name of the view comes first, except for the first
// view: `compare;m=A&x=1;m=B`.

import { ModelNotFoundError } from './model-not-found.ts';
import { listMembers, haveSameValues, removeSpaces, setField, removeField } from './config-text.ts';
import * as texts from '../texts/page.ts';
import type { Base } from './entry.ts';

/**
 * The longest part of an address from `#` on, in characters. Some messengers and browsers truncate longer ones. A typical config.json of
 * about 60 KB still fits.
 */
const MAX_LINK = 16_000;
/** If a model's id and edits take this many characters or more, the link contains the whole configuration instead, compressed. */
const MAX_EDITS = 1_200;
/** The largest configuration that is compressed, in characters, or decompressed, in bytes. An address may come from anyone. */
const MAX_TEXT = 1_000_000;
export const MAX_MODELS = 4;
/** A view's setting is compressed if it has more than MAX_PLAIN characters or begins with PACKED. It then begins with PACKED. */
const MAX_PLAIN = 100;
const PACKED = '~';

/** Decompresses a view's setting if it is compressed. Throws an Error whose message can be shown to the user. */
export const unpackDetail = (detail: string) => (detail.startsWith(PACKED) ? unpack(detail.slice(PACKED.length), CUT_SHORT) : detail);

export type ModelLink =
  | { readonly kind: 'model' | 'type'; readonly id: string; readonly edits: readonly [string, string][] }
  | { readonly kind: 'config'; readonly packed: string };

export interface Link {
  /** Empty for the first view, which shows one model. */
  readonly view: string;
  /** The setting of the view, such as `6.74B` in `check?6.74B;m=A`. */
  readonly detail: string;
  readonly models: readonly ModelLink[];
}

/** Views that a link may name without a model. They then show no model, or the page's first one. */
const VIEWS_ALONE: ReadonlySet<string> = new Set([
  'compare',
  'memory',
  'more',
  'read',
  'check',
  'articles',
  'lessons',
  'target',
  'supported',
  'models',
  'derive',
  'design',
  'embed',
]);

/** Parses the part of an address after `#`. Undefined if it contains no model and is not just a view that can be shown without one. */
export function parseHash(hash: string): Link | undefined {
  const segments = hash.replace(/^#/, '').split(';').filter(Boolean);
  const [alone, ...shown] = segments.length === 1 ? segments[0].split('?') : [''];
  if (VIEWS_ALONE.has(alone)) return { view: alone, detail: decodeComponent(shown.join('?')), models: [] };
  const [view = '', ...detail] = segments.length > 1 && !segments[0].includes('=') ? (segments.shift() as string).split('?') : [];
  const models = segments.slice(0, MAX_MODELS).flatMap((segment) => parseModel(segment) ?? []);
  return models.length > 0 ? { view: decodeComponent(view), detail: decodeComponent(detail.join('?')), models } : undefined;
}

function parseModel(segment: string): ModelLink | undefined {
  const pairs = segment
    .split('&')
    .filter(Boolean)
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return at < 0 ? [decodeComponent(pair), ''] : [decodeComponent(pair.slice(0, at)), decodeComponent(pair.slice(at + 1))];
    });
  const [first, ...rest] = pairs;
  if (!first) return undefined;
  if (first[0] === 'c') return { kind: 'config', packed: first[1] };
  const kind = first[0] === 'm' ? 'model' : first[0] === 't' ? 'type' : undefined;
  return kind && { kind, id: first[1], edits: rest };
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Applies a link's edits to the text of a configuration. A value is JSON, or a string without quotes. An empty value removes
 * the field.
 */
export const applyEdits = (text: string, edits: readonly [string, string][]) =>
  edits.reduce(
    (config, [path, literal]) =>
      literal === '' ? removeField(config, path) : (setField(config, path, quoteUnlessJson(literal), text) ?? config),
    text,
  );

/** Adds quotes to a value that is not JSON, so that a string needs none in a hand-written `#m=…&hidden_act=gelu`. */
function quoteUnlessJson(literal: string): string {
  try {
    JSON.parse(literal);
    return literal;
  } catch {
    return JSON.stringify(literal);
  }
}

export interface Linked {
  readonly text: string;
  readonly base?: Base;
}

/** Writes the part of an address after `#`. Undefined if it would be too long. */
export async function formatHash(models: readonly Linked[], view = '', detail = ''): Promise<string | undefined> {
  const parts = await Promise.all(models.map(({ text, base }) => formatModel(text, base)));
  if (parts.includes(undefined)) return undefined;
  const shown =
    view && detail
      ? `${view}?${detail.length > MAX_PLAIN || detail.startsWith(PACKED) ? PACKED + (await pack(detail)) : encodeLegibly(detail)}`
      : view;
  const hash = `#${[...(shown ? [shown] : []), ...parts].join(';')}`;
  return hash.length <= MAX_LINK ? hash : undefined;
}

/** Encodes text for an address, but keeps commas and colons legible. */
const encodeLegibly = (text: string) => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':');

async function formatModel(text: string, base: Base | undefined): Promise<string | undefined> {
  const edited = base && formatEdits(text, base);
  if (edited !== undefined && edited.length < MAX_EDITS) return edited;
  if (text.length > MAX_TEXT) return undefined;
  const packed = `c=${await pack(text)}`;
  return packed.length <= MAX_LINK ? packed : undefined;
}

function formatEdits(text: string, base: Base): string | undefined {
  const edits = findEdits(base.text, text);
  if (!edits || !haveSameValues(applyEdits(base.text, edits), text)) return undefined;
  const pairs = edits.map(([key, literal]) => `&${encodeURIComponent(key)}=${encodeURIComponent(literal).replaceAll('%2C', ',')}`);
  return `${base.kind === 'model' ? 'm' : 't'}=${encodeURIComponent(base.id).replaceAll('%2F', '/')}${pairs.join('')}`;
}

/**
 * The edits that turn one text into another, as pairs of key and literal; an empty literal removes the key. Undefined if `after` is not an
 * object, or if one of its keys is empty or contains a dot.
 */
export function findEdits(before: string, after: string): [string, string][] | undefined {
  const old = new Map(listMembers(before));
  const now = listMembers(after);
  // A dot in a key would be read as a path, so such texts are compressed as a whole.
  if (!now || now.some(([key]) => key.includes('.') || key === '')) return undefined;
  const kept = new Map(now);
  const changed = now.filter(([key, literal]) => removeSpaces(old.get(key) ?? '') !== removeSpaces(literal));
  const removed = [...old.keys()].filter((key) => !kept.has(key));
  return [
    ...changed.map(([key, literal]): [string, string] => [key, removeSpaces(literal)]),
    ...removed.map((key): [string, string] => [key, '']),
  ];
}

export async function pack(text: string): Promise<string> {
  const bytes = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer();
  let binary = '';
  for (const byte of new Uint8Array(bytes)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Makes `unpack` return the intact beginning of a truncated text, if it starts with `begins`. Views can show incomplete JSON. */
const CUT_SHORT = { begins: '{' };

/** Decompresses text. Throws an Error whose message can be shown to the user. */
export async function unpack(packed: string, cut?: typeof CUT_SHORT): Promise<string> {
  if (packed.length > 4 * MAX_LINK) throw new ModelNotFoundError(texts.link.tooLong);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  try {
    const whole = cut && packed.length % 4 === 1 ? packed.slice(0, -1) : packed;
    const binary = atob(whole.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MAX_TEXT) throw new RangeError();
      chunks.push(value as Uint8Array<ArrayBuffer>);
    }
  } catch (error) {
    const beginning = cut && !(error instanceof RangeError) ? await new Blob(chunks).text() : '';
    if (cut && beginning.startsWith(cut.begins)) return beginning;
    throw new ModelNotFoundError(error instanceof RangeError ? texts.link.tooLarge : texts.link.damaged, { cause: error });
  }
  return new Blob(chunks).text();
}
