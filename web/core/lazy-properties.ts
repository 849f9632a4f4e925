// Properties that are computed when they are read, not in advance. Code that clones, spreads, serializes, sends or prints the object sees
// plain data: the properties are own and enumerable, and proxies can read them.

/**
 * The key of the method that Node, Deno and Bun call to print an object. The method is the only property that is not enumerable, so it also
 * holds the source of the lazy properties.
 */
const PRINTED = Symbol.for('nodejs.util.inspect.custom');

/** The data that lazy properties are computed from. Several objects may share it. */
export interface Source<From> {
  (this: object): object;
  from: From;
}

interface Lazy<From> {
  readonly [PRINTED]: Source<From>;
}

export function createSource<From>(from: From): Source<From> {
  const printed = function (this: object) {
    return { ...this }; // a copy without getters, so that values are printed
  } as Source<From>;
  printed.from = from;
  return printed;
}

/** The descriptor of a lazy property. Create it once and use it for all objects, so that they have one hidden class. */
export const lazyProperty = <From, Of>(make: (from: From, of: Of) => unknown): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  get(this: Lazy<From> & Of) {
    return make(this[PRINTED].from, this);
  },
});

const held: { value: unknown } = { value: undefined };

/** Gives an object with lazy properties their source. */
export function attachSource(object: object, source: Source<unknown>): void {
  held.value = source;
  Object.defineProperty(object, PRINTED, held);
}
