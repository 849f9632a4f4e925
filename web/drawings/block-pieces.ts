// Draws the pieces of a layer (tensors, grids of experts, nodes), and places them one above another, in parallel or side by side.

import type { Unit } from '../answer/layer-blocks.ts';
import type { Experts, Settings } from '../answer/layer-flow.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import type { Part, SymbolRow, TensorRow } from '../types/index.ts';
import { measureText, type Shape } from './drawing.ts';
import * as blockTexts from './block-texts.ts';
import { sidesOf, formatSize, fieldSize } from './block-sizes.ts';

/** The x offset, in pixels, at which data enters a piece at the bottom and leaves it at the top. */
export const IN = 8;
export const GAP = 16;
export const RAIL = 26;
export const PADDING = 12;
const NODE = 24;
const LABEL = 30;

/** The smallest height of a stripe in pixels. Thinner ones would not be visible. */
const THINNEST_STRIPE = 2;

/**
 * A part of the drawing with its size. Data enters at the bottom and leaves at the top, both at the offset `IN`, or at
 * `RAIL + IN` if the piece is a step.
 */
export interface Piece {
  readonly width: number;
  readonly height: number;
  /** Whether the piece itself splits its input into several lines. No arrow is then drawn to it. */
  readonly splits?: boolean;
  /** True if the piece does not read the input that the pieces next to it share. */
  readonly apart?: boolean;
  /** True if the output of the piece does not go to the node that joins parallel pieces. */
  readonly ends?: boolean;
  readonly at: (x: number, y: number) => readonly Shape[];
}

/** The context shared by all pieces of a drawing. */
export interface Frame {
  /** The number of tensor elements per pixel of length. */
  readonly unit: number;
  readonly symbols: readonly SymbolRow[];
  /** The width of the residual stream, to recognise transposed matrices. */
  readonly stream?: number;
  readonly type: string;
  readonly settings: Settings;
  /** The number of attention heads, if all fields that count heads agree. */
  readonly heads?: number;
}

/** Stacks pieces from bottom to top, with arrows between them. */
export function chain(pieces: readonly Piece[]): Piece {
  if (pieces.length === 1) return pieces[0];
  return {
    width: Math.max(...pieces.map(({ width }) => width)),
    height: pieces.reduce((sum, { height }) => sum + height + GAP, -GAP),
    splits: pieces[0].splits,
    apart: pieces[0].apart,
    at(x, y) {
      let bottom = y + this.height;
      return pieces.flatMap((piece, i) => {
        const top = bottom - piece.height;
        const shapes = [...piece.at(x, top)];
        if (i + 1 < pieces.length) shapes.push({ is: 'line', points: [x + IN, top, x + IN, top - GAP], arrow: !pieces[i + 1].splits });
        bottom = top - GAP;
        return shapes;
      });
    },
  };
}

/** The node that joins parallel pieces. */
export interface Join {
  readonly text: string;
  /** A second line of text. */
  readonly more?: string;
  /** Draws additional shapes that depend on the positions of the parallel pieces. */
  readonly extra?: (columns: readonly { x: number; top: number; bottom: number }[]) => readonly Shape[];
}

/** Places pieces side by side. Those that are not `apart` read one input, and a node combines the outputs of those without `ends`. */
export function fork(columns: readonly Piece[], { text, more, extra }: Join): Piece {
  const high = NODE + (more ? 14 : 0);
  const width = Math.max(
    columns.reduce((sum, piece) => sum + piece.width + GAP, -GAP),
    measureText(text, 'name') + 2 * PADDING,
    measureText(more ?? '', 'small') + 2 * PADDING,
  );
  const inner = Math.max(...columns.map(({ height }) => height));
  return {
    width,
    height: high + GAP + inner + GAP,
    splits: true,
    at(x, y) {
      const bar = y + high;
      const floor = bar + GAP + inner;
      const bus = floor + GAP / 2;
      let left = x;
      const placed = columns.map((piece) => {
        const at = { x: left, top: floor - piece.height, bottom: floor };
        left += piece.width + GAP;
        return at;
      });
      const last = placed[columns.findLastIndex(({ apart }) => !apart)] ?? placed[0];
      const shapes: Shape[] = [{ is: 'line', points: [x + IN, floor + GAP, x + IN, bus, last.x + IN, bus] }];
      for (const [i, at] of placed.entries()) {
        if (!columns[i].apart) shapes.push({ is: 'line', points: [at.x + IN, bus, at.x + IN, floor], arrow: !columns[i].splits });
        shapes.push(...columns[i].at(at.x, at.top));
        if (!columns[i].ends) shapes.push({ is: 'line', points: [at.x + IN, at.top, at.x + IN, bar], arrow: true });
      }
      shapes.push(...(extra?.(placed) ?? []));
      shapes.push({ is: 'box', x, y, width, height: high, look: 'edge', part: 'other' });
      shapes.push({ is: 'text', x: x + width / 2, y: y + 16, text, face: 'name', anchor: 'middle' });
      if (more) shapes.push({ is: 'text', x: x + width / 2, y: y + 31, text: more, face: 'small', anchor: 'middle' });
      return shapes;
    },
  };
}

