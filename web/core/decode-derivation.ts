// Decodes the core's derivation (raw.ts) into the public types, and adds formulas as text and sentences.

import { parseFormula, formatFormula, formatShape } from '../answer/formula.ts';
import { explainBlock, explainReuse, explainTensor, nameBlock, type ConfigFacts, type ExplainedBlock } from '../answer/explanations.ts';
import { describeWhole, listWithoutParameters } from '../answer/overview.ts';
import { isTower } from '../answer/towers.ts';
import { grouped } from '../support/numbers.ts';
import * as texts from './derivation-texts.ts';
import type { Derivation, DerivedSection, DerivedStep, DerivedTensor, Listing, SymbolRow } from '../types/index.ts';
import { ALL, Choices, OTHERWISE, type RawCounterfactual } from './decode-counterfactuals.ts';
import { decodeSymbols } from './decode-count.ts';
import { attachSource, createSource } from './lazy-properties.ts';
import type { RawDerivation, RawDerivedStep, RawDerivedTensor } from './raw.ts';

/** Decodes a derivation. `count` asks the core for the model's counterfactuals. */
export function decodeDerivation(raw: RawDerivation, catalog: Listing, count: () => readonly RawCounterfactual[]): Derivation {
  const { model_type, architecture, sources } = raw;
  const symbols = decodeSymbols(raw.symbols, catalog).from;
  const steps = raw.sections.flatMap(({ steps: own }) => own);
  const named = new Set(steps.map(({ name }) => name));
  const titled = raw.sections.map(({ section }) => section);
  const fields = readFields(raw.article.setting);
  const config = readConfigFacts(fields, raw.facts, architecture);
  const sections = raw.sections.map(({ section, steps: own }) => {
    const title = titleSection(section, own, titled, model_type);
    const facts = isTower(section) ? {} : section === 'encoder' ? { ...config, caches: false } : config;
    return {
      section: section as DerivedSection['section'],
      title,
      steps: sayOnce(own.map((step) => decodeStep(step, title, symbols, facts, own))),
    };
  });
  const says = sections.flatMap((section) => section.steps.map((step) => step.says));
  const parameters = steps.find(({ kind }) => kind === 'total')?.value ?? '0';
  const decoded = {
    ok: true as const,
    model_type,
    architecture,
    parameters,
    setting: symbols.flatMap((row) =>
      named.has(row.name) ? [] : [{ ...pickSymbol(row), ...(row.field && { source: sources[row.name] ?? ('given' as const) }) }],
    ),
    sections,
    overview: describeWhole(sections),
    without_parameters: listWithoutParameters(sections, symbols, fields, { ...raw.facts, ...config }),
    config,
    symbols,
    article: {
      ...raw.article,
      title: texts.title(architecture),
      source: { name: texts.source },
      steps: raw.article.steps.map((step, i) => ({ ...step, says: says[i] })),
      total: raw.article.total && { ...raw.article.total, says: texts.total },
    },
  };
  const derived = sections.flatMap((section) => section.steps);
  const source = createSource(new Choices(count, derived));
  for (const step of derived) {
    if (step.kind !== 'part') continue;
    Object.defineProperty(step, 'otherwise', OTHERWISE);
    attachSource(step, source);
  }
  Object.defineProperty(decoded, 'counterfactuals', ALL);
  attachSource(decoded, source);
  return decoded as unknown as Derivation;
}

/**
 * If several steps of a section, for tensors that only files store, give an identical reason, keeps it only in the first of them. The
 * reason for stored copies of the main model's tensors is kept in each.
 */
function sayOnce(steps: readonly DerivedStep[]): DerivedStep[] {
  const said = new Set<string>();
  return steps.map((step) => {
    const { why, ...rest } = step;
    if (step.kind !== 'beside' || why === undefined || why === texts.storedAgain || !said.has(why)) {
      said.add(why ?? '');
      return step;
    }
    return rest;
  });
}

