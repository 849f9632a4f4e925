// Writes numbers for readers. Only this file groups digits and names units. Copied and exported numbers have exact digits.

import type { Count } from '../types/index.ts';

/** A whole number, exact: never a `number` beyond 2^53. */
export type Whole = Count | bigint | number;

export const MINUS = '−';

/** How a language writes numbers. */
export interface Numbers {
  readonly language: string;
  readonly separator: string;
  readonly point: string;
  /** Undefined for English grouping. */
  readonly format?: Intl.NumberFormat;
}

const ENGLISH: Numbers = { language: 'en', separator: ',', point: '.' };

let numbers = ENGLISH;

/** The current style. A document with widgets in several languages has several: parts/numbers-scope.ts sets that of each. */
export const getNumbers = (): Numbers => numbers;
export const setNumbers = (next: Numbers): void => void (numbers = next);

/** The style of a language, with the digits 0 to 9. */
export function createNumbers(language: string): Numbers {
  const format = createNumberFormat(language);
  const parts = new Map(format.formatToParts(1_234_567.8).map(({ type, value }) => [type, value]));
  const isEnglish = format.format(12_345_678) === '12,345,678';
  return { language, separator: parts.get('group') ?? '', point: parts.get('decimal') ?? '.', format: isEnglish ? undefined : format };
}

/** A tag that is not a language, such as the `C` of a plain Linux, means English. */
function createNumberFormat(tag: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(tag, { numberingSystem: 'latn' });
  } catch {
    return new Intl.NumberFormat('en', { numberingSystem: 'latn' });
  }
}

/** Turns a number typed in this language into one with a point before its fraction. Three digits after a grouping character are a group. */
export function typedPlainly(typed: string): string {
  if (numbers.separator === ',') return typed;
  const groups =
    numbers.separator === '.' ? typed.replace(/(?<=\d)\.(?=\d{3}(?!\d))/g, '') : typed.replaceAll(numbers.separator || ' ', '');
  return numbers.point === ',' ? groups.replace(/,(?!\d{3}(?!\d))/, '.') : groups;
}

/** Copied and exported text is the same for readers of all languages. */
export function neutral<T>(write: () => T): T {
  const own = numbers;
  numbers = ENGLISH;
  try {
    return write();
  } finally {
    numbers = own;
  }
}

/** `8030261248` as `8,030,261,248`. */
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

/** A number with a fraction as the core writes it, `52,428.8`, in the reader's language. */
export function decimal(written: string): string {
  const [whole, fraction] = written.replaceAll(',', '').split('.');
  return grouped(whole) + (fraction === undefined ? '' : numbers.point + fraction);
}

/** Marks a number in a sentence of the core: `term_mark` of core/support/count.hpp. */
const TERM = '\ufdd0';
const TERMS = /\ufdd0(\d+)/g;

/** A text of the core with its numbers in the reader's language. */
export const withNumbers = (text: string) => (text.includes(TERM) ? text.replace(TERMS, (_, digits: string) => grouped(digits)) : text);

const UNITS = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion'];

/** Three significant digits and a unit, rounded half up: `8.03 billion`. A number below a thousand stays as it is. */
export function short(count: Count): string {
  let power = Math.min(Math.floor((count.length - 1) / 3), UNITS.length - 1);
  if (power === 0) return count;
  const places = 3 - (count.length - 3 * power);
  if (places < 0) return `${grouped(BigInt(count) / 10n ** BigInt(3 * power))} ${UNITS[power]}`;
  const unit = 10n ** BigInt(3 * power - places);
  let digits = String((BigInt(count) + unit / 2n) / unit);
  if (digits.length > 3) {
    digits = digits.slice(0, 3); // 999,999 rounds to 1000, which has one more digit before the point
    if (places === 0)
      return power + 1 < UNITS.length ? `1${numbers.point}00 ${UNITS[++power]}` : `1${numbers.separator}000 ${UNITS[power]}`;
    return `${withPoint(digits, places - 1)} ${UNITS[power]}`;
  }
  return `${withPoint(digits, places)} ${UNITS[power]}`;
}

const LETTERS: Readonly<Record<string, string>> = { thousand: 'K', million: 'M', billion: 'B', trillion: 'T' };

/** The same in the form that people type, in any language: `8.03B`. */
export const typedShort = (count: Count): string => neutral(() => short(count).replace(/ (\w+)$/, (unit, name) => LETTERS[name] ?? unit));

const withPoint = (digits: string, places: number) => (places ? digits.slice(0, -places) + numbers.point + digits.slice(-places) : digits);

/** A share as a number from 0 to 1, for the length of a bar. */
export function ratio(part: Count | bigint, whole: Count | bigint): number {
  const all = BigInt(whole);
  return all === 0n ? 0 : Number((BigInt(part) * 1_000_000n) / all) / 1_000_000;
}

/** A share with two decimals, so that a column of them aligns. */
export function percent(part: Count | bigint, whole: Count | bigint): string {
  const all = BigInt(whole);
  const some = BigInt(part);
  if (all === 0n || some === 0n) return '0%';
  const hundredths = (some * 20_000n + all) / (2n * all);
  return hundredths === 0n ? `<0${numbers.point}01%` : `${hundredths / 100n}${numbers.point}${String(hundredths % 100n).padStart(2, '0')}%`;
}

/** A ratio with one decimal, without it if it is whole: `4.2`. */
export function decimalRatio(above: Count, below: Count): string {
  const tenths = (BigInt(above) * 20n + BigInt(below)) / (2n * BigInt(below));
  return tenths % 10n === 0n ? grouped(tenths / 10n) : `${grouped(tenths / 10n)}${numbers.point}${tenths % 10n}`;
}

/** A difference with its sign: `+1,050,673,152`. */
export function difference(before: Count | bigint, after: Count | bigint): string {
  const change = BigInt(after) - BigInt(before);
  return (change > 0n ? '+' : '') + grouped(change);
}

export const shapeText = (shape: readonly Whole[]) => shape.map(grouped).join(' × ');

/** `n things`, `1 thing`. */
export const plural = (n: Whole, thing: string) => `${grouped(n)} ${thing}${String(n) === '1' ? '' : 's'}`;
