// Properties that are computed when they are first read. To code that clones, spreads, writes, sends or prints the object they are
// plain data: own, enumerable, and found through any proxy.

/** The method by which Node, Deno and Bun print an object. As the only hidden property it also holds the source of the others. */
const PRINTED = Symbol.for('nodejs.util.inspect.custom');

/** What lazy properties are computed from; several objects may share it. */
export interface Source<From> {
  (this: object): object;
  from: From;
}

interface Lazy<From> {
  readonly [PRINTED]: Source<From>;
}

export function createSource<From>(from: From): Source<From> {
  const printed = function (this: object) {
    return { ...this }; // otherwise the printed object would show getters
  } as Source<From>;
  printed.from = from;
  return printed;
}

/** The descriptor of such a property. One descriptor serves all objects, which keeps their shapes equal. */
export const lazyProperty = <From, Of>(make: (from: From, of: Of) => unknown): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  get(this: Lazy<From> & Of) {
    return make(this[PRINTED].from, this);
  },
});

const held: { value: unknown } = { value: undefined };

/** Attaches the source to an object with lazy properties. */
export function attachSource(object: object, source: Source<unknown>): void {
  held.value = source;
  Object.defineProperty(object, PRINTED, held);
}
