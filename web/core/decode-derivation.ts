// A derivation as types.ts promises it, from what the core says (raw.ts): with its formulas written, and with what its steps say.

import { parseFormula, formatFormula } from '../answer/formula.ts';
import { explainPart } from '../answer/reasons.ts';
import { grouped } from '../support/numbers.ts';
import * as texts from './derivation-texts.ts';
import type { Derivation, DerivedSection, DerivedStep, DerivedTensor, Listing, SymbolRow } from '../types/index.ts';
import { decodeSymbols } from './decode-count.ts';
import type { RawDerivation, RawDerivedStep, RawDerivedTensor } from './raw.ts';

export function decodeDerivation(raw: RawDerivation, catalog: Listing): Derivation {
  const { model_type, architecture, sources } = raw;
  const symbols = decodeSymbols(raw.symbols, catalog).from;
  const steps = raw.sections.flatMap(({ steps: own }) => own);
  const named = new Set(steps.map(({ name }) => name));
  const alone = raw.sections.filter(({ section }) => TOWERS.has(section)).length === 1;
  const sections = raw.sections.map(({ section, steps: own }) => {
    const title = alone && section === 'text' ? texts.whole : (texts.sections[section] ?? section);
    return { section: section as DerivedSection['section'], title, steps: own.map((step) => decodeStep(step, section, symbols)) };
  });
  const says = sections.flatMap((section) => section.steps.map((step) => step.says));
  const parameters = steps.find(({ kind }) => kind === 'total')?.value ?? '0';
  return {
    ok: true,
    model_type,
    architecture,
    parameters,
    setting: symbols.flatMap((row) =>
      named.has(row.name) ? [] : [{ ...pickSymbol(row), ...(row.field && { source: sources[row.name] ?? ('given' as const) }) }],
    ),
    sections,
    symbols,
    article: {
      ...raw.article,
      title: texts.title(architecture),
      source: { name: texts.source },
      steps: raw.article.steps.map((step, i) => ({ ...step, says: says[i] })),
      total: raw.article.total && { ...raw.article.total, says: texts.total },
    },
  };
}

/** Sections that are a model, or a part of one. */
const TOWERS = new Set(['vision', 'audio', 'projector', 'text']);

const pickSymbol = ({ name, symbol, value, meaning, field, formula, math }: SymbolRow): SymbolRow =>
  formula === undefined ? { name, symbol, value, meaning, field } : { name, symbol, value, meaning, field, formula, math };

function decodeStep(raw: RawDerivedStep, section: string, symbols: readonly SymbolRow[]): DerivedStep {
  const { math: written, lines = [], ...step } = raw;
  const math = parseFormula(written);
  const why = explainStep(raw);
  return {
    ...step,
    says: describeStep(raw, section),
    ...(why && { why }),
    math,
    formula: formatFormula(math, symbols, { writing: 'symbols', compact: true }),
    substitution: formatFormula(math, symbols, { writing: 'numbers' }),
    tensors: lines.map((line) => decodeTensor(line, raw.kind, symbols)),
  };
}

function decodeTensor(
  [name, shape, shapes, role, does, value, written, about]: RawDerivedTensor,
  kind: string,
  symbols: readonly SymbolRow[],
): DerivedTensor {
  const math = parseFormula(written);
  const shape_math = shapes.map(parseFormula);
  const inSymbols = { writing: 'symbols', compact: true } as const;
  return {
    name,
    shape,
    shape_math,
    shape_formula: shape_math.map((size) => formatFormula(size, symbols, inSymbols)).join(' × '),
    role,
    says: kind === 'tied' ? texts.tiedTo(about ?? '') : texts.tensor(name, does, role),
    value,
    math,
    formula: formatFormula(math, symbols, inSymbols),
  };
}

function describeStep({ kind, part = 'embedding', list, layers = '' }: RawDerivedStep, section: string): string {
  switch (kind) {
    case 'part':
      return list === undefined ? texts.parts(part) : texts.inLayer(part);
    case 'layer':
      return texts.layer(formatLayers(layers));
    case 'layers':
      return texts.layers(list ?? '');
    case 'section':
      return texts.section(section);
    case 'tied':
      return texts.tied(part);
    case 'beside':
      return texts.beside(part);
    case 'total':
      return texts.parameters;
    default:
      return texts[kind];
  }
}

function explainStep({ kind, part = 'embedding', lines = [] }: RawDerivedStep): string | undefined {
  switch (kind) {
    case 'part':
      return texts.why[part] ?? explainPart(part === 'experts' ? 'feed_forward' : part, lines.map(([name, shape, , role]) => ({ name, shape, role }))); // prettier-ignore
    case 'layer':
    case 'section':
      return texts.sum;
    case 'layers':
      return texts.times;
    case 'tied':
      return texts.tiedTo([...new Set(lines.flatMap((line) => line[7] ?? []))].slice(0, 3).join(', '));
    case 'idle':
      return texts.idleWhy;
    case 'active':
      return texts.activeWhy;
    case 'buffers':
      return texts.buffersWhy;
    case 'beside':
      return lines[0]?.[7];
    default:
      return undefined;
  }
}

/** `[0,2,4,6,8,10]` as far as a line takes it. */
function formatLayers(layers: string): string {
  const runs = layers.replace(/[[\]]/g, '').split(',');
  const told = runs.length > 6 ? [...runs.slice(0, 5), '…'] : runs;
  return told.map((run) => run.replace(/\d+/g, (index) => grouped(index)).replace('-', '–')).join(', ');
}
