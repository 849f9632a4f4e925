// Formats the numbers in the texts of a lesson. The core writes shortened numbers, percentages and ratios as digits with a letter for the
// format.

import { decimalRatio, percent, short, withNumbers } from '../support/numbers.ts';

/** A number as the core writes it, between two marks: see `number_mark` in core/claims/lesson_text.cpp. */
const MARKED = /\ufdd1([spt])(-?\d+)(?:\/(\d+))?\ufdd1/g;

export const parseLesson = <A>(text: string): A =>
  JSON.parse(withNumbers(text).replace(MARKED, (_, how: string, above: string, below = '1') => write(how, above, below as string))) as A;

function write(how: string, above: string, below: string): string {
  if (how === 's') return short(above);
  return how === 'p' ? percent(above, below) : decimalRatio(above, below);
}
