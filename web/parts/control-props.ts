// What every control of the form is given.

import type { FieldRow } from '../types/index.ts';

export interface ControlProps {
  readonly row: FieldRow;
  /** The value as the text has it. */
  readonly literal: string | undefined;
  /** Of the element that takes the focus. */
  readonly id: string;
  readonly describedBy: string;
  readonly wrong: boolean;
  /** How many layers there are, for lists that have an entry for each. */
  readonly layers?: number;
  /** Puts JSON there; without, takes the field out. */
  readonly put: (literal?: string) => void;
  /** Says how something was understood. */
  readonly say: (taken: string | undefined) => void;
}
