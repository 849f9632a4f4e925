/** Whether two objects have the same properties with the same values. */
export function shallowEqual<P extends object>(a: P, b: P): boolean {
  const keys = Object.keys(b) as (keyof P)[];
  return keys.length === Object.keys(a).length && keys.every((key) => a[key] === b[key]);
}
