// Drawings as values: a component draws them on the page, an export writes them as a file. Lengths are in pixels.

import type { Part, TensorRow } from '../types/index.ts';

export type Shape =
  | {
      readonly is: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      /**
       * `solid`: filled with the part's colour; `edge`: outlined in it; `dashed`: around repeated content; `hatched`: unused; `matrix`: to
       * scale; `plain`: a background.
       */
      readonly look: 'solid' | 'edge' | 'dashed' | 'hatched' | 'matrix' | 'plain';
      readonly part: Part | 'other';
      /** The tensors that it stands for, and its description when pointed at. */
      readonly rows?: readonly TensorRow[];
      readonly title?: string;
    }
  | {
      readonly is: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      /** `note`, `big` and `huge` are for a card, which is viewed at half its size. */
      readonly face: 'name' | 'small' | 'code' | 'on' | 'note' | 'big' | 'huge';
      readonly anchor?: 'start' | 'middle' | 'end';
      /** The tensors that it names. */
      readonly rows?: readonly TensorRow[];
    }
  /** Points as `x y x y …`, with an optional `arrow` at the end. */
  | {
      readonly is: 'line';
      readonly points: readonly number[];
      readonly arrow?: boolean;
      readonly residual?: boolean;
      /** A line across a matrix: between two heads, or between two groups of heads. */
      readonly stripe?: 'head' | 'group';
      readonly part?: Part;
    }
  /** Squares in rows, such as experts; `used` of them are filled, spread evenly. */
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
  /** The point where a block's output is added to the stream. */
  | { readonly is: 'sum'; readonly x: number; readonly y: number };

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What it shows, in one sentence. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

/** Upper estimates for the width of a character. */
const WIDTHS = { name: 7.6, small: 6.4, code: 7.3, on: 7.2, note: 9.8, big: 14, huge: 48 } as const;

export const measureText = (text: string, face: keyof typeof WIDTHS) => Math.ceil(text.length * WIDTHS[face]);

/** As much of a text as fits. */
export function cutToWidth(text: string, face: keyof typeof WIDTHS, room: number): string {
  const most = Math.floor(room / WIDTHS[face]);
  return text.length <= most ? text : most < 3 ? '' : `${text.slice(0, most - 1)}…`;
}
