// The forms in which a caller may pass a configuration.

/** Bytes of a file, or of a response (`await response.arrayBuffer()`). */
export type BytesInput = ArrayBuffer | ArrayBufferView;

/** Objects that are not configurations: a promise, a Response or a Blob, a list, a map or a set, a date, a function. */
interface NoConfig {
  readonly then?: never;
  readonly arrayBuffer?: never;
  readonly [Symbol.iterator]?: never;
  readonly [Symbol.toPrimitive]?: never;
  readonly [Symbol.hasInstance]?: never;
}

/** The object in a config.json. */
export type ConfigObject = (object & NoConfig) | (NoConfig & { readonly [field: string]: unknown });

/** A config.json: its text, its bytes or its object. */
export type ConfigInput = string | BytesInput | ConfigObject;
