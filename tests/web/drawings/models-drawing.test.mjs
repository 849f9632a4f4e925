// Tests the picture of all models, drawn as points and as stacked shares.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEIGHT, findNearestPoint, placeNames, placePoints, placeStacks } from '../../../web/drawings/models-drawing.ts';

test('points are placed by powers of ten; unknown values and zeros have none', () => {
  const rows = [
    { x: 1000n, y: 10n },
    { x: 100_000n, y: 100n },
    { x: 10_000n, y: undefined },
    { x: 0n, y: 10n },
  ];
  const points = placePoints(rows, false, 868);
  // There are 800 pixels between 10³ and 10⁵ horizontally, and 282 between 10 and 100 vertically.
  assert.deepEqual(points.places, [{ x: 48, y: HEIGHT - 28 }, { x: 848, y: 10 }, undefined, undefined]);
  assert.deepEqual(points.across, [{ at: 48, value: 1000n }, { at: 448, value: 10_000n }, { at: 848, value: 100_000n }]); // prettier-ignore
  assert.equal(findNearestPoint(points, 50, HEIGHT - 30), 0);
  assert.equal(findNearestPoint(points, 400, 100), undefined);
  // Some labels of the axis are left out, because there is not enough room for all of them.
  assert.equal(placePoints([{ x: 1n, y: 1n }, { x: 10n ** 12n, y: 1n }], false, 208).across.length, 3); // prettier-ignore
  assert.deepEqual(placePoints([], false, 300).places, []);
});

test('names are next to their points if they cover no point and no other name', () => {
  const place = (/** @type {number} */ x, /** @type {number} */ y) => ({ x, y });
  const points = { places: [place(100, 100), place(110, 100), place(100, 103), undefined, place(190, 50)], across: [], up: [] };
  const names = placeNames(points, ['a longer name', 'second', 'one as long as that', 'unknown', 'right'], 200);
  // To the right of the first and the third point a name would cover another point, and to their left it does not fit. To the right of the
  // second it fits.
  assert.deepEqual(names.map(({ row, x, anchor }) => [row, x, anchor]), [[1, 117, 'start'], [4, 183, 'end']]); // prettier-ignore
});

test('vertical shares are linear, from 0 to 100 %', () => {
  const { places, up } = placePoints([{ x: 10n, y: 500_000n }, { x: 10n, y: 0n }], true, 300); // prettier-ignore
  assert.deepEqual(places.map((place) => place?.y), [10 + 141, HEIGHT - 28]); // prettier-ignore
  assert.deepEqual(up.map(({ value }) => value), [0n, 250_000n, 500_000n, 750_000n, 1_000_000n]); // prettier-ignore
});

test('shares are stacked from below, one bar per model', () => {
  assert.deepEqual(
    placeStacks([[250_000n, 750_000n], [1_000_000n, 0n]], 200), // prettier-ignore
    ['M0 240h99v80h-99zM100 0h99v320h-99z', 'M0 0h99v240h-99zM100 0h99v0h-99z'],
  );
});
