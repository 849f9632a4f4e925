// Numbers on the command line, as people write them: exact, or not taken.

import { readNumber } from '../lib/texts/number-input.ts';
import { Usage, type Given } from './command.ts';

/** `4096`, `4,096`, `4_096`, `4k`, `128K`, `1m` as digits, k being 1,024; undefined for what is no whole number. */
export function sizeOf(text: string): string | undefined {
  const { literal } = readNumber(text);
  return /^\d+$/.test(literal) ? literal : undefined;
}

const POWERS: Readonly<Record<string, number>> = { '': 0, k: 3, m: 6, b: 9, g: 9, t: 12 };

/** A number in thousands, millions, …: what it is written as, and what its last digit is worth. */
export interface Quantity {
  readonly value: bigint;
  /** 1 where all digits are there. */
  readonly unit: bigint;
}

/** `8030261248`, `8,030,261,248`, `8.03B`, `124M`: k is 1,000 here. Undefined for what is no whole number. */
export function quantityOf(text: string): Quantity | undefined {
  const [, whole, fraction = '', letter = ''] = /^(\d+(?:[,_]\d{3})*|\d+)(?:\.(\d{1,20}))?\s*([kmbgt]?)$/i.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const places = POWERS[letter.toLowerCase()] - fraction.length;
  if (places < 0) return undefined;
  const unit = 10n ** BigInt(places);
  return { value: BigInt(whole.replaceAll(/[,_]/g, '') + fraction) * unit, unit };
}

/** Whether a number is written so: as it is, or rounded half up to the digits that are there. */
export const isWrittenAs = (exact: bigint, { value, unit }: Quantity) => ((exact + unit / 2n) / unit) * unit === value;

const BYTES: Readonly<Record<string, bigint>> = { '': 10n ** 9n, gb: 10n ** 9n, gib: 2n ** 30n, mb: 10n ** 6n, mib: 2n ** 20n, tb: 10n ** 12n, tib: 2n ** 40n }; // prettier-ignore

/** `80`, `79.6`, `80GB`, `24 GiB` as bytes in digits; GB where no unit is said. Undefined where it comes to no whole bytes. */
export function bytesOf(text: string): string | undefined {
  const [, whole, fraction = '', unit = ''] = /^(\d{1,9})(?:\.(\d{1,12}))?\s*([kmgt]i?b)?$/i.exec(text.trim()) ?? [];
  const factor = BYTES[unit.toLowerCase()];
  if (whole === undefined || factor === undefined) return undefined;
  const bytes = BigInt(whole + fraction) * factor;
  const divisor = 10n ** BigInt(fraction.length);
  return bytes === 0n || bytes % divisor !== 0n ? undefined : String(bytes / divisor);
}

/** A whole number of an option, within bounds. */
export function numberOf(given: Given, name: string, least: number, most: number): number | undefined {
  const text = given.value(name);
  if (text === undefined) return undefined;
  const number = Number(sizeOf(text) ?? NaN);
  if (!(number >= least && number <= most)) throw new Usage(`--${name} wants a number from ${least} to ${most}, not ${text}`);
  return number;
}
