// One block of the architecture: data flows upwards, from what the layer receives to what it hands on; what a branch reads passes it on the
// left, too, and is added to what it makes.

import {
  type Block,
  type Branch,
  findBranches,
  type Group,
  isConvolutional,
  type Module,
  listModuleRows,
  type Unit,
} from '../answer/layer-blocks.ts';
import { cutToWidth, measureText, type Drawing, type Shape } from './drawing.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import * as blockTexts from './block-texts.ts';
import type { Part, TensorRow } from '../types/index.ts';

const INNER = 300;
const RAIL = 34;
const GAP = 18;
const PADDING = 10;
const CHIP = 36;
const HEAD = 22;
const NORM = 26;

/** What has been laid out: as large as it is, to be put where it belongs. */
interface Piece {
  readonly width: number;
  readonly height: number;
  readonly at: (x: number, y: number) => readonly Shape[];
}

export function drawBlock(block: Block): Drawing {
  const found = isConvolutional(block) ? block.modules.map(linkOf) : findBranches(block.modules).map(branchOf);
  const inner = Math.max(INNER, ...found.map(({ middle }) => middle.width));
  const width = RAIL + inner + PADDING;
  const branches = found.map(({ piece }) => piece(inner));
  const height = branches.reduce((sum, piece) => sum + piece.height, 0) + 2 * GAP;
  const shapes: Shape[] = [];
  let y = height - GAP;
  const centre = streamOf(width);
  shapes.push({ is: 'line', points: [centre, height, centre, y] });
  for (const piece of branches) {
    y -= piece.height;
    shapes.push(...piece.at(0, y));
  }
  shapes.push({ is: 'line', points: [centre, y, centre, 2], arrow: true });
  return { width, height, title: blockTexts.title(formatUnitName(block), grouped(block.copies)), shapes };
}

const branchOf = (branch: Branch) => {
  const middle = beside(branch.main.map(modulePiece));
  return { middle, piece: (inner: number) => branchPiece(branch, middle, inner) };
};

/** A module of a chain. */
const linkOf = (module: Module) => {
  const middle = module.isNorm ? normPiece(module) : modulePiece(module);
  return { middle, piece: (inner: number) => linkPiece(middle, inner) };
};

/** `layers.[3-60]`: as far as it tells blocks from one another. */
export const formatUnitName = ({ list, layers }: Pick<Block, 'list' | 'layers'>) => `${list}.${layers}`;

/** Where the stream runs. */
const streamOf = (width: number) => RAIL + (width - RAIL - PADDING) / 2;

/** From below: a norm, the block, a norm; the sum above. All branches have the same room, for a stream that runs straight. */
function branchPiece({ before, after }: Branch, middle: Piece, inner: number): Piece {
  const width = RAIL + inner + PADDING;
  const norm = (module: Module): Piece => normPiece(module);
  const stack = [...before.map(norm), middle, ...after.map(norm)];
  const height = stack.reduce((sum, piece) => sum + piece.height + GAP, 0) + 3 * GAP;
  return {
    width,
    height,
    at(x, top) {
      const centre = x + streamOf(width);
      const bottom = top + height;
      const sum = top + GAP;
      const shapes: Shape[] = [
        { is: 'line', points: [centre, bottom, centre, bottom - GAP] },
        // Past the branch.
        {
          is: 'line',
          points: [centre, bottom - GAP / 2, x + 12, bottom - GAP / 2, x + 12, sum, centre - 9, sum],
          arrow: true,
          residual: true,
        },
      ];
      let y = bottom - GAP;
      for (const piece of stack) {
        shapes.push(...piece.at(x + RAIL + (inner - piece.width) / 2, y - piece.height));
        y -= piece.height;
        shapes.push({ is: 'line', points: [centre, y, centre, piece === stack[stack.length - 1] ? sum + 9 : y - GAP], arrow: true });
        y -= GAP;
      }
      shapes.push({ is: 'sum', x: centre, y: sum }, { is: 'line', points: [centre, sum - 9, centre, top] });
      return shapes;
    },
  };
}

