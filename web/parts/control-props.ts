// The properties that all controls of the form have in common.

import type { FieldRow } from '../types/index.ts';

export interface ControlProps {
  readonly row: FieldRow;
  /** The field's literal in the configuration text; undefined if the field is missing. */
  readonly literal: string | undefined;
  /** The id of the input element or, if the control consists of several, of the group that contains them. */
  readonly id: string;
  readonly describedBy: string;
  readonly wrong: boolean;
  /** For a list with one entry per layer: the number of layers, if it is known. */
  readonly layers?: number;
  /** Sets the field to a JSON literal. Without an argument, removes the field. */
  readonly put: (literal?: string) => void;
  /** Called with a message about what is typed, for example how a number was understood; with undefined if there is none. */
  readonly say: (taken: string | undefined) => void;
}
