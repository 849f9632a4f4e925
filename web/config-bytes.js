// What a caller hands in (text, bytes or an object) as the bytes of a config.json. An object is written here rather than by
// JSON.stringify, which loses what matters: Infinity (published configs contain it) becomes null, undefined disappears,
// BigInt and cycles throw, and an integer that JavaScript has already rounded looks exact.

/** As much as the core reads; the largest published config.json holds some 100 KB. */
export const MAX_BYTES = 10 * 2 ** 20;
/** As deep as the core reads. */
const MAX_DEPTH = 64;

/** Why something is no config.json; becomes the answer's `error`. */
export class Unreadable extends Error {
  /**
   * @param {import('./types').ErrorCode} code
   * @param {string} field dotted; empty for the whole
   * @param {string} message
   */
  constructor(code, field, message) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

const encoder = new TextEncoder();

/**
 * @param {unknown} config
 * @returns {Uint8Array}
 * @throws {Unreadable}
 */
export function configBytes(config) {
  if (ArrayBuffer.isView(config)) return checked(new Uint8Array(config.buffer, config.byteOffset, config.byteLength));
  if (typeof config !== 'string' && (typeof config !== 'object' || config === null)) {
    throw new Unreadable('wrong_type', '', `A configuration is a text, bytes or an object, not ${nameOf(config)}.`);
  }
  const text = typeof config === 'string' ? config : jsonText(config);
  if (text.length > MAX_BYTES) throw tooLarge();
  return checked(encoder.encode(text));
}

/** @param {Uint8Array} bytes */
function checked(bytes) {
  if (bytes.length > MAX_BYTES) throw tooLarge();
  return bytes;
}

const tooLarge = () => new Unreadable('too_large', '', `The configuration is larger than ${MAX_BYTES / 2 ** 20} MiB.`);

/**
 * @param {object} config
 * @returns {string}
 */
function jsonText(config) {
  let text = '';
  /** @type {object[]} */
  const open = [];

  /** @param {unknown} value @param {string} path */
  const write = (value, path) => {
    if (typeof value === 'object' && value !== null) writeAll(value, path);
    else text += scalar(value, path);
    if (text.length > MAX_BYTES) throw tooLarge();
  };

  /** @param {object} value @param {string} path */
  const writeAll = (value, path) => {
    if (open.includes(value)) throw new Unreadable('wrong_type', path, `${path} contains itself.`);
    if (open.length >= MAX_DEPTH) throw new Unreadable('too_deep', path, `The configuration is nested more than ${MAX_DEPTH} levels deep.`);
    open.push(value);
    const items = Array.isArray(value) ? Array.from(value, (item, i) => [i, item]) : Object.entries(plain(value, path));
    text += Array.isArray(value) ? '[' : '{';
    items.forEach(([key, item], i) => {
      text += (i ? ',' : '') + (Array.isArray(value) ? '' : `${quoted(key)}:`);
      write(item, path ? `${path}.${key}` : String(key));
    });
    text += Array.isArray(value) ? ']' : '}';
    open.pop();
  };

  try {
    write(config, '');
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('wrong_type', '', `The object cannot be read: ${error}`); // a getter or proxy that throws
  }
  return text;
}

/** @param {unknown} value @param {string} path */
function scalar(value, path) {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      // Beyond 2^53 it may have been rounded: with an exponent it is no integer to the core. NaN and Infinity as Python writes them.
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null) return 'null';
      throw new Unreadable('wrong_type', path, `${path} is ${nameOf(value)}, which no config.json can hold.`);
  }
}

/** @param {object} value @param {string} path */
function plain(value, path) {
  if (Object.prototype.toString.call(value) === '[object Object]') return value;
  throw new Unreadable('wrong_type', path, `${path || 'The configuration'} is ${nameOf(value)}, not a plain object.`);
}

/** Half of a surrogate pair becomes U+FFFD, as in text that passes through TextEncoder. @param {string} text */
const quoted = (text) => JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** @param {unknown} value */
const nameOf = (value) =>
  value === undefined || value === null ? String(value) : `a ${typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value}`;
