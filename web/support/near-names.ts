// Names that were probably mistyped.

/** How many letters must be put in, taken out, exchanged or swapped with their neighbour to make one word of another; `limit` + 1 where it is more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      now[j] = Math.min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) now[j] = Math.min(now[j], before[j - 2] + 1);
    }
    if (Math.min(...now) > limit) return limit + 1;
    [before, last] = [last, now];
  }
  return last[b.length];
}

const digitsOf = (name: string) => name.replace(/\D/g, '');

/** The nearest of the known names, where it is so near that only a slip lies between: same digits, one letter in five at most. */
export function findMistyped(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.min(2, Math.floor(name.length / 5));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    if (candidate === name) return undefined;
    if (digitsOf(candidate) !== digitsOf(name)) continue;
    const apart = editDistance(name, candidate, limit);
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best;
}

/** The known name that is one or two slips from what was typed. For names that are few and short: one slip in four letters is still near. */
export function findNearName(typed: string, names: readonly string[]): string | undefined {
  const limit = typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2;
  return names
    .map((name) => ({ name, apart: editDistance(typed.toLowerCase(), name, limit) }))
    .filter(({ apart }) => apart <= limit)
    .sort((a, b) => a.apart - b.apart)[0]?.name;
}
