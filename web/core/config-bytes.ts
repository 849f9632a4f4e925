// Encodes a configuration (text, bytes or an object) as the bytes of a config.json. Objects are not written by JSON.stringify: it writes
// Infinity, which some published configurations contain, as null; it drops undefined or writes it as null; it throws for a BigInt; and it
// writes an integer that JavaScript has already rounded as if it were exact.

import { toUint8Array, isBytes } from './bytes-input.ts';
import type { ErrorCode } from '../types/index.ts';

/** The largest configuration that the core reads, in bytes. Most published config.json files have less than 100 KB. */
export const MAX_BYTES = 1_000_000;
/** The maximum nesting depth that the core accepts. */
const MAX_DEPTH = 64;

/**
 * The reason why a question cannot be answered: an invalid configuration, file or option, or a failure of the core. It becomes the `error`
 * of the answer.
 */
export class InputError extends Error {
  readonly code: ErrorCode;
  /** The dotted path of the field or option; empty if the error concerns the whole input. */
  readonly field: string;
  /** If a name was mistyped: the names that were probably meant. */
  readonly nearest: readonly string[] | undefined;

  constructor(code: ErrorCode, field: string, message: string, nearest?: readonly string[]) {
    super(message);
    this.code = code;
    this.field = field;
    this.nearest = nearest;
  }
}

const encoder = new TextEncoder();

/** Encodes a configuration. Throws only `InputError`. */
export function encodeConfig(config: unknown): Uint8Array {
  try {
    if (isBytes(config)) return checkSize(toUint8Array(config));
    if (typeof config !== 'string' && (typeof config !== 'object' || config === null)) {
      throw new InputError('wrong_type', '', `A configuration must be a string, bytes or an object, not ${describeType(config)}.`);
    }
    const text = typeof config === 'string' ? config : writeJson(config);
    if (text.length > MAX_BYTES) throw tooLargeError();
    return checkSize(encoder.encode(text));
  } catch (error) {
    throw asInputError(error);
  }
}

/** Converts an object to the text of a config.json. Throws `InputError`. */
export function stringifyConfig(config: object): string {
  try {
    return writeJson(config);
  } catch (error) {
    throw asInputError(error);
  }
}

/** Converts any other exception to an `InputError`: getters, proxies and detached buffers may throw anything. */
const asInputError = (error: unknown) =>
  error instanceof InputError
    ? error
    : new InputError('wrong_type', '', 'The object cannot be read: one of its properties throws an error.');

function checkSize(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_BYTES) throw tooLargeError();
  return bytes;
}

const tooLargeError = () => new InputError('too_large', '', `The configuration is larger than ${MAX_BYTES / 1_000_000} MB.`);

function writeJson(config: object): string {
  let text = '';
  const open: object[] = [];

  const write = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null) writeAll(value, path);
    else text += writeScalar(value, path);
    if (text.length > MAX_BYTES) throw tooLargeError();
  };

  const writeAll = (value: object, path: string) => {
    if (open.includes(value)) throw new InputError('wrong_type', path, `${path} contains itself.`);
    if (open.length >= MAX_DEPTH) throw new InputError('too_deep', path, `The configuration is nested more than ${MAX_DEPTH} levels deep.`);
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
      const object = requirePlainObject(value, path) as Record<string, unknown>;
      Object.keys(object).forEach((key, i) => {
        text += `${i > 0 ? ',' : ''}${quote(key)}:`;
        write(object[key], inside(key));
      });
      text += '}';
    }
    open.pop();
  };

  write(config, '');
  return text;
}

function writeScalar(value: unknown, path: string): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      // An integer of magnitude 2^53 or more may have been rounded. It is written with an exponent, so that the core does not take it for
      // an exact integer. NaN and Infinity are written as Python writes them.
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
    case 'bigint':
      if (value.toString(16).length > MAX_BYTES) throw tooLargeError(); // converting a huge BigInt to decimal is slow
      return String(value);
    case 'boolean':
      return String(value);
    default:
      if (value === null) return 'null';
      throw new InputError('wrong_type', path, `${path} is ${describeType(value)}, which no config.json can hold.`);
  }
}

function requirePlainObject(value: object, path: string): object {
  if (Object.prototype.toString.call(value) === '[object Object]') return value;
  throw new InputError('wrong_type', path, `${path || 'The configuration'} is ${describeType(value)}, not a plain object.`);
}

/** Quotes a string. An unpaired surrogate becomes U+FFFD, as in TextEncoder. */
function quote(text: string): string {
  if (text.length > MAX_BYTES) throw tooLargeError();
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** The name of a value's type for error messages: `null`, `a number`, `a Promise`. */
export const describeType = (value: unknown) =>
  value === undefined || value === null
    ? String(value)
    : withArticle(typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value);

const withArticle = (name: string) => `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${name}`;
