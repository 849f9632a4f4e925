// Parses numbers in conditions, target sizes and the arguments of commands. The results are exact integers that are not negative.

import { readNumber } from './number-input.ts';

/** Converts `4096`, `4,096`, `4_096`, `4k`, `128K` or `1m` to digits, where k is 1,024. Undefined if it is negative or not an integer. */
export function parseSize(text: string): string | undefined {
  const { literal } = readNumber(text);
  return /^\d+$/.test(literal) ? literal : undefined;
}

const POWERS: Readonly<Record<string, number>> = { '': 0, k: 3, m: 6, b: 9, g: 9, t: 12 };

/** A number that may be abbreviated: its value, and the place value of its last stated digit. */
export interface Quantity {
  readonly value: bigint;
  /** The place value of the last stated digit; 1 if all digits are stated. */
  readonly unit: bigint;
}

/** Parses `8030261248`, `8,030,261,248`, `8.03B` or `124M`, where k is 1,000. Undefined for a sign or if the result is not an integer. */
export function parseQuantity(text: string): Quantity | undefined {
  const [, whole, fraction = '', letter = ''] = /^(\d{1,3}(?:[,_]\d{3})+|\d{1,40})(?:\.(\d{1,20}))?\s*([kmbgt]?)$/i.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const places = POWERS[letter.toLowerCase()] - fraction.length;
  if (places < 0) return undefined;
  const unit = 10n ** BigInt(places);
  return { value: BigInt(whole.replaceAll(/[,_]/g, '') + fraction) * unit, unit };
}

/** Whether the quantity equals this number, exactly or rounded half up to the quantity's digits. */
export const isWrittenAs = (exact: bigint, { value, unit }: Quantity) => ((exact + unit / 2n) / unit) * unit === value;
