// The page's state as the part of the address after `#`: `m=<model>` or `t=<model type>` with the fields that were edited, or `c=<config>`, deflated.

import { entries, withField, withoutField } from './config-text.js';

/** Longer addresses are cut by messengers and browsers; a config.json of some 60 KB still fits. */
const MAX_LINK = 16_000;
/** Nothing larger is unpacked: an address may come from anybody. */
const MAX_TEXT = 1_000_000;

/**
 * What a config.json was made from: a published model, or a model type with its defaults.
 * @typedef {object} Base
 * @property {'model' | 'type'} kind
 * @property {string} id
 * @property {string} name
 * @property {string} text its config.json
 * @property {import('./types').Count} [parameters] the published count
 * @property {string} [source] where that and the config come from
 */

/** @typedef {{ kind: 'model' | 'type', id: string, edits: [string, string][] } | { kind: 'config', packed: string }} Link */

/** What a hash says; undefined where it says nothing. @param {string} hash @returns {Link | undefined} */
export function parseHash(hash) {
  const pairs = hash
    .replace(/^#/, '')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    });
  const [first, ...rest] = pairs;
  if (!first) return undefined;
  if (first[0] === 'c') return { kind: 'config', packed: first[1] };
  const kind = first[0] === 'm' ? 'model' : first[0] === 't' ? 'type' : undefined;
  return kind && { kind, id: first[1], edits: /** @type {[string, string][]} */ (rest) };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The text of a base with a link's edits. A value is JSON; none takes the field out.
 * @param {string} text
 * @param {[string, string][]} edits
 */
export function withEdits(text, edits) {
  return edits.reduce((config, [path, literal]) => (literal === '' ? withoutField(config, path) : (withField(config, path, jsonOf(literal)) ?? config)), text);
}

/** A hand-written `#m=…&hidden_act=gelu` need not quote its strings. @param {string} literal */
function jsonOf(literal) {
  try {
    JSON.parse(literal);
    return literal;
  } catch {
    return JSON.stringify(literal);
  }
}

/**
 * @param {string} text the config.json
 * @param {Base | undefined} base what it was made from
 * @returns {Promise<string | undefined>} undefined where it is too long for an address
 */
export async function hashOf(text, base) {
  const edited = base && editedHash(text, base);
  if (edited !== undefined && edited.length < 1_200) return edited;
  if (text.length > MAX_TEXT) return undefined;
  const packed = `#c=${await pack(text)}`;
  return packed.length <= MAX_LINK ? packed : undefined;
}

/** @param {string} text @param {Base} base */
function editedHash(text, base) {
  const edits = editsBetween(base.text, text);
  if (!edits || squeezed(withEdits(base.text, edits)) !== squeezed(text)) return undefined;
  const pairs = edits.map(([key, literal]) => `&${encodeURIComponent(key)}=${encodeURIComponent(literal).replaceAll('%2C', ',')}`);
  return `#${base.kind === 'model' ? 'm' : 't'}=${encodeURIComponent(base.id).replaceAll('%2F', '/')}${pairs.join('')}`;
}

/** The text without the spaces between its tokens. @param {string} text */
const squeezed = (text) => text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g, (token) => (token[0] === '"' ? token : ''));

/** @param {string} before @param {string} after @returns {[string, string][] | undefined} */
function editsBetween(before, after) {
  const old = new Map(entries(before));
  const now = entries(after);
  // A dot in a key would read as a path; such texts travel whole.
  if (!now || now.some(([key]) => key.includes('.') || key === '')) return undefined;
  const kept = new Map(now);
  /** @type {[string, string][]} */
  const edits = now.filter(([key, literal]) => squeezed(old.get(key) ?? '') !== squeezed(literal)).map(([key, literal]) => [key, squeezed(literal)]);
  for (const key of old.keys()) if (!kept.has(key)) edits.push([key, '']);
  return edits;
}

/** @param {string} text */
export async function pack(text) {
  const bytes = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer();
  let binary = '';
  for (const byte of new Uint8Array(bytes)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * @param {string} packed
 * @returns {Promise<string>}
 * @throws {Error} with a message for the reader
 */
export async function unpack(packed) {
  if (packed.length > 4 * MAX_LINK) throw new Error('The configuration in this link is too long.');
  /** @type {Uint8Array[]} */
  const chunks = [];
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MAX_TEXT) throw new RangeError();
      chunks.push(value);
    }
  } catch (error) {
    const why = error instanceof RangeError ? 'unpacks to more than 1 MB' : 'is damaged: perhaps its end was cut off';
    throw new Error(`The configuration in this link ${why}.`, { cause: error });
  }
  return new Blob(/** @type {BlobPart[]} */ (chunks)).text();
}
