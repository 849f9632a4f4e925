// All models in one picture: as points over two columns, or as stacked shares of their parameters.

import type { Cell } from '../overview/model-rows.ts';

/** The size of the picture, in its own units; what stands around the points. */
export const WIDTH = 900;
export const HEIGHT = 320;
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 12, 10, 28];

export interface Tick {
  readonly at: number;
  readonly value: bigint;
}

export interface Points {
  /** Of each row where it stands; undefined where one of its numbers is not known or zero. */
  readonly places: readonly ({ readonly x: number; readonly y: number } | undefined)[];
  readonly across: readonly Tick[];
  readonly up: readonly Tick[];
}

/** Both axes by powers of ten; `linear` upwards for shares, in millionths. */
export function pointsOf(rows: readonly { readonly x: Cell; readonly y: Cell }[], linear: boolean): Points {
  const of = (cell: Cell) => (typeof cell === 'bigint' && cell > 0n ? Number(cell) : undefined);
  const pairs = rows.map(({ x, y }) => [of(x), linear && y === 0n ? 0 : of(y)] as const);
  const there = pairs.filter((pair): pair is readonly [number, number] => pair[0] !== undefined && pair[1] !== undefined);
  const [minX, maxX] = decades(there.map(([x]) => x));
  const [minY, maxY] = linear ? [0, 1] : decades(there.map(([, y]) => y));
  const x = (power: number) => LEFT + ((power - minX) / (maxX - minX)) * (WIDTH - LEFT - RIGHT);
  const y = (power: number) => HEIGHT - BOTTOM - ((power - minY) / (maxY - minY)) * (HEIGHT - TOP - BOTTOM);
  const places = pairs.map(([a, b]) =>
    a === undefined || b === undefined ? undefined : { x: x(Math.log10(a)), y: y(linear ? b / 1_000_000 : Math.log10(b)) },
  );
  const powers = (least: number, most: number) => Array.from({ length: most - least + 1 }, (_, i) => least + i);
  return {
    places,
    across: powers(minX, maxX).map((power) => ({ at: x(power), value: 10n ** BigInt(power) })),
    up: linear
      ? [0, 25, 50, 75, 100].map((hundredths) => ({ at: y(hundredths / 100), value: BigInt(hundredths) * 10_000n }))
      : powers(minY, maxY).map((power) => ({ at: y(power), value: 10n ** BigInt(power) })),
  };
}

/** The powers of ten around some numbers; one apart at least. */
function decades(values: readonly number[]): [least: number, most: number] {
  if (values.length === 0) return [0, 1];
  const least = Math.floor(Math.log10(Math.min(...values)));
  return [least, Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))))];
}

/** Shares in millionths, stacked upwards, a bar for each row: one path for each kind of share. */
export function stacksOf(rows: readonly (readonly bigint[])[]): readonly string[] {
  const width = WIDTH / Math.max(1, rows.length);
  const paths: string[] = [];
  rows.forEach((shares, i) => {
    let below = 0;
    shares.forEach((share, kind) => {
      const height = (Number(share) / 1_000_000) * HEIGHT;
      const top = HEIGHT - below - height;
      paths[kind] =
        `${paths[kind] ?? ''}M${round(i * width)} ${round(top)}h${round(width * 0.92)}v${round(height)}h${round(-width * 0.92)}z`;
      below += height;
    });
  });
  return paths;
}

const round = (number: number) => Math.round(number * 100) / 100;

/** The row whose point is nearest, within a finger's reach. */
export function nearestPoint({ places }: Points, x: number, y: number): number | undefined {
  let best: number | undefined;
  let least = 24 ** 2;
  places.forEach((place, i) => {
    const apart = place ? (place.x - x) ** 2 + (place.y - y) ** 2 : Infinity;
    if (apart < least) [best, least] = [i, apart];
  });
  return best;
}
