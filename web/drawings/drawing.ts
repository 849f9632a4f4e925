// Pictures as values: what a part draws on the page and an export writes as a file. Lengths are in pixels.

import type { Part, TensorRow } from '../types/index.ts';

export type Shape =
  | {
      readonly is: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      /**
       * `solid` in its part's colour, `edge` with a stroke of it, `dashed` around what is repeated, `hatched` for what is not used,
       * `matrix` to scale, `plain` behind what is drawn on it.
       */
      readonly look: 'solid' | 'edge' | 'dashed' | 'hatched' | 'matrix' | 'plain';
      readonly part: Part | 'other';
      /** The tensors that it stands for, and what is said of it where it is pointed at. */
      readonly rows?: readonly TensorRow[];
      readonly title?: string;
    }
  | {
      readonly is: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      /** `note`, `big` and `huge` are for a card, which is read at half its size. */
      readonly face: 'name' | 'small' | 'code' | 'on' | 'note' | 'big' | 'huge';
      readonly anchor?: 'start' | 'middle' | 'end';
    }
  /** Points as `x y x y …`; `arrow` at its end. */
  | {
      readonly is: 'line';
      readonly points: readonly number[];
      readonly arrow?: boolean;
      readonly residual?: boolean;
      /** Across a matrix: between two heads, or two groups of them. */
      readonly stripe?: 'head' | 'group';
      readonly part?: Part;
    }
  /** Squares in rows, such as experts; `used` of them are filled, spread over all. */
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
  /** Where a block's output is added to the stream. */
  | { readonly is: 'sum'; readonly x: number; readonly y: number };

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What it shows, in a sentence. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

/** Widths of one character, on the safe side. */
const WIDTHS = { name: 7.6, small: 6.4, code: 7.3, on: 7.2, note: 9.8, big: 14, huge: 48 } as const;

export const measureText = (text: string, face: keyof typeof WIDTHS) => Math.ceil(text.length * WIDTHS[face]);

/** As much of a text as has room. */
export function cutToWidth(text: string, face: keyof typeof WIDTHS, room: number): string {
  const most = Math.floor(room / WIDTHS[face]);
  return text.length <= most ? text : most < 3 ? '' : `${text.slice(0, most - 1)}…`;
}
