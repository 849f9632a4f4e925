// Draws formula trees as MathML.

import type { ComponentChild, VNode } from 'preact';
import { grouped } from '../support/numbers.ts';
import { bindingPower, requiredPower, type Writing } from '../answer/formula.ts';
import type { Formula, Operation, SymbolRow } from '../types/index.ts';
import { memo } from './basics.tsx';

export interface Notation {
  readonly symbols: readonly SymbolRow[];
  readonly writing: Writing;
  /** The name to highlight. */
  readonly lit?: string;
}

/** A formula on one line. */
export const MathLine = memo(({ formula, ...notation }: Notation & { formula: Formula }) => (
  <math>
    <mrow>{nodes(formula, notation)}</mrow>
  </math>
));

/** A short symbol. The part after the first underscore, as in `n_kv`, is a subscript. Further underscores become commas. */
export const MathSymbol = ({ text }: { text: string }) => <math>{symbol(text)}</math>;

/**
 * A formula split into its terms, so that lines may break between them. A product that ends in a sum in brackets is split at the terms of
 * this sum. `around` wraps the term with index `at` in an element.
 */
export const BrokenMath = ({
  formula,
  around = (piece) => piece,
  ...notation
}: Notation & { formula: Formula; around?: (piece: ComponentChild, at: number) => ComponentChild }) => (
  <>
    {terms(formula, [], notation).map((piece, at) => (
      <>
        {around(
          <math>
            <mrow>{piece}</mrow>
          </math>,
          at,
        )}
        {BREAK}
      </>
    ))}
  </>
);

const BREAK = '\u200b';

function terms(formula: Formula, lead: ComponentChild[], notation: Notation): ComponentChild[][] {
  if (!Array.isArray(formula)) return [[...lead, ...nodes(formula, notation)]];
  const [operation, ...operands] = formula;
  if (operation === '+') return operands.flatMap((term, i) => terms(term, i === 0 ? lead : [infix('+')], notation));
  const last = operands[operands.length - 1];
  if (operation !== '×' || !Array.isArray(last) || last[0] !== '+') return [[...lead, ...nodes(formula, notation)]];
  const before = operands.slice(0, -1).flatMap((factor, i) => [...operand('×', factor, i, notation), times(notation)]);
  const inner = terms(last, [...lead, ...before, fence('(')], notation);
  inner[inner.length - 1].push(fence(')'));
  return inner;
}

function nodes(formula: Formula, notation: Notation): ComponentChild[] {
  if (typeof formula === 'string') return [<mn>{grouped(formula)}</mn>];
  if (typeof formula === 'number') return [name(notation.symbols[formula], notation)];
  const [operation, ...operands] = formula;
  const parts = operands.map((part, i) => operand(operation, part, i, notation));
  switch (operation) {
    case '+':
    case '−':
      return between(parts, () => <mo>{operation}</mo>);
    case '×':
      return between(parts, () => times(notation));
    case '^':
      return [
        <msup>
          <mrow>{parts[0]}</mrow>
          <mrow>{parts[1]}</mrow>
        </msup>,
      ];
    case '÷':
      return between(parts, () => <mo>/</mo>); // on one line, so that table rows keep their height
    default:
      return [fence(operation[0]), ...between(parts, () => <mo>/</mo>), fence(operation[2])];
  }
}

const between = (parts: ComponentChild[][], sign: () => ComponentChild) => parts.flatMap((part, i) => (i === 0 ? part : [sign(), ...part]));

function operand(operation: Operation, part: Formula, position: number, notation: Notation): ComponentChild[] {
  const inner = nodes(part, notation);
  return bindingPower(part) < requiredPower(operation, position) ? [fence('('), ...inner, fence(')')] : inner;
}

function name({ name, symbol: short, value }: SymbolRow, { writing, lit }: Notation): VNode {
  const marked = lit === name ? { 'data-lit': '' } : {};
  if (writing === 'numbers')
    return (
      <mn data-symbol={name} {...marked}>
        {grouped(value)}
      </mn>
    );
  if (writing === 'names')
    return (
      <mi class="name" data-symbol={name} {...marked}>
        {name}
      </mi>
    );
  return symbol(short, { 'data-symbol': name, ...marked });
}

function symbol(text: string, attributes: object = {}): VNode {
  const at = text.indexOf('_');
  if (at < 0) return <mi {...attributes}>{text}</mi>;
  return (
    <msub {...attributes}>
      <mi>{text.slice(0, at)}</mi>
      <mtext>{text.slice(at + 1).replaceAll('_', ',')}</mtext>
    </msub>
  );
}

const times = ({ writing }: Notation) =>
  writing === 'symbols' ? (
    <mo lspace="0.14em" rspace="0.14em">
      ⋅
    </mo>
  ) : (
    <mo>×</mo>
  );

/** Marks a plus as binary. Otherwise browsers treat a plus at the start of a term as a sign. */
const infix = (sign: string) => <mo {...INFIX}>{sign}</mo>;

const fence = (bracket: string) => <mo {...UPRIGHT}>{bracket}</mo>;

// MathML attributes that are missing from Preact's types.
const INFIX = { form: 'infix' } as object;
const UPRIGHT = { stretchy: 'false' } as object;
