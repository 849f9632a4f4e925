/**
 * The optimal string alignment distance of two words: the number of edits (inserting, removing or replacing a letter, or swapping two
 * neighbours) that turn one into the other, with no letter edited twice. If it exceeds `limit`, returns some number above `limit`.
 */
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
