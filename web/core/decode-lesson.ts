// Numbers in the texts of lessons: the core marks how each is written, and the digits.

import { decimalRatio, percent, short, withNumbers } from '../support/numbers.ts';

/** `number_mark` of core/claims/lesson.cpp. */
const MARKED = /\ufdd1([spt])(-?\d+)(?:\/(\d+))?\ufdd1/g;

export const parseLesson = <A>(text: string): A =>
  JSON.parse(withNumbers(text).replace(MARKED, (_, how: string, above: string, below = '1') => write(how, above, below as string))) as A;

function write(how: string, above: string, below: string): string {
  if (how === 's') return short(above);
  return how === 'p' ? percent(above, below) : decimalRatio(above, below);
}
