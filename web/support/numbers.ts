// Formats numbers for people. Digits are grouped only here. Copied and exported text always has English formatting.

import type { Count } from '../types/index.ts';

/** An exact whole number. A JavaScript `number` must be a safe integer. */
export type Whole = Count | bigint | number;

export const MINUS = '−';

/** How numbers are written in some language. */
export interface Numbers {
  readonly language: string;
  readonly separator: string;
  readonly point: string;
  /** The formatter, or undefined if digits are grouped as in English. */
  readonly format?: Intl.NumberFormat;
}

const ENGLISH: Numbers = { language: 'en', separator: ',', point: '.' };

let numbers = ENGLISH;

/** The current number style. In a document with widgets in several languages, parts/numbers-scope.ts sets the style of each widget. */
export const getNumbers = (): Numbers => numbers;
export const setNumbers = (next: Numbers): void => void (numbers = next);

/** The number style of a language, but with the digits 0 to 9. */
export function createNumbers(language: string): Numbers {
  const format = createNumberFormat(language);
  const parts = new Map(format.formatToParts(1_234_567.8).map(({ type, value }) => [type, value]));
  const isEnglish = format.format(12_345_678) === '12,345,678';
  return { language, separator: parts.get('group') ?? '', point: parts.get('decimal') ?? '.', format: isEnglish ? undefined : format };
}

/** A language tag that is invalid, such as the `C` of a plain Linux system, means English. */
function createNumberFormat(tag: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(tag, { numberingSystem: 'latn' });
  } catch {
    return new Intl.NumberFormat('en', { numberingSystem: 'latn' });
  }
}

/**
 * Converts a number typed in the current language to English notation, without the language's group separators. A point that groups is
 * removed only before exactly three digits. A decimal comma before exactly three digits is kept, because it may be meant to group them.
 * Returns the text unchanged if the language groups with commas.
 */
export function typedPlainly(typed: string): string {
  if (numbers.separator === ',') return typed;
  const groups =
    numbers.separator === '.' ? typed.replace(/(?<=\d)\.(?=\d{3}(?!\d))/g, '') : typed.replaceAll(numbers.separator || ' ', '');
  return numbers.point === ',' ? groups.replace(/,(?!\d{3}(?!\d))/, '.') : groups;
}

/**
 * Calls a function with English number formatting, because copied and exported text must not depend on the user's language. The function
 * must be synchronous.
 */
export function neutral<T>(write: () => T): T {
  const own = numbers;
  numbers = ENGLISH;
  try {
    return write();
  } finally {
    numbers = own;
  }
}

/** Groups the digits of an integer: `8030261248` becomes `8,030,261,248`. Any other text is returned unchanged. */
export function grouped(count: Whole): string {
  const text = String(count);
  const sign = text.startsWith('-') ? MINUS : '';
  const digits = sign ? text.slice(1) : text;
  if (!/^\d+$/.test(digits)) return text;
  if (numbers.format) return sign + numbers.format.format(BigInt(digits));
  let out = digits.slice(0, digits.length % 3);
  for (let i = digits.length % 3; i < digits.length; i += 3) out += (out && numbers.separator) + digits.slice(i, i + 3);
  return sign + out;
}

/** Converts a decimal number from the core, such as `52,428.8`, to the user's language. */
export function decimal(written: string): string {
  const [whole, fraction] = written.replaceAll(',', '').split('.');
  return grouped(whole) + (fraction === undefined ? '' : numbers.point + fraction);
}

/** Marks a number in a sentence of the core. Equal to `term_mark` in core/support/count.hpp. */
const TERM = '\ufdd0';
const TERMS = /\ufdd0(\d+)/g;

/** Formats the marked numbers in a text of the core in the user's language. */
export const withNumbers = (text: string) => (text.includes(TERM) ? text.replace(TERMS, (_, digits: string) => grouped(digits)) : text);

const UNITS = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion'];

/**
 * Rounds half up to three significant digits and a unit: `8.03 billion`. A number below a thousand is returned unchanged. One of 10²¹ or
 * more is rounded down to whole quintillions.
 */
export function short(count: Count): string {
  let power = Math.min(Math.floor((count.length - 1) / 3), UNITS.length - 1);
  if (power === 0) return count;
  const places = 3 - (count.length - 3 * power);
  if (places < 0) return `${grouped(BigInt(count) / 10n ** BigInt(3 * power))} ${UNITS[power]}`;
  const unit = 10n ** BigInt(3 * power - places);
  let digits = String((BigInt(count) + unit / 2n) / unit);
  if (digits.length > 3) {
    digits = digits.slice(0, 3); // 999,999 rounds to 1000, which has one more digit before the decimal point
    if (places === 0)
      return power + 1 < UNITS.length ? `1${numbers.point}00 ${UNITS[++power]}` : `1${numbers.separator}000 ${UNITS[power]}`;
    return `${withPoint(digits, places - 1)} ${UNITS[power]}`;
  }
  return `${withPoint(digits, places)} ${UNITS[power]}`;
}

const LETTERS: Readonly<Record<string, string>> = { thousand: 'K', million: 'M', billion: 'B', trillion: 'T' };

/** Like `short`, but in English notation, and with a letter for each unit up to a trillion: `8.03B`. */
export const typedShort = (count: Count): string => neutral(() => short(count).replace(/ (\w+)$/, (unit, name) => LETTERS[name] ?? unit));

const withPoint = (digits: string, places: number) => (places ? digits.slice(0, -places) + numbers.point + digits.slice(-places) : digits);

/** A part's share of the whole as a number from 0 to 1, for the length of a bar. A share of zero is 0. */
export function ratio(part: Count | bigint, whole: Count | bigint): number {
  const all = BigInt(whole);
  return all === 0n ? 0 : Number((BigInt(part) * 1_000_000n) / all) / 1_000_000;
}

/**
 * A share in per cent with two decimals, so that columns of shares align. Zero is `0%`, as is a share of zero. A share that would round to
 * zero is `<0.01%`.
 */
export function percent(part: Count | bigint, whole: Count | bigint): string {
  const all = BigInt(whole);
  const some = BigInt(part);
  if (all === 0n || some === 0n) return '0%';
  const hundredths = (some * 20_000n + all) / (2n * all);
  return hundredths === 0n ? `<0${numbers.point}01%` : `${hundredths / 100n}${numbers.point}${String(hundredths % 100n).padStart(2, '0')}%`;
}

/** A ratio rounded to one decimal, which is omitted if it is zero: `4.2`, `4`. */
export function decimalRatio(above: Count, below: Count): string {
  const tenths = (BigInt(above) * 20n + BigInt(below)) / (2n * BigInt(below));
  return tenths % 10n === 0n ? grouped(tenths / 10n) : `${grouped(tenths / 10n)}${numbers.point}${tenths % 10n}`;
}

/** A difference with its sign: `+1,050,673,152`. Zero has no sign. */
export function difference(before: Count | bigint, after: Count | bigint): string {
  const change = BigInt(after) - BigInt(before);
  return (change > 0n ? '+' : '') + grouped(change);
}

export const shapeText = (shape: readonly Whole[]) => shape.map(grouped).join(' × ');

/** A number with a noun in the singular or plural: `1 thing`, `2 things`. */
export const plural = (n: Whole, thing: string) => `${grouped(n)} ${thing}${String(n) === '1' ? '' : 's'}`;
