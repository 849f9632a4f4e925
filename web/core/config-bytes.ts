// What a caller hands in (text, bytes or an object) as the bytes of a config.json. An object is written here rather than by
// JSON.stringify, which loses what matters: Infinity (published configs contain it) becomes null, undefined disappears,
// BigInt and cycles throw, and an integer that JavaScript has already rounded looks exact.

import { bytesOf, isBytes } from './bytes-input.ts';
import type { ErrorCode } from '../types/index.ts';

/** As much as the core reads; the largest published config.json holds some 100 KB. */
export const MAX_BYTES = 1_000_000;
/** As deep as the core reads. */
const MAX_DEPTH = 64;

/** Why something is no config.json; becomes the answer's `error`. */
export class Unreadable extends Error {
  readonly code: ErrorCode;
  /** Dotted; empty for the whole. */
  readonly field: string;
  /** What was probably meant. */
  readonly nearest: readonly string[] | undefined;

  constructor(code: ErrorCode, field: string, message: string, nearest?: readonly string[]) {
    super(message);
    this.code = code;
    this.field = field;
    this.nearest = nearest;
  }
}

const encoder = new TextEncoder();

/** Throws `Unreadable`, and nothing else whatever it is given. */
export function configBytes(config: unknown): Uint8Array {
  try {
    if (isBytes(config)) return checked(bytesOf(config));
    if (typeof config !== 'string' && (typeof config !== 'object' || config === null)) {
      throw new Unreadable('wrong_type', '', `A configuration is a text, bytes or an object, not ${nameOf(config)}.`);
    }
    const text = typeof config === 'string' ? config : jsonText(config);
    if (text.length > MAX_BYTES) throw tooLarge();
    return checked(encoder.encode(text));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('wrong_type', '', 'The object cannot be read: reading it throws an error.'); // a getter, a proxy, a detached buffer
  }
}

function checked(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_BYTES) throw tooLarge();
  return bytes;
}

const tooLarge = () => new Unreadable('too_large', '', `The configuration is larger than ${MAX_BYTES / 1_000_000} MB.`);

function jsonText(config: object): string {
  let text = '';
  const open: object[] = [];

  const write = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null) writeAll(value, path);
    else text += scalar(value, path);
    if (text.length > MAX_BYTES) throw tooLarge();
  };

  const writeAll = (value: object, path: string) => {
    if (open.includes(value)) throw new Unreadable('wrong_type', path, `${path} contains itself.`);
    if (open.length >= MAX_DEPTH) throw new Unreadable('too_deep', path, `The configuration is nested more than ${MAX_DEPTH} levels deep.`);
    open.push(value);
    const inside = (key: string | number) => (path ? `${path}.${key}` : String(key));
    if (Array.isArray(value)) {
      text += '[';
      for (let i = 0; i < value.length; i++) {
        if (i > 0) text += ',';
        write(value[i], inside(i));
      }
      text += ']';
    } else {
      text += '{';
      const object = plain(value, path) as Record<string, unknown>;
      Object.keys(object).forEach((key, i) => {
        text += `${i > 0 ? ',' : ''}${quoted(key)}:`;
        write(object[key], inside(key));
      });
      text += '}';
    }
    open.pop();
  };

  write(config, '');
  return text;
}

function scalar(value: unknown, path: string): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      // Beyond 2^53 it may have been rounded: with an exponent it is no integer to the core. NaN and Infinity as Python writes them.
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
    case 'bigint':
      if (value.toString(16).length > MAX_BYTES) throw tooLarge(); // decimal digits of a large one take long
      return String(value);
    case 'boolean':
      return String(value);
    default:
      if (value === null) return 'null';
      throw new Unreadable('wrong_type', path, `${path} is ${nameOf(value)}, which no config.json can hold.`);
  }
}

function plain(value: object, path: string): object {
  if (Object.prototype.toString.call(value) === '[object Object]') return value;
  throw new Unreadable('wrong_type', path, `${path || 'The configuration'} is ${nameOf(value)}, not a plain object.`);
}

/** Half of a surrogate pair becomes U+FFFD, as in text that passes through TextEncoder. */
function quoted(text: string): string {
  if (text.length > MAX_BYTES) throw tooLarge();
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** In a refusal: `null`, `a number`, `a Promise`. */
export const nameOf = (value: unknown) =>
  value === undefined || value === null
    ? String(value)
    : withArticle(typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value);

const withArticle = (name: string) => `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${name}`;
