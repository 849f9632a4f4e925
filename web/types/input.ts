// The forms in which a caller may pass a configuration.

/** The bytes of a file or of a response (`await response.arrayBuffer()`). */
export type BytesInput = ArrayBuffer | ArrayBufferView;

/** Excludes objects that cannot be configurations: promises, Responses and Blobs, lists, maps, sets, dates, functions. */
interface NoConfig {
  readonly then?: never;
  readonly arrayBuffer?: never;
  readonly [Symbol.iterator]?: never;
  readonly [Symbol.toPrimitive]?: never;
  readonly [Symbol.hasInstance]?: never;
}

/** The parsed object of a config.json. */
export type ConfigObject = (object & NoConfig) | (NoConfig & { readonly [field: string]: unknown });

/** A config.json as its text, its bytes or its parsed object. */
export type ConfigInput = string | BytesInput | ConfigObject;
