// The properties that all controls of the form have in common.

import type { FieldRow } from '../types/index.ts';

export interface ControlProps {
  readonly row: FieldRow;
  /** The field's literal in the configuration text; undefined if the field is missing. */
  readonly literal: string | undefined;
  /** The id of the element that receives the focus. */
  readonly id: string;
  readonly describedBy: string;
  readonly wrong: boolean;
  /** The number of layers, for lists with one entry per layer. */
  readonly layers?: number;
  /** Sets the field to a JSON literal. Without an argument, removes the field. */
  readonly put: (literal?: string) => void;
  /** Shows how a typed value was understood. */
  readonly say: (taken: string | undefined) => void;
}
