// Numbers as people write them in conditions and on the command line: exact, or not taken.

import { readNumber } from './number-input.ts';

/** `4096`, `4,096`, `4_096`, `4k`, `128K`, `1m` as digits, k being 1,024; undefined for what is no whole number. */
export function parseSize(text: string): string | undefined {
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
export function parseQuantity(text: string): Quantity | undefined {
  const [, whole, fraction = '', letter = ''] = /^(\d{1,3}(?:[,_]\d{3})+|\d{1,40})(?:\.(\d{1,20}))?\s*([kmbgt]?)$/i.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const places = POWERS[letter.toLowerCase()] - fraction.length;
  if (places < 0) return undefined;
  const unit = 10n ** BigInt(places);
  return { value: BigInt(whole.replaceAll(/[,_]/g, '') + fraction) * unit, unit };
}

/** Whether a number is written so: as it is, or rounded half up to the digits that are there. */
export const isWrittenAs = (exact: bigint, { value, unit }: Quantity) => ((exact + unit / 2n) / unit) * unit === value;
