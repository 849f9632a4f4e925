// Parses what is typed into a number field, and computes the effect of its arrow keys.

import { grouped, typedPlainly } from './numbers.ts';

export interface Reading {
  /** The value as JSON. */
  readonly literal: string;
  /** How the number was understood, if that is not obvious. */
  readonly taken?: string;
}

/**
 * Parses `4096`, `4,096`, `4 096`, `4_096`, `4k`, `1.5k`, `2m` or `1e3`, also as written in the current language. Other decimal numbers and
 * `null` are kept. Anything else becomes a JSON string, which the core refuses with a message that states the valid values.
 */
export function readNumber(typed: string): Reading {
  const text = typedPlainly(typed.trim()).replace(/^\u2212/, '-');
  if (text.length > 400) return { literal: JSON.stringify(text.slice(0, 40)) };
  const bare = text.replace(/(?<=\d)[,_ \u00a0\u202f'](?=\d)/g, '');
  if (/^-?\d+$/.test(bare)) return { literal: stripZeros(bare) };
  const scaled = /^(\d+)(?:\.(\d*))?\s*(k|m|ki|mi|e\d{1,2})$/i.exec(bare);
  if (scaled) {
    const value = scale(scaled[1], scaled[2] ?? '', scaled[3].toLowerCase());
    if (value !== undefined) return { literal: value.digits, taken: value.how };
  }
  if (/^-?\d+\.\d+$/.test(bare)) return { literal: bare };
  return { literal: text === 'null' ? 'null' : JSON.stringify(text) };
}

const stripZeros = (digits: string) => digits.replace(/^(-?)0+(?=\d)/, '$1');

/** Multiplies a number by its unit: k is 1,024, m is 1,024², and e3 is 1,000. Undefined if the product is not an integer. */
function scale(whole: string, fraction: string, unit: string) {
  const factor = unit[0] === 'e' ? 10n ** BigInt(unit.slice(1)) : unit[0] === 'k' ? 1024n : 1_048_576n;
  const scaled = BigInt(whole + fraction) * factor;
  const divisor = 10n ** BigInt(fraction.length);
  if (scaled % divisor !== 0n) return undefined;
  const how = unit[0] === 'e' ? '' : unit[0] === 'k' ? `, k being ${grouped(1024)}` : `, m being ${grouped(1024)} × ${grouped(1024)}`;
  return { digits: String(scaled / divisor), how };
}

/** The next multiple of the step in the given direction, but not below 0. */
export function stepTo(digits: string, step: bigint, direction: 1 | -1): string {
  const value = BigInt(digits);
  const rest = value % step;
  const next = direction > 0 ? value - rest + step : rest > 0n ? value - rest : value - step;
  return String(next < 0n ? 0n : next);
}
