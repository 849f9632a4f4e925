// Names with index ranges, as the core writes them: `model.layers.[3-60].mlp.experts.[0-255].up_proj.weight`.

export type Run = readonly [first: bigint, last: bigint];

/** A text between index sets, or an index set. */
export type Piece = { readonly text: string } | IndexSet;

export interface IndexSet {
  readonly runs: readonly Run[];
  readonly count: bigint;
}

/** The pieces of a name. */
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

/** `0,2,5-7` */
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

/** The indices that both sets have; undefined if there are none. */
export function intersect(a: IndexSet, b: IndexSet): IndexSet | undefined {
  const runs = a.runs.flatMap(([first, last]) =>
    b.runs.flatMap(([from, to]): Run[] => {
      const [low, high] = [first > from ? first : from, last < to ? last : to];
      return low <= high ? [[low, high]] : [];
    }),
  );
  return runs.length > 0 ? createIndexSet(runs) : undefined;
}

/** As a name has it: a single index without brackets. */
export function formatIndexSet({ runs, count }: IndexSet): string {
  const list = runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
  return count === 1n ? list : `[${list}]`;
}

/** The number of names that a label stands for. */
export const countNames = (name: string) => parseName(name).reduce((product, piece) => product * ('count' in piece ? piece.count : 1n), 1n);

/** The name of one of a row's tensors, counted from 0; the last index runs fastest. */
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

/** Splits at dots. An index set contains none. */
export const splitName = (name: string) => name.split('.');

/** Whether a segment is an index. */
export const isIndex = (segment: string) => /^\[.*\]$|^\d+$/.test(segment);