function titleSection(section: string, steps: readonly RawDerivedStep[], all: readonly string[], type: string): string {
  if (section === 'text' && !all.some(isTower)) return texts.whole;
  if (section === 'text' && texts.NOT_ONLY_TEXT.test(type)) return texts.sections.rest;
  const isSmall = steps.every(({ lines = [] }) => lines.every(([, , , role]) => role === 'vector'));
  return section === 'projector' && isSmall ? texts.scalars : (texts.sections[section] ?? section);
}

/** The fields at the top level of the configuration and in its text_config, which takes precedence. */
function readFields(setting: unknown): Readonly<Record<string, unknown>> {
  const outer = (setting ?? {}) as Readonly<Record<string, unknown>>;
  return { ...outer, ...(outer.text_config as object | undefined) };
}

/** Facts about the model from its configuration, its model type and its class. */
function readConfigFacts(fields: Readonly<Record<string, unknown>>, facts: RawDerivation['facts'], architecture: string): ConfigFacts {
  const given = ACTIVATIONS.map((name) => fields[name]).find((value) => typeof value === 'string') as string | undefined;
  const activation = given ?? facts?.activation;
  return {
    activation,
    rotary: facts?.positions === undefined ? undefined : facts.positions === 'rotary',
    ...(facts?.caches && GENERATES.test(architecture) && { caches: true }),
    ...(MASKED.test(architecture) && { masked: true }),
    type: String(fields.model_type ?? ''),
    task: TASKS.find(([pattern]) => pattern.test(architecture))?.[1],
    ...(fields.model_type === 'llama' && { meta: true }),
  };
}

/** Patterns of the names of classes with a head for a task. */
const TASKS = [
  [/ForQuestionAnswering(Simple)?$/, 'answers'],
  [/ForTokenClassification$/, 'tokens'],
  [/ForMultipleChoice$/, 'choices'],
] as const;

/** Matches the names of classes that predict masked tokens. */
const MASKED = /MaskedLM|Pre[Tt]raining|WithLMHead/;

/** Matches the names of classes that generate tokens of text, audio or images. */
const GENERATES = /For(CausalLM|ConditionalGeneration)$|LMHead/;

const ACTIVATIONS = ['hidden_act', 'hidden_activation', 'feed_forward_proj', 'activation_function', 'mlp_hidden_act'];

const pickSymbol = ({ name, symbol, value, meaning, field, formula, math }: SymbolRow): SymbolRow =>
  formula === undefined ? { name, symbol, value, meaning, field } : { name, symbol, value, meaning, field, formula, math };

function decodeStep(
  raw: RawDerivedStep,
  title: string,
  symbols: readonly SymbolRow[],
  config: ConfigFacts,
  siblings: readonly RawDerivedStep[],
): DerivedStep {
  const { math: written, lines = [], ...step } = raw;
  const math = parseFormula(written);
  const tensors = lines.map((line) => decodeTensor(line, raw, symbols));
  const block = { ...step, part: step.part ?? 'embedding', tensors };
  const why = explainStep(raw, block, config, siblings);
  return {
    ...step,
    says: describeStep(raw, title, block, config, siblings),
    ...(why && { why }),
    math,
    formula: formatFormula(math, symbols, { writing: 'symbols', compact: true }),
    substitution: formatFormula(math, symbols, { writing: 'numbers' }),
    tensors,
  };
}

function decodeTensor(
  [name, shape, shapes, role, task, value, written, about, transposed]: RawDerivedTensor,
  { kind, part = 'embedding', ...facts }: RawDerivedStep,
  symbols: readonly SymbolRow[],
): DerivedTensor {
  const math = parseFormula(written);
  const shape_math = shapes.map(parseFormula);
  const inSymbols = { writing: 'symbols', compact: true } as const;
  const own = { name, shape, role, task, ...(transposed !== undefined && { transposed: true }) };
  return {
    ...own,
    shape_math,
    shape_formula: formatShape(shape_math, symbols),
    says: kind === 'tied' ? texts.tiedTo(about ?? '') : explainTensor(own, { part, ...facts }, kind === 'buffers'),
    value,
    math,
    formula: formatFormula(math, symbols, inSymbols),
  };
}