/** Where nothing passes it. */
function linkPiece(middle: Piece, inner: number): Piece {
  const width = RAIL + inner + PADDING;
  const height = middle.height + GAP;
  return {
    width,
    height,
    at(x, top) {
      const centre = x + streamOf(width);
      return [
        { is: 'line', points: [centre, top + height, centre, top + middle.height + GAP / 2], arrow: true },
        ...middle.at(x + RAIL + (inner - middle.width) / 2, top + GAP / 2),
        { is: 'line', points: [centre, top + GAP / 2, centre, top] },
      ];
    },
  };
}

function beside(pieces: readonly Piece[]): Piece {
  if (pieces.length === 1) return pieces[0];
  return {
    width: pieces.reduce((sum, { width }) => sum + width + GAP, -GAP),
    height: Math.max(...pieces.map(({ height }) => height)),
    at(x, y) {
      const bottom = y + this.height;
      let left = x;
      return pieces.flatMap((piece) => {
        const shapes = piece.at(left, bottom - piece.height);
        left += piece.width + GAP;
        return shapes;
      });
    },
  };
}

function normPiece(module: Module): Piece {
  const rows = listModuleRows(module);
  const shape = shapeText(rows[0].shape);
  const width = Math.max(180, measureText(module.name, 'code') + measureText(shape, 'small') + 3 * PADDING);
  return {
    width,
    height: NORM,
    at: (x, y) => [
      box(x, y, width, NORM, 'edge', module.part, rows, titleOf(module.name, rows)),
      { is: 'text', x: x + PADDING, y: y + 17, text: module.name, face: 'code' },
      { is: 'text', x: x + width - PADDING, y: y + 17, text: shape, face: 'small', anchor: 'end' },
    ],
  };
}

/** A head in the part's colour, and inside the tensors: what makes the output above, what reads the input below. */
function modulePiece(module: Module): Piece {
  const { name, part, units, groups } = module;
  const inside = stacked([unitsPiece(units), ...groups.map(groupPiece)].filter(({ height }) => height > 0));
  const width = Math.max(INNER, inside.width + 2 * PADDING);
  const height = HEAD + inside.height + 2 * PADDING;
  const rows = listModuleRows(module);
  return {
    width,
    height,
    at: (x, y) => [
      box(x, y, width, height, 'edge', part),
      box(x, y, width, HEAD, 'solid', part, rows, titleOf(name, rows)),
      {
        is: 'text',
        x: x + PADDING,
        y: y + 15,
        text: cutToWidth(name, 'on', width - measureText(partLabel(part), 'on') - 3 * PADDING),
        face: 'on',
      },
      { is: 'text', x: x + width - PADDING, y: y + 15, text: partLabel(part), face: 'on', anchor: 'end' },
      ...inside.at(x + (width - inside.width) / 2, y + HEAD + PADDING),
    ],
  };
}

function groupPiece({ name, copies, part, units }: Group): Piece {
  const inside = unitsPiece(units);
  const title = `${name} × ${grouped(copies)}`;
  const width = Math.max(inside.width, measureText(title, 'name')) + 2 * PADDING;
  const height = inside.height + HEAD + PADDING;
  return {
    width,
    height,
    at: (x, y) => [
      // Behind it that there are more.
      box(x + 5, y - 4, width, height, 'dashed', part),
      box(
        x,
        y,
        width,
        height,
        'dashed',
        part,
        units.flatMap(({ rows }) => rows),
        title,
      ),
      { is: 'text', x: x + PADDING, y: y + 16, text: title, face: 'name' },
      ...inside.at(x + (width - inside.width) / 2, y + HEAD),
    ],
  };
}

/** One above another, the first at the bottom. */
function stacked(pieces: readonly Piece[]): Piece {
  const width = Math.max(0, ...pieces.map((piece) => piece.width));
  const height = pieces.reduce((sum, piece) => sum + piece.height + PADDING, pieces.length > 0 ? -PADDING : 0);
  return {
    width,
    height,
    at(x, y) {
      let bottom = y + height;
      return pieces.flatMap((piece) => {
        bottom -= piece.height;
        const shapes = piece.at(x + (width - piece.width) / 2, bottom);
        bottom -= PADDING;
        return shapes;
      });
    },
  };
}

