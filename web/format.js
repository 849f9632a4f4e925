// Counts as readers see them. The core does the arithmetic; here digits are only grouped, shortened and compared.

/** @typedef {import('./types').Count} Count */

/** `8030261248` as `8,030,261,248`. @param {Count | bigint | number} count */
export function grouped(count) {
  const text = String(count);
  const sign = text.startsWith('-') ? '−' : '';
  const digits = sign ? text.slice(1) : text;
  let out = digits.slice(0, digits.length % 3);
  for (let i = digits.length % 3; i < digits.length; i += 3) out += (out && ',') + digits.slice(i, i + 3);
  return sign + out;
}

const UNITS = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion'];

/**
 * Three significant digits and a unit, rounded half up: `8.03 billion`. Below a thousand the number itself.
 * @param {Count} count
 */
export function short(count) {
  let power = Math.min(Math.floor((count.length - 1) / 3), UNITS.length - 1);
  if (power === 0) return count;
  const places = 3 - (count.length - 3 * power);
  if (places < 0) return `${grouped(BigInt(count) / 10n ** BigInt(3 * power))} ${UNITS[power]}`;
  const unit = 10n ** BigInt(3 * power - places);
  let digits = String((BigInt(count) + unit / 2n) / unit);
  if (digits.length > 3) {
    digits = digits.slice(0, 3); // 999,999 rounds to 1000: a digit more before the point
    if (places === 0) return power + 1 < UNITS.length ? `1.00 ${UNITS[++power]}` : `1,000 ${UNITS[power]}`;
    return `${point(digits, places - 1)} ${UNITS[power]}`;
  }
  return `${point(digits, places)} ${UNITS[power]}`;
}

/** @param {string} digits @param {number} places */
const point = (digits, places) => (places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits);

/** A part of a whole as a number from 0 to 1, for the length of a bar. @param {Count | bigint} part @param {Count | bigint} whole */
export function ratio(part, whole) {
  const all = BigInt(whole);
  return all === 0n ? 0 : Number((BigInt(part) * 1_000_000n) / all) / 1_000_000;
}

/** A part of a whole with two decimals, so that a column of them aligns. @param {Count | bigint} part @param {Count | bigint} whole */
export function percent(part, whole) {
  const all = BigInt(whole);
  const some = BigInt(part);
  if (all === 0n || some === 0n) return '0%';
  const hundredths = (some * 20_000n + all) / (2n * all);
  return hundredths === 0n ? '<0.01%' : `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`;
}

/** What changed, with its sign: `+1,050,673,152`. @param {Count | bigint} before @param {Count | bigint} after */
export function difference(before, after) {
  const change = BigInt(after) - BigInt(before);
  return (change > 0n ? '+' : '') + grouped(change);
}

/** @param {(number | Count)[]} shape */
export const shapeText = (shape) => shape.map(grouped).join(' × ');

/** `n things`, `1 thing`. @param {number | bigint | Count} n @param {string} thing */
export const plural = (n, thing) => `${grouped(n)} ${thing}${String(n) === '1' ? '' : 's'}`;