function describeStep(
  { kind, list, layers = '', lines }: RawDerivedStep,
  title: string,
  block: ExplainedBlock,
  config: ConfigFacts,
  siblings: readonly RawDerivedStep[],
): string {
  switch (kind) {
    case 'part': {
      const name = nameBlock(block, config);
      if (list === undefined) return name;
      if (!isOfLayers(list, siblings)) return texts.inCopy(name);
      const isOne = /^\d+$/.test(layers) && lines?.every(([tensor]) => tensor.startsWith(`${list}.${layers}.`));
      const title = texts.inLayer(name, isOne ? layers : undefined);
      const lists = new Set(siblings.flatMap((other) => (other.list !== undefined && isOfLayers(other.list, siblings) ? other.list : [])));
      return lists.size > 1 ? texts.ofList(title, list) : title;
    }
    case 'layer':
      return texts.layer(formatLayers(layers));
    case 'layers':
      return isOfLayers(list, siblings) ? texts.layers(list ?? '') : texts.copies(list ?? '');
    case 'section':
      return texts.section(title);
    case 'tied':
      return texts.tied(nameBlock(block, config));
    case 'beside':
      return texts.beside(nameBlock(block, config), lines?.[0]?.[7] ?? '');
    case 'total':
      return texts.parameters;
    default:
      return texts[kind];
  }
}

/** A module list that has one of these parts contains layers. */
const LAYER_PARTS: ReadonlySet<string> = new Set(['attention', 'state_space', 'feed_forward', 'experts', 'convolution']);

/** Whether a module list contains layers. Other lists contain, for example, embedding tables, heads or norms. */
const isOfLayers = (list: string | undefined, siblings: readonly RawDerivedStep[]) =>
  siblings.some((other) => other.list === list && LAYER_PARTS.has(other.part ?? ''));

function explainStep(
  { kind, lines = [], part, list }: RawDerivedStep,
  block: ExplainedBlock,
  config: ConfigFacts,
  siblings: readonly RawDerivedStep[],
): string | undefined {
  switch (kind) {
    case 'part': {
      const isDraft = !siblings.some((other) => other.lines?.some(([, , , , task]) => /\bkey\b/.test(task)));
      const reuse = explainReuse(block, isDraft);
      return [explainBlock(block, reuse === undefined ? config : { ...config, caches: false }), reuse].filter(Boolean).join(' ');
    }
    case 'layer':
    case 'section':
      return texts.sum;
    case 'layers':
      if (config.type?.startsWith('albert')) return texts.sharedTimes;
      return isOfLayers(list, siblings) ? texts.times : texts.copiesTimes;
    case 'tied':
      return texts.tiedTo(...[...new Set(lines.flatMap((line) => line[7] ?? []))].slice(0, 3));
    case 'idle':
      if (siblings.some((other) => other.kind === 'idle' && other.lines !== lines && sharesExperts(other.lines ?? [], lines)))
        return texts.idleWhy();
      return texts.idleWhy(block.experts && grouped(block.experts), block.active && grouped(block.active));
    case 'active':
      return texts.activeWhy;
    case 'buffers':
      return texts.buffersWhy;
    case 'beside':
      return block.predicted && (part === 'embedding' || part === 'output_head') ? texts.storedAgain : (lines[0]?.[7] ?? undefined);
    default:
      return undefined;
  }
}

/**
 * Whether two steps are about a common list of experts. LongCat-Flash has experts with gate and up projections only, so its two steps have
 * different numbers of experts although one router scores them all.
 */
function sharesExperts(some: readonly RawDerivedTensor[], others: readonly RawDerivedTensor[]): boolean {
  const listOf = ([name]: RawDerivedTensor) => name.replace(/\.\[[^[]*$/, '');
  const lists = new Set(some.map(listOf));
  return others.some((line) => lists.has(listOf(line)));
}

/** The layer indices for a title, shortened if there are more than six ranges: `[0,2,4]` becomes `0, 2, 4`. */
function formatLayers(layers: string): string {
  const runs = layers.replace(/[[\]]/g, '').split(',');
  const told = runs.length > 6 ? [...runs.slice(0, 5), '…'] : runs;
  return told.map((run) => run.replace(/\d+/g, (index) => grouped(index)).replace('-', '–')).join(', ');
}
