// Draws the icicle chart of a model's parameters as a standalone picture.

import type { Node } from '../answer/breakdown.ts';
import { cutToWidth, measureText, type Drawing, type Shape } from './drawing.ts';
import { percent } from '../support/numbers.ts';
import {
  buildIcicleTree,
  type Cell,
  formatCellName,
  layOutCells,
  layOutLeaders,
  LEVELS,
  listRows,
  shortenLabel,
} from '../answer/icicle-tree.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer } from '../types/index.ts';

const WIDTH = 1200;
const ROW = 40;
const GAP = 2;
const LEADER = 18;

/** Draws the icicle chart. `way` is the path from the root to the node that is shown. */
export function drawIcicle(answer: CountAnswer, title: string, way: readonly Node[] = []): Drawing {
  const nodes = way.length > 0 ? way[way.length - 1].children : buildIcicleTree(answer);
  const whole = answer.totals.parameters;
  const shapes: Shape[] = [{ is: 'text', x: 0, y: 16, text: [title, ...way.map(({ label }) => label)].join(' › '), face: 'name' }];
  const cells = layOutCells(nodes);
  const share = ({ size }: Cell) => percent(size, whole);
  const lengthOf = (cell: Cell) => (measureText(`${formatCellName(cell)} ${share(cell)}`, 'small') + 12) / WIDTH;
  const leaders = layOutLeaders(cells, (cell) => cell.width * WIDTH > measureText(formatCellName(cell), 'on') + 12, lengthOf);
  const top = 28 + LEADER * Math.max(0, ...leaders.map(({ row }) => row));
  for (const { cell, at, row, side } of leaders) {
    const [x, y] = [at * WIDTH, top - row * LEADER];
    const [anchor, way] = side === 'right' ? (['start', 1] as const) : (['end', -1] as const);
    shapes.push({ is: 'line', points: [x, top - 2, x, y + 2] });
    shapes.push({ is: 'text', x: x + 5 * way, y: y + 13, text: `${formatCellName(cell)} ${share(cell)}`, face: 'small', anchor });
  }
  for (const cell of cells) {
    const { node, depth, left, width, rows: spans, use } = cell;
    const [x, y] = [left * WIDTH, top + depth * (ROW + GAP)];
    const [own, high] = [Math.max(1, width * WIDTH - GAP), spans * (ROW + GAP) - GAP];
    const look = use === 'idle' ? 'hatched' : node.beside ? 'dashed' : depth === 0 ? 'solid' : 'edge';
    shapes.push({ is: 'box', x, y, width: own, height: high, look, part: node.part ?? 'other', rows: listRows(node), title: node.label });
    const face = depth > 0 ? 'code' : look === 'solid' ? 'on' : 'name';
    const name = depth > 0 ? cutToWidth(shortenLabel(node), face, own - 12) : formatCellName(cell);
    if (leaders.some((leader) => leader.cell === cell) || !name) continue;
    const size = cutToWidth(share(cell), 'small', own - 12);
    if (look === 'hatched')
      shapes.push({
        is: 'box',
        x: x + 4,
        y: y + 4,
        width: measureText(name, 'on') + 4,
        height: 32,
        look: 'edge',
        part: node.part ?? 'other',
      });
    shapes.push({ is: 'text', x: x + 6, y: y + 17, text: name, face });
    if (size.includes('%')) shapes.push({ is: 'text', x: x + 6, y: y + 32, text: size, face: look === 'solid' ? 'on' : 'small' });
  }
  return { width: WIDTH, height: top + LEVELS * (ROW + GAP), title: texts.picture.title(title), shapes };
}
