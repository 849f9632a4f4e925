// Objects compared by what they hold.

/** Whether two objects hold the same. */
export function shallowEqual<P extends object>(a: P, b: P): boolean {
  const keys = Object.keys(b) as (keyof P)[];
  return keys.length === Object.keys(a).length && keys.every((key) => a[key] === b[key]);
}
