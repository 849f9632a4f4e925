// The icicle as a picture of its own.

import type { Node } from '../answer/breakdown.ts';
import { cutToWidth, type Drawing, type Shape } from './drawing.ts';
import { percent } from '../support/numbers.ts';
import { shortenLabel, layOutCells, buildIcicleTree, LEVELS, listRows } from '../answer/icicle-tree.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer } from '../types/index.ts';

const WIDTH = 1200;
const ROW = 40;
const GAP = 2;

/** `way`: from the whole to what is looked at. */
export function drawIcicle(answer: CountAnswer, title: string, way: readonly Node[] = []): Drawing {
  const nodes = way.length > 0 ? way[way.length - 1].children : buildIcicleTree(answer);
  const whole = answer.totals.parameters;
  const shapes: Shape[] = [{ is: 'text', x: 0, y: 16, text: [title, ...way.map(({ label }) => label)].join(' › '), face: 'name' }];
  for (const { node, depth, left, width, rows: spans } of layOutCells(nodes)) {
    const [x, y] = [left * WIDTH, 28 + depth * (ROW + GAP)];
    const [own, high] = [Math.max(1, width * WIDTH - GAP), spans * (ROW + GAP) - GAP];
    const look = depth === 0 ? 'solid' : 'edge';
    shapes.push({ is: 'box', x, y, width: own, height: high, look, part: node.part ?? 'other', rows: listRows(node), title: node.label });
    const face = depth === 0 ? 'on' : 'code';
    const label = cutToWidth(shortenLabel(node), face, own - 12);
    const share = cutToWidth(percent(node.total, whole), 'small', own - 12);
    if (label) shapes.push({ is: 'text', x: x + 6, y: y + 17, text: label, face });
    if (share.includes('%')) shapes.push({ is: 'text', x: x + 6, y: y + 32, text: share, face: depth === 0 ? 'on' : 'small' });
  }
  return { width: WIDTH, height: 28 + LEVELS * (ROW + GAP), title: texts.picture.title(title), shapes };
}
