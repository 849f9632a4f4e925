// Parses and formats tensor names with index ranges, as the core writes them: `model.layers.[3-60].mlp.experts.[0-255].up_proj.weight`.

export type Run = readonly [first: bigint, last: bigint];

/** A piece of a name: an index set, or the text between index sets. */
export type Piece = { readonly text: string } | IndexSet;

export interface IndexSet {
  readonly runs: readonly Run[];
  readonly count: bigint;
}

/** Splits a name into index sets and the text between them. */
export function parseName(name: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of name.matchAll(/\[([\d,-]+)\]/g)) {
    if (match.index > from) found.push({ text: name.slice(from, match.index) });
    found.push(parseIndexSet(match[1]));
    from = match.index + match[0].length;
  }
  if (from < name.length) found.push({ text: name.slice(from) });
  return found;
}

/** Parses an index set: `0,2,5-7`. */
export function parseIndexSet(list: string): IndexSet {
  return createIndexSet(
    list.split(',').map((run): Run => {
      const [first, last = first] = run.split('-').map(BigInt);
      return [first, last];
    }),
  );
}

const createIndexSet = (runs: readonly Run[]): IndexSet => ({
  runs,
  count: runs.reduce((sum, [first, last]) => sum + last - first + 1n, 0n),
});

/** The intersection of two index sets; undefined if it is empty. */
export function intersect(a: IndexSet, b: IndexSet): IndexSet | undefined {
  const runs = a.runs.flatMap(([first, last]) =>
    b.runs.flatMap(([from, to]): Run[] => {
      const [low, high] = [first > from ? first : from, last < to ? last : to];
      return low <= high ? [[low, high]] : [];
    }),
  );
  return runs.length > 0 ? createIndexSet(runs) : undefined;
}

/** Formats an index set as tensor names contain it: `[0,2,5-7]`, or `3` for a single index. */
export function formatIndexSet({ runs, count }: IndexSet): string {
  const list = runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
  return count === 1n ? list : `[${list}]`;
}

/** The number of tensors that a name with index ranges stands for. */
export const countNames = (name: string) => parseName(name).reduce((product, piece) => product * ('count' in piece ? piece.count : 1n), 1n);

/** The name of the tensor at a position, counted from 0. The last index varies fastest. */
export function formatNameAt(name: string, position: number): string {
  let rest = BigInt(position);
  let out = '';
  for (const piece of parseName(name).reverse()) {
    if ('text' in piece) {
      out = piece.text + out;
      continue;
    }
    out = findIndex(piece.runs, rest % piece.count) + out;
    rest /= piece.count;
  }
  return out;
}

function findIndex(runs: readonly Run[], position: bigint): string {
  let left = position;
  for (const [first, last] of runs) {
    if (left <= last - first) return String(first + left);
    left -= last - first + 1n;
  }
  return '';
}

/** Splits a name at its dots. Index sets contain none. */
export const splitName = (name: string) => name.split('.');

/** Whether a segment of a name is an index or an index set: `3`, `[0-31]`. */
export const isIndex = (segment: string) => /^\[.*\]$|^\d+$/.test(segment);
