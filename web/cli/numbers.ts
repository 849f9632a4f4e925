// Parses numeric option values exactly, or refuses them.

import { parseSize } from '../support/quantity.ts';
import { Usage, type Given } from './command.ts';

const BYTES: Readonly<Record<string, bigint>> = { '': 10n ** 9n, gb: 10n ** 9n, gib: 2n ** 30n, mb: 10n ** 6n, mib: 2n ** 20n, tb: 10n ** 12n, tib: 2n ** 40n }; // prettier-ignore

/**
 * Converts `80`, `79.6`, `80GB` or `24 GiB` to bytes, as a decimal string. Without a unit the number is in GB. Undefined if the text is not
 * understood, or if the result is zero or not a whole number of bytes.
 */
export function parseBytes(text: string): string | undefined {
  const [, whole, fraction = '', unit = ''] = /^(\d{1,9})(?:\.(\d{1,12}))?\s*([kmgt]i?b)?$/i.exec(text.trim()) ?? [];
  const factor = BYTES[unit.toLowerCase()];
  if (whole === undefined || factor === undefined) return undefined;
  const bytes = BigInt(whole + fraction) * factor;
  const divisor = 10n ** BigInt(fraction.length);
  return bytes === 0n || bytes % divisor !== 0n ? undefined : String(bytes / divisor);
}

/** Parses an option's whole number. Undefined if the option is not given. Throws `Usage` if it is not a number within the bounds. */
export function parseNumber(given: Given, name: string, least: number, most: number): number | undefined {
  const text = given.value(name);
  if (text === undefined) return undefined;
  const number = Number(parseSize(text) ?? NaN);
  if (!(number >= least && number <= most)) throw new Usage(`--${name} needs a number from ${least} to ${most}, not ${text}`);
  return number;
}
