// Computes the picture of all models: a scatter plot of two columns, or stacked bars that show how each model's parameters are divided.

import type { Cell } from '../models/model-rows.ts';

/** The height of the picture in pixels. Its width depends on the available space. */
export const HEIGHT = 320;
/** The margins around the points, in pixels. */
export const [LEFT, RIGHT, TOP, BOTTOM] = [48, 20, 10, 28];
/** The smallest distance between two labels on the horizontal axis, in pixels. */
const APART = 48;

export interface Tick {
  readonly at: number;
  readonly value: bigint;
}

export interface Points {
  /** The position of each row's point. Undefined if one of its numbers is unknown, or zero on a logarithmic axis. */
  readonly places: readonly ({ readonly x: number; readonly y: number } | undefined)[];
  readonly across: readonly Tick[];
  readonly up: readonly Tick[];
}

/**
 * Places the points. The horizontal axis is logarithmic. So is the vertical one, unless `linear` is set; it then shows shares in
 * millionths.
 */
export function placePoints(rows: readonly { readonly x: Cell; readonly y: Cell }[], linear: boolean, width: number): Points {
  const of = (cell: Cell) => (typeof cell === 'bigint' && cell > 0n ? Number(cell) : undefined);
  const pairs = rows.map(({ x, y }) => [of(x), linear && y === 0n ? 0 : of(y)] as const);
  const there = pairs.filter((pair): pair is readonly [number, number] => pair[0] !== undefined && pair[1] !== undefined);
  const [minX, maxX] = decades(there.map(([x]) => x));
  const [minY, maxY] = linear ? [0, 1] : decades(there.map(([, y]) => y));
  const x = (power: number) => LEFT + ((power - minX) / (maxX - minX)) * (width - LEFT - RIGHT);
  const y = (power: number) => HEIGHT - BOTTOM - ((power - minY) / (maxY - minY)) * (HEIGHT - TOP - BOTTOM);
  const places = pairs.map(([a, b]) =>
    a === undefined || b === undefined ? undefined : { x: x(Math.log10(a)), y: y(linear ? b / 1_000_000 : Math.log10(b)) },
  );
  const step = Math.ceil(((maxX - minX) * APART) / (width - LEFT - RIGHT));
  const powers = (least: number, most: number, by = 1) =>
    Array.from({ length: Math.floor((most - least) / by) + 1 }, (_, i) => least + i * by);
  return {
    places,
    across: powers(minX, maxX, step).map((power) => ({ at: x(power), value: 10n ** BigInt(power) })),
    up: linear
      ? [0, 25, 50, 75, 100].map((hundredths) => ({ at: y(hundredths / 100), value: BigInt(hundredths) * 10_000n }))
      : powers(minY, maxY).map((power) => ({ at: y(power), value: 10n ** BigInt(power) })),
  };
}

/** The exponents of the two powers of ten between which all values lie. They differ by at least one. */
function decades(values: readonly number[]): [least: number, most: number] {
  if (values.length === 0) return [0, 1];
  const least = Math.floor(Math.log10(Math.min(...values)));
  return [least, Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))))];
}

export interface PlacedName {
  readonly row: number;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
}

/** The average width of a letter at 11 px and the height of a line, in pixels. */
const [LETTER, LINE] = [6, 12];
const MOST_NAMES = 24;

/** Places up to MOST_NAMES names next to their points, where they cover no points and no other names. Earlier rows take precedence. */
export function placeNames({ places }: Points, names: readonly string[], width: number): readonly PlacedName[] {
  const placed: (PlacedName & Box)[] = [];
  const dots = places.flatMap((place) => (place ? [{ left: place.x - 4, right: place.x + 4, top: place.y - 4, bottom: place.y + 4 }] : []));
  names.forEach((name, row) => {
    const place = places[row];
    if (!place || placed.length === MOST_NAMES) return;
    for (const anchor of ['start', 'end'] as const) {
      const x = place.x + (anchor === 'start' ? 7 : -7);
      const far = x + (anchor === 'start' ? 1 : -1) * name.length * LETTER;
      const box = { left: Math.min(x, far), right: Math.max(x, far), top: place.y - LINE / 2, bottom: place.y + LINE / 2 };
      if (box.left < LEFT || box.right > width || dots.some((dot) => meet(dot, box)) || placed.some((other) => meet(other, box))) continue;
      placed.push({ row, x, y: place.y + 4, anchor, ...box });
      return;
    }
  });
  return placed;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Lays out one stacked bar per row. Each row lists shares in millionths, one per part of the model. Returns one SVG path per part. */
export function placeStacks(rows: readonly (readonly bigint[])[], whole: number): readonly string[] {
  const width = whole / Math.max(1, rows.length);
  const bar = width > 4 ? width - 1 : width; // leaves a gap between wide bars
  const paths: string[] = [];
  rows.forEach((shares, i) => {
    let below = 0;
    shares.forEach((share, kind) => {
      const height = (Number(share) / 1_000_000) * HEIGHT;
      const top = HEIGHT - below - height;
      paths[kind] = `${paths[kind] ?? ''}M${round(i * width)} ${round(top)}h${round(bar)}v${round(height)}h${round(-bar)}z`;
      below += height;
    });
  });
  return paths;
}

const round = (number: number) => Math.round(number * 100) / 100;

/** The row with the nearest point, if it is within 24 pixels. */
export function findNearestPoint({ places }: Points, x: number, y: number): number | undefined {
  let best: number | undefined;
  let least = 24 ** 2;
  places.forEach((place, i) => {
    const apart = place ? (place.x - x) ** 2 + (place.y - y) ** 2 : Infinity;
    if (apart < least) [best, least] = [i, apart];
  });
  return best;
}