/** A box with text for an operation without parameters. */
export function node(text: string): Piece {
  const width = measureText(text, 'small') + 2 * IN;
  return {
    width,
    height: 20,
    at: (x, y) => [
      { is: 'box', x, y, width, height: 20, look: 'edge', part: 'other' },
      { is: 'text', x: x + width / 2, y: y + 14, text, face: 'small', anchor: 'middle' },
    ],
  };
}

export const ends = (piece: Piece): Piece => ({ ...piece, ends: true });
export const apart = (piece: Piece): Piece => ({ ...piece, apart: true });

/**
 * A tensor drawn to scale, with its name and shape above. `gives`: whether its output is the residual stream. `heads`: draws a stripe for
 * each head. `groups`: the number of groups of heads to mark. Stripes that would be too thin are left out, first those of single heads.
 */
export function tensor(unit: Unit, frame: Frame, { gives = false, heads = 0, groups = 0 } = {}): Piece {
  const [row] = unit.rows;
  const size = formatSize(unit);
  const room = Math.max(measureText(unit.name, 'code'), measureText(size, 'small')) + IN + 6;
  const sides = sidesOf(row, frame, gives);
  const wide = Math.max(2.5, sides.takes / frame.unit);
  const high = Math.max(2.5, sides.gives / frame.unit);
  return {
    width: Math.max(wide, room + IN),
    height: LABEL + high,
    at(x, y) {
      const left = wide < 2 * IN ? x + IN - wide / 2 : x;
      const [top, bottom] = [y + LABEL, y + LABEL + high];
      const stripe = high / heads;
      const step = stripe >= THINNEST_STRIPE ? 1 : groups > 0 ? heads / groups : heads;
      const stripes =
        heads > 1 && high / (heads / step) >= THINNEST_STRIPE ? Array.from({ length: heads / step - 1 }, (_, i) => i + 1) : [];
      return [
        { is: 'line', points: [x + IN, top, x + IN, y] },
        {
          is: 'box',
          x: left,
          y: top,
          width: wide,
          height: high,
          look: 'matrix',
          part: row.part,
          rows: unit.rows,
          title: titleOf(unit.name, unit.rows),
        },
        ...stripes.map((at): Shape => ({
          is: 'line',
          points: [left, bottom - at * step * stripe, left + wide, bottom - at * step * stripe],
          part: row.part,
          stripe: groups > 0 && (at * step) % (heads / groups) === 0 ? 'group' : 'head',
        })),
        { is: 'text', x: x + IN + 6, y: y + 11, text: unit.name, face: 'code', rows: unit.rows },
        { is: 'text', x: x + IN + 6, y: y + 24, text: size, face: 'small', rows: unit.rows },
      ];
    },
  };
}

const titleOf = (name: string, rows: readonly TensorRow[]) => (rows.length === 1 ? `${rows[0].name}: ${shapeText(rows[0].shape)}` : name);

/**
 * Draws one square per expert. Its area is proportional to the expert's parameters, down to a minimum size. Filled squares stand for the
 * experts that one token uses.
 */
