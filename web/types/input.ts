// What a question is about, as a caller has it.

/** Bytes: of a file, of an answer of `fetch` (`await response.arrayBuffer()`). */
export type BytesInput = ArrayBuffer | ArrayBufferView;

/** What is no configuration, though it is an object: a promise, a Response or a Blob, a list, a map or a set, a date, a function. */
interface NoConfig {
  readonly then?: never;
  readonly arrayBuffer?: never;
  readonly [Symbol.iterator]?: never;
  readonly [Symbol.toPrimitive]?: never;
  readonly [Symbol.hasInstance]?: never;
}

/** The object that a config.json holds. */
export type ConfigObject = (object & NoConfig) | (NoConfig & { readonly [field: string]: unknown });

/** A config.json: its text, its bytes or the object. */
export type ConfigInput = string | BytesInput | ConfigObject;
