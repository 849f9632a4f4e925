// Properties that are made when they are first read, and are data like all others to whoever clones, spreads, writes, sends or prints the
// object: own, enumerable, found again through any proxy.

/** What Node, Deno and Bun print an object by. It is the one property of ours that nobody sees, so it also holds what the others are made of. */
const PRINTED = Symbol.for('nodejs.util.inspect.custom');

/** What the lazy properties of one object or of many are made of. */
export interface Source<From> {
  (this: object): object;
  from: From;
}

interface Lazy<From> {
  readonly [PRINTED]: Source<From>;
}

export function createSource<From>(from: From): Source<From> {
  const printed = function (this: object) {
    return { ...this }; // else the printed object would say that there are getters
  } as Source<From>;
  printed.from = from;
  return printed;
}

/** What `Object.defineProperty` makes such a property of: one descriptor for all objects, or each would have a shape of its own. */
export const lazyProperty = <From, Of>(make: (from: From, of: Of) => unknown): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  get(this: Lazy<From> & Of) {
    return make(this[PRINTED].from, this);
  },
});

const held: { value: unknown } = { value: undefined };

/** Gives an object with lazy properties what these are made of. */
export function attachSource(object: object, source: Source<unknown>): void {
  held.value = source;
  Object.defineProperty(object, PRINTED, held);
}
