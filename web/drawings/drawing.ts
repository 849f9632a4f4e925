// Drawings as lists of shapes. A component draws them on the page, and an export writes them to a file. Lengths are in pixels.

import type { Part, TensorRow } from '../types/index.ts';

export type Shape =
  | {
      readonly is: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      /**
       * `solid`: filled with the part's colour; `edge`: outlined in it; `dashed`: outlined with dashes, for a list or for tensors outside
       * the model; `hatched`: unused by a token; `matrix`: a tensor to scale; `plain`: invisible.
       */
      readonly look: 'solid' | 'edge' | 'dashed' | 'hatched' | 'matrix' | 'plain';
      readonly part: Part | 'other';
      /** The tensors that the box represents. */
      readonly rows?: readonly TensorRow[];
      readonly title?: string;
    }
  | {
      readonly is: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      /** `note`, `big` and `huge` are for cards, which are viewed at half size. */
      readonly face: 'name' | 'small' | 'code' | 'on' | 'note' | 'big' | 'huge';
      readonly anchor?: 'start' | 'middle' | 'end';
      /** The tensors that the text names. */
      readonly rows?: readonly TensorRow[];
    }
  /** A line through the points `x y x y …`, optionally with an arrow at the end. */
  | {
      readonly is: 'line';
      readonly points: readonly number[];
      readonly arrow?: boolean;
      readonly residual?: boolean;
      /** A line across a matrix: between two heads, or between two groups of heads. */
      readonly stripe?: 'head' | 'group';
      readonly part?: Part;
    }
  /** A grid of squares, such as experts. `used` of them are filled, spread over the grid. */
  | {
      readonly is: 'field';
      readonly x: number;
      readonly y: number;
      readonly side: number;
      readonly gap: number;
      readonly columns: number;
      readonly count: number;
      readonly used: number;
      readonly part: Part | 'other';
    }
  /** The point where a block's output is added to the residual stream. */
  | { readonly is: 'sum'; readonly x: number; readonly y: number };

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** A description of the drawing in one sentence. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

/** Estimates of the average width of a character, in pixels. They are rather too large than too small, so that texts fit. */
const WIDTHS = { name: 7.6, small: 6.4, code: 7.3, on: 7.2, note: 9.8, big: 14, huge: 48 } as const;

export const measureText = (text: string, face: keyof typeof WIDTHS) => Math.ceil(text.length * WIDTHS[face]);

/** Shortens a text to the available width. Empty if it must be shortened to fewer than three characters. */
export function cutToWidth(text: string, face: keyof typeof WIDTHS, room: number): string {
  const most = Math.floor(room / WIDTHS[face]);
  return text.length <= most ? text : most < 3 ? '' : `${text.slice(0, most - 1)}…`;
}