export function fieldPiece(experts: Experts, { unit }: Frame): Piece {
  const { name, units, count, used } = experts;
  const rows = units.flatMap((one) => one.rows);
  const { side, gap, columns, wide, high } = fieldSize(experts, unit);
  const lines = [
    count > 1 ? `${name} × ${grouped(count)}` : name,
    used < count ? blockTexts.lit(grouped(used), grouped(count)) : '',
    ...units.map((one) => blockTexts.tensor(one.name.replace(`${name}.`, ''), shapeText(one.rows[0].shape))),
  ].filter(Boolean);
  const top = 14 * lines.length + 4;
  return {
    width: Math.max(wide, ...lines.map((line) => measureText(line, 'small') + IN + 6)),
    height: top + high,
    at: (x, y) => [
      { is: 'line', points: [x + IN, y + top, x + IN, y] },
      { is: 'box', x: x - 2, y: y + top - 2, width: wide + 4, height: high + 4, look: 'plain', part: units[0].part, rows, title: lines[0] },
      { is: 'field', x, y: y + top, side, gap, columns, count, used, part: units[0].part },
      ...lines.map((text, i): Shape => ({ is: 'text', x: x + IN + 6, y: y + 11 + 14 * i, text, face: i === 0 ? 'code' : 'small' })),
    ],
  };
}

/** Adds a heading above a piece: the name of its part and its share of the layer. */
export function withHead({ part, text }: { part: Part; text: string }, piece: Piece): Piece {
  return {
    width: Math.max(piece.width, measureText(text, 'name') + 20),
    height: piece.height + 28,
    at: (x, y) => [
      { is: 'box', x, y: y + 2, width: 10, height: 10, look: 'solid', part },
      { is: 'text', x: x + 16, y: y + 12, text, face: 'name' },
      ...piece.at(x, y + 28),
    ],
  };
}

interface Placed {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** Places pieces from left to right. If they are linked, a line leads from the top of each to the bottom of the next. */
export function placeBeside(pieces: readonly Piece[], linked: boolean): Placed {
  const height = Math.max(...pieces.map((piece) => piece.height));
  const between = 2.5 * GAP;
  const shapes: Shape[] = [];
  let x = 0;
  for (const [i, piece] of pieces.entries()) {
    const top = linked ? height - piece.height : 0;
    shapes.push(...piece.at(x, top));
    const next = x + piece.width + between;
    const [from, to] = [x + RAIL + IN, next + RAIL + IN];
    if (linked && pieces[i + 1]) {
      const out = top + 28;
      const middle = x + piece.width + between / 2;
      shapes.push({ is: 'line', points: [from, out, middle, out, middle, height, to, height] });
    } else if (linked) shapes.push({ is: 'line', points: [from, top + 28 + GAP / 2, from, top + 18], arrow: true });
    x = next;
  }
  return { width: x - between, height: height + 6, shapes };
}

/** Places pieces from bottom to top if they are linked, otherwise from top to bottom. */
export function placeAbove(pieces: readonly Piece[], linked: boolean): Placed {
  const width = Math.max(...pieces.map((piece) => piece.width));
  const gap = linked ? 6 : GAP;
  const height = pieces.reduce((sum, piece) => sum + piece.height + gap, 0);
  const shapes: Shape[] = [];
  let y = linked ? height : 0;
  for (const piece of pieces) {
    if (linked) y -= piece.height;
    shapes.push(...piece.at(0, y));
    if (linked) {
      // The line goes up past the heading to the next step.
      shapes.push({ is: 'line', points: [RAIL + IN, y + 28, RAIL + IN, y + 16] });
      y -= gap;
      if (piece !== pieces[pieces.length - 1]) shapes.push({ is: 'line', points: [RAIL + IN, y + gap - 1, RAIL + IN, y] });
    } else y += piece.height + gap;
  }
  return { width, height: height + 6, shapes };
}

/** The legend of the scale: a square that stands for a round number of parameters. */
export function legendOf(unit: number): Piece {
  const ideal = Math.log10((16 * unit) ** 2);
  const count = 10 ** Math.max(0, Math.round(ideal));
  const side = Math.sqrt(count) / unit;
  const text = blockTexts.scale(grouped(count));
  return {
    width: side + 8 + measureText(text, 'small'),
    height: Math.max(side, 14) + 8,
    at: (x, y) => [
      { is: 'box', x, y: y + 6, width: side, height: side, look: 'edge', part: 'other' },
      { is: 'text', x: x + side + 8, y: y + 6 + side / 2 + 4, text, face: 'small' },
    ],
  };
}
