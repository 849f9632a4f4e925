// Texts for the config.json editor.

import { grouped, plural } from '../support/numbers.ts';

export const place = (line: number, column: number) => `line ${grouped(line)}, column ${grouped(column)}`;
export const long = (lines: number) =>
  `This text is too long to edit here (${plural(lines, 'line')}). Only its beginning is shown; all of it is counted.`;
