// The properties of every control of the form.

import type { FieldRow } from '../types/index.ts';

export interface ControlProps {
  readonly row: FieldRow;
  /** The literal in the text. */
  readonly literal: string | undefined;
  /** The id of the element that takes the focus. */
  readonly id: string;
  readonly describedBy: string;
  readonly wrong: boolean;
  /** The number of layers, for lists with one entry per layer. */
  readonly layers?: number;
  /** Sets the field to JSON; without an argument removes it. */
  readonly put: (literal?: string) => void;
  /** Reports how a typed value was understood. */
  readonly say: (taken: string | undefined) => void;
}
