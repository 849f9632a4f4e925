// Formulas as MathML, from the tree that the core gives.

import { grouped } from './format.js';

/** @typedef {import('./types').Formula} Formula */
/** @typedef {import('./types').SymbolRow} SymbolRow */
/** @typedef {'symbols' | 'names' | 'numbers'} Writing */

const NAMESPACE = 'http://www.w3.org/1998/Math/MathML';

/** @param {string} tag @param {...(Node | string)} children */
export function m(tag, ...children) {
  const element = document.createElementNS(NAMESPACE, tag);
  element.append(...children);
  return element;
}

/** Writes formulas in one of three ways: symbols, config names, or the values in their place. */
export class FormulaWriter {
  /**
   * @param {SymbolRow[]} symbols
   * @param {Writing} writing
   */
  constructor(symbols, writing) {
    this.symbols = new Map(symbols.map((row) => [row.name, row]));
    this.writing = writing;
  }

  /** One line, for the table. @param {Formula} formula */
  line(formula) {
    return m('math', m('mrow', ...this.nodes(formula, 0)));
  }

  /**
   * The formula in pieces between which a line may break, down to the terms of its sums.
   * @param {Formula} formula
   * @returns {Element[]}
   */
  broken(formula) {
    return this.terms(formula, []).map((piece) => m('math', m('mrow', ...piece)));
  }

  /** @param {Formula} formula @param {Element[]} lead @returns {Element[][]} */
  terms(formula, lead) {
    if (operation(formula) === '+') {
      return operands(formula).flatMap((term, i) => this.terms(term, i === 0 ? lead : [infix('+')]));
    }
    const factors = operation(formula) === '×' ? operands(formula) : [];
    const last = factors[factors.length - 1];
    if (last === undefined || operation(last) !== '+' || operands(last).length < 2) return [[...lead, ...this.nodes(formula, 0)]];
    const before = factors.slice(0, -1).flatMap((factor) => [...this.nodes(factor, 2), this.times()]);
    const inner = this.terms(last, [...lead, ...before, fence('(')]);
    inner[inner.length - 1].push(fence(')'));
    return inner;
  }

  /** @param {Formula} formula @param {number} binding 0 sum, 1 term, 2 factor, 3 base of a power @returns {Element[]} */
  nodes(formula, binding) {
    if (typeof formula === 'string') return [m('mn', grouped(formula))];
    if (!Array.isArray(formula)) return [this.name(formula.name)];
    const [sign, ...parts] = formula;
    const inner = this.operate(sign, parts);
    const strength = STRENGTH[sign] ?? 3;
    return strength < binding ? [fence('('), ...inner, fence(')')] : inner;
  }

  /** @param {string} sign @param {Formula[]} parts @returns {Element[]} */
  operate(sign, parts) {
    switch (sign) {
      case '+':
        return parts.flatMap((part, i) => [...(i ? [operator('+')] : []), ...this.nodes(part, 1)]);
      case '−':
        return parts.flatMap((part, i) => [...(i ? [operator('−')] : []), ...this.nodes(part, i ? 2 : 1)]);
      case '×':
        return parts.flatMap((part, i) => [...(i ? [this.times()] : []), ...this.nodes(part, 2)]);
      case '^':
        return [m('msup', m('mrow', ...this.nodes(parts[0], 3)), m('mrow', ...this.nodes(parts[1], 0)))];
      case '⌊÷⌋':
        return [fence('⌊'), ...this.divided(parts), fence('⌋')];
      case '⌈÷⌉':
        return [fence('⌈'), ...this.divided(parts), fence('⌉')];
      default:
        return this.divided(parts);
    }
  }

  /** On one line, so that rows keep their height. @param {Formula[]} parts */
  divided(parts) {
    return [...this.nodes(parts[0], 2), operator('/'), ...this.nodes(parts[1], 3)];
  }

  times() {
    return this.writing === 'symbols' ? spaced('⋅') : operator('×');
  }

  /** @param {string} name */
  name(name) {
    const known = this.symbols.get(name);
    const element = this.writing === 'symbols' ? symbol(known?.symbol ?? name) : this.writing === 'numbers' && known ? m('mn', grouped(known.value)) : m('mi', name);
    element.setAttribute('data-symbol', name);
    if (this.writing === 'names') element.setAttribute('class', 'name');
    return element;
  }
}

/** What binds: a sum least, a power most. @type {Record<string, number>} */
const STRENGTH = { '+': 0, '−': 0, '×': 1, '÷': 1, '^': 2 };

/** @param {Formula} formula */
const operation = (formula) => (Array.isArray(formula) ? formula[0] : undefined);

/** @param {Formula} formula */
const operands = (formula) => /** @type {Formula[]} */ (Array.isArray(formula) ? formula.slice(1) : []);

/** `n_kv`: what follows the underscore is a subscript. @param {string} text */
export function symbol(text) {
  const at = text.indexOf('_');
  return at < 0 ? m('mi', text) : m('msub', m('mi', text.slice(0, at)), m('mtext', text.slice(at + 1).replaceAll('_', ',')));
}

/** @param {string} text */
const operator = (text) => m('mo', text);

/** At the start of a piece, where a plus would be taken for a sign. @param {string} text */
function infix(text) {
  const element = operator(text);
  element.setAttribute('form', 'infix');
  return element;
}

/** @param {string} text */
function spaced(text) {
  const element = m('mo', text);
  element.setAttribute('lspace', '0.14em');
  element.setAttribute('rspace', '0.14em');
  return element;
}

/** @param {string} text */
function fence(text) {
  const element = m('mo', text);
  element.setAttribute('stretchy', 'false');
  return element;
}

/** The names that a formula is about. @param {Formula} formula @returns {string[]} */
export function namesIn(formula) {
  if (typeof formula === 'string') return [];
  return Array.isArray(formula) ? formula.slice(1).flatMap((part) => namesIn(/** @type {Formula} */ (part))) : [formula.name];
}
