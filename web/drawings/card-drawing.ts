// Draws a model as a card of 1200 × 630 pixels for sharing: its parameter count, active and published parameters if these differ, its
// parts, most common layer, formula and source.

import { groupByKind } from '../answer/block-kinds.ts';
import { buildIcicleTree, type Cell, formatCellName, layOutCells } from '../answer/icicle-tree.ts';
import { findBlocks } from '../answer/layer-blocks.ts';
import { grouped, percent, typedShort } from '../support/numbers.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer } from '../types/index.ts';
import { drawMatrices } from './block-drawing.ts';
import { cutToWidth, measureText, type Drawing, type Shape } from './drawing.ts';

/** The size of the card in pixels, without the margin that every exported drawing gets on all sides. */
const WIDTH = 1168;
const HEIGHT = 598;
const LEFT = 28;
const ROOM = WIDTH - 2 * LEFT;
const BAR = 60;
const LINE = 24;
/** The largest number of parts that are named. */
const MAX_NAMES = 5;
/** The position and size of the picture of a layer, to the right of the names. */
const LAYER = { x: 640, y: 300, width: WIDTH - 640 - LEFT, height: 140 } as const;
const MAX_LINES = 2;

export interface CardSource {
  readonly name: string;
  /** The source of the count or the configuration, with its date. */
  readonly source?: string;
  /** The URL that opens the count. */
  readonly address?: string;
}

export function drawCard(answer: CountAnswer, { name, source = '', address = '' }: CardSource): Drawing {
  const { parameters, active = parameters, published = parameters } = answer.totals;
  const facts = [
    texts.headline.total(typedShort(parameters)),
    ...(active === parameters ? [] : [`${texts.headline.active(typedShort(active))} (${percent(active, parameters)})`]),
    ...(published === parameters ? [] : [texts.headline.held(typedShort(published))]),
  ];
  const line = (y: number, text: string, face: 'small' | 'big' | 'huge' | 'code'): Shape => ({ is: 'text', x: LEFT, y, text, face });
  const shapes: Shape[] = [
    line(42, cutToWidth(name, 'big', ROOM), 'big'),
    line(132, grouped(parameters), 'huge'),
    line(180, facts.join('  ·  '), 'big'),
    ...drawParts(answer, 208),
    ...drawLayer(answer),
  ];
  const lines = breakAtSpaces(answer.formula.symbols, Math.floor(ROOM / measureText('0', 'note')));
  lines.slice(0, MAX_LINES).forEach((text, i) =>
    shapes.push({
      is: 'text',
      x: LEFT,
      y: 480 + i * LINE,
      text: i + 1 === MAX_LINES && lines.length > MAX_LINES ? `${text} …` : text,
      face: 'note',
    }),
  );
  shapes.push({ is: 'line', points: [LEFT, 528, LEFT + ROOM, 528] });
  shapes.push({ is: 'text', x: LEFT, y: 556, text: cutToWidth(source, 'note', ROOM), face: 'note' });
  shapes.push({
    is: 'text',
    x: LEFT,
    y: 582,
    text: cutToWidth([texts.product, address].filter(Boolean).join(': '), 'note', ROOM),
    face: 'note',
  });
  return { width: WIDTH, height: HEIGHT, title: `${name}: ${grouped(parameters)} ${texts.card.parameters}`, shapes };
}

const lookOf = ({ node, use }: Cell) => (use === 'idle' ? 'hatched' : node.beside ? 'dashed' : 'solid');

/** Draws a bar of all parts to scale, with the names and colours of the largest ones below it. */
function drawParts(answer: CountAnswer, top: number): Shape[] {
  const whole = answer.totals.parameters;
  const cells = layOutCells(buildIcicleTree(answer), 1);
  const bar = cells.map((cell): Shape => ({
    is: 'box',
    x: LEFT + cell.left * ROOM,
    y: top,
    width: Math.max(1.5, cell.width * ROOM - 2),
    height: BAR,
    look: lookOf(cell),
    part: cell.node.part ?? 'other',
  }));
  const shown = [...cells].sort((a, b) => (a.size < b.size ? 1 : -1)).slice(0, MAX_NAMES);
  const names = cells
    .filter((cell) => shown.includes(cell))
    .flatMap((cell, i): Shape[] => {
      const x = LEFT;
      const y = top + BAR + 18 + i * (LINE + 8);
      return [
        { is: 'box', x, y, width: 16, height: 16, look: lookOf(cell), part: cell.node.part ?? 'other' },
        { is: 'text', x: x + 26, y: y + 15, text: `${formatCellName(cell)} ${percent(cell.size, whole)}`, face: 'big' },
      ];
    });
  return [...bar, ...names];
}

/** Draws the kind of layer that occurs most often. */
function drawLayer(answer: CountAnswer): Shape[] {
  const kinds = groupByKind(findBlocks(answer)).drawn;
  if (kinds.length === 0) return [];
  const { block } = kinds.reduce((most, next) => (next.block.copies > most.block.copies ? next : most));
  return [
    ...drawMatrices(block, LAYER),
    { is: 'text', x: LAYER.x, y: LAYER.y - 10, text: texts.card.layer(grouped(block.copies)), face: 'note' },
  ];
}

/** Breaks text at spaces into lines of at most `room` characters, unless a word is longer. */
function breakAtSpaces(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > room) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
