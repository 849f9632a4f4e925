// Evaluates formulas without the core's code, from their tree or from their text.

/** @typedef {import('../../web/types/index.ts').Formula} Formula */

/** @param {Formula} math @param {readonly import('../../web/types/index.ts').SymbolRow[]} symbols @returns {bigint} */
export function value(math, symbols) {
  if (typeof math === 'string') return BigInt(math);
  if (typeof math === 'number') return BigInt(symbols[math].value);
  const [operation, ...operands] = math;
  return apply(
    operation,
    operands.map((operand) => value(operand, symbols)),
  );
}

/** @param {string} operation @param {bigint[]} operands @returns {bigint} */
function apply(operation, operands) {
  const [a, b] = operands;
  switch (operation) {
    case '×':
    case '·':
      return operands.reduce((x, y) => x * y);
    case '+':
      return operands.reduce((x, y) => x + y);
    case '−':
      return a - b;
    case '^':
      return a ** b;
    case '÷':
      if (a % b !== 0n) throw new Error(`${a} ÷ ${b} leaves a remainder`);
      return a / b;
    case '⌊÷⌋':
      return a / b;
    case '⌈÷⌉':
      return (a + b - 1n) / b;
    default:
      throw new Error(`unknown operation ${operation}`);
  }
}

/** @param {Map<string, bigint>} values @param {string} name */
function known(values, name) {
  const found = values.get(name);
  if (found === undefined) throw new Error(`no value for ${name}`);
  return found;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** @param {string} text */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Evaluates the text of a formula: names (which may contain spaces and brackets, as in `layers as 0`), numbers with grouped digits, the
 * operators + − × · ÷, the brackets ( ) ⌊ ⌋ ⌈ ⌉, and superscripts.
 * @param {string} text
 * @param {Map<string, bigint>} values
 */
export function evaluate(text, values) {
  const names = [...values.keys()].sort((a, b) => b.length - a.length).map((name) => `${escaped(name)}(?![\\p{L}\\p{Nd}_])`);
  const tokens = text.match(new RegExp([...names, '\\d[\\d,]*', '[⁰¹²³⁴⁵⁶⁷⁸⁹]+', '[^\\s]'].join('|'), 'gu')) ?? [];
  let at = 0;
  const next = () => tokens[at++];
  /** @param {string} token */
  const expect = (token) => {
    if (next() !== token) throw new Error(`${text}: expected ${token} as token ${at}`);
  };

  /** @param {string} close the closing bracket, which decides how a division inside rounds @returns {bigint} */
  const sum = (close) => {
    let total = product(close);
    while (tokens[at] === '+' || tokens[at] === '−') total = apply(next(), [total, product(close)]);
    return total;
  };
  /** @param {string} close @returns {bigint} */
  const product = (close) => {
    let total = factor();
    while (['×', '·', '÷'].includes(tokens[at])) {
      const operation = next();
      total = apply(operation !== '÷' ? operation : close === '⌋' ? '⌊÷⌋' : close === '⌉' ? '⌈÷⌉' : '÷', [total, factor()]);
    }
    return total;
  };
  const factor = () => {
    const base = atom(next());
    const exponent = [...(tokens[at] ?? '')].map((digit) => superscripts.indexOf(digit));
    if (exponent.length === 0 || exponent.includes(-1)) return base;
    at++;
    return base ** BigInt(exponent.join(''));
  };
  /** @param {string} token @returns {bigint} */
  const atom = (token) => {
    const close = { '(': ')', '⌊': '⌋', '⌈': '⌉' }[token];
    if (close) {
      const inner = sum(close);
      expect(close);
      return inner;
    }
    return /^\d/.test(token) ? BigInt(token.replaceAll(',', '')) : known(values, token);
  };

  const result = sum('');
  if (at !== tokens.length) throw new Error(`${text}: ${tokens[at]} is left over`);
  return result;
}
