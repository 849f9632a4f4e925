// Adds a section to a derivation: what one device holds, which is the requested one or else the one that holds the most. The section uses
// the derivation's symbols, with T, P and E_p for the sizes of tensor, pipeline and expert parallelism.

import { formatFormula, formatShape, parseFormula } from '../answer/formula.ts';
import { grouped } from '../support/numbers.ts';
import type { Derivation, DerivedStep, DerivedTensor, Formula, Listing, SymbolRow } from '../types/index.ts';
import { decodeSymbols } from './decode-count.ts';
import * as texts from './derivation-texts.ts';
import type { RawDevices, RawDeviceStep, RawFormula } from './raw.ts';

export function withDevice(derivation: Derivation, raw: RawDevices, catalog: Listing): Derivation {
  const { steps = [], ranks, heaviest } = raw;
  const own = decodeSymbols(raw.symbols, catalog).from;
  const symbols: SymbolRow[] = [...derivation.symbols];
  /** For each symbol in the answer to `devices`, its index among the symbols of the derivation. */
  const places = own.map((row) => {
    const known = symbols.findIndex(({ name }) => name === row.name);
    return known < 0 ? symbols.push(row) - 1 : known;
  });
  const placed = (formula: Formula): Formula =>
    typeof formula === 'string'
      ? formula
      : typeof formula === 'number'
        ? places[formula]
        : [formula[0], ...formula.slice(1).map((operand) => placed(operand as Formula))];
  for (let at = derivation.symbols.length; at < symbols.length; ++at) {
    const { math } = symbols[at];
    if (math !== undefined) symbols[at] = { ...symbols[at], formula: symbols[at].formula, math: placed(math) };
  }
  const known = new Map(
    derivation.sections.flatMap(({ steps: all }) => all.flatMap(({ tensors }) => tensors.map(({ name, role }) => [name, role]))),
  );
  const decode = (written: RawFormula) => placed(parseFormula(written));
  const inSymbols = (math: Formula) => formatFormula(math, symbols, { writing: 'symbols', compact: true });
  const tensorOf = ([row, name, shape, shapes, value, written]: RawDeviceStep['lines'][number]): DerivedTensor => {
    const math = decode(written);
    const shape_math = shapes.map(decode);
    const role = known.get(raw.rows[row].name) ?? (shape.length > 1 ? 'matrix' : 'vector');
    return { name, shape, shape_math, shape_formula: formatShape(shape_math, symbols), role, task: '', says: raw.rows[row].why, value, math, formula: inSymbols(math) }; // prettier-ignore
  };
  const stepOf = ({ lines, math: written, ...step }: RawDeviceStep): DerivedStep => {
    const math = decode(written);
    const { says, why } = texts.device(step.kind, step.part ?? '', grouped(ranks[heaviest].rank), grouped(raw.devices));
    return {
      ...step,
      says,
      ...(why && { why }),
      math,
      formula: inSymbols(math),
      substitution: formatFormula(math, symbols, { writing: 'numbers' }),
      tensors: lines.map(tensorOf),
    };
  };
  const named = new Set(steps.map(({ name }) => name));
  const added = symbols.slice(derivation.symbols.length).filter(({ name }) => !named.has(name));
  return {
    ...derivation,
    setting: [...derivation.setting, ...added],
    sections: [...derivation.sections, { section: 'device', title: texts.sections.device, steps: steps.map(stepOf) }],
    symbols,
  };
}