/** The last matrix hands on, so it stands above those that read. */
function unitsPiece(units: readonly Unit[]): Piece {
  const matrices = units.filter(({ rows }) => rows[0].role === 'matrix');
  const last = matrices.length > 1 ? matrices[matrices.length - 1] : undefined;
  const lines = [...wrapped(units.filter((unit) => unit !== last)), ...(last ? [[last]] : [])];
  return stacked(lines.map(chipLine));
}

function wrapped(units: readonly Unit[]): Unit[][] {
  const lines: Unit[][] = [];
  let room = 0;
  for (const unit of units) {
    const width = chipWidth(unit) + PADDING;
    if (lines.length === 0 || room + width > 2 * INNER * 0.75) {
      lines.push([]);
      room = 0;
    }
    lines[lines.length - 1].push(unit);
    room += width;
  }
  return lines;
}

/** Its shape as text: of a convolution the kernel, then the channels. */
export function formatUnitSize({ role, shape }: TensorRow): string {
  if (role !== 'kernel' || shape.length < 3) return shapeText(shape) || texts.table.scalar;
  return blockTexts.kernel(shapeText(shape.slice(2)), shapeText(shape.slice(0, 2)));
}

const shapeOf = ({ rows }: Unit) => {
  const biased = rows.length > 1 && rows.some(({ name }) => name.endsWith('.bias'));
  return formatUnitSize(rows[0]) + (biased ? blockTexts.biased : '');
};
const textWidth = (unit: Unit) => Math.max(64, measureText(unit.name, 'code'), measureText(shapeOf(unit), 'small')) + 2 * 8;
const chipWidth = (unit: Unit) => textWidth(unit) + kernelOf(unit).width;

const CELL = 4;
/** Larger kernels are an outline. */
const MOST_CELLS = 7;

/** A convolution's kernel as the cells that it looks at, over the two last of its dimensions. */
function kernelOf({ rows: [row] }: Unit): Piece {
  const sides = row.role === 'kernel' ? row.shape.slice(2).map(Number) : [];
  if (sides.length === 0) return { width: 0, height: 0, at: () => [] };
  const [down, across] = [sides.length > 1 ? sides[sides.length - 2] : 1, sides[sides.length - 1]];
  const cells = (side: number) => Math.min(MOST_CELLS, side);
  const [width, height] = [CELL * cells(across), CELL * cells(down)];
  const inner = (side: number) => (side > MOST_CELLS ? [] : Array.from({ length: side - 1 }, (_, i) => CELL * (i + 1)));
  return {
    width: width + PADDING,
    height,
    at: (x, y) => [
      { is: 'line', points: [x, y, x + width, y, x + width, y + height, x, y + height, x, y] },
      ...inner(across).map((along): Shape => ({ is: 'line', points: [x + along, y, x + along, y + height] })),
      ...inner(down).map((along): Shape => ({ is: 'line', points: [x, y + along, x + width, y + along] })),
    ],
  };
}

function chipLine(units: readonly Unit[]): Piece {
  const width = units.reduce((sum, unit) => sum + chipWidth(unit) + PADDING, -PADDING);
  return {
    width,
    height: CHIP,
    at(x, y) {
      let left = x;
      return units.flatMap((unit): Shape[] => {
        const own = chipWidth(unit);
        const kernel = kernelOf(unit);
        const centre = left + kernel.width + (own - kernel.width) / 2;
        const shapes: Shape[] = [
          box(left, y, own, CHIP, 'edge', unit.part, unit.rows, titleOf(unit.name, unit.rows)),
          { is: 'text', x: centre, y: y + 15, text: unit.name, face: 'code', anchor: 'middle' },
          { is: 'text', x: centre, y: y + 29, text: shapeOf(unit), face: 'small', anchor: 'middle' },
          ...kernel.at(left + PADDING, y + (CHIP - kernel.height) / 2),
        ];
        left += own + PADDING;
        return shapes;
      });
    },
  };
}

const box = (
  x: number,
  y: number,
  width: number,
  height: number,
  look: 'solid' | 'edge' | 'dashed',
  part: Part,
  rows?: readonly TensorRow[],
  title?: string,
): Shape => ({ is: 'box', x, y, width, height, look, part, rows, title });

const titleOf = (name: string, rows: readonly TensorRow[]) => (rows.length === 1 ? `${rows[0].name}: ${shapeText(rows[0].shape)}` : name);
