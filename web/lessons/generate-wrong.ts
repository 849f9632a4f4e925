// Lists the likely wrong answers to the question about a step, each with an explanation. Those with equal values are removed afterwards.

import { grouped } from '../support/numbers.ts';
import { splitName } from '../answer/tensor-names.ts';
import type { Count, Derivation, DerivedStep, DerivedTensor, WrongAnswer } from '../types/index.ts';
import { isInLayer, lineName, wrong } from './generate-texts.ts';

/** The largest number of wrong answers that the core accepts for one question. */
const MAX_READ = 30;
const MAX_TENSORS = 5;

/** All steps of a derivation. */
export const listAll = ({ sections }: Derivation): readonly DerivedStep[] => sections.flatMap(({ steps }) => steps);

type Add = (value: string, says: string) => void;

/** The short name of a tensor, such as `q_proj` or `c_attn.bias`. */
export const shortName = (name: string) => {
  const pieces = splitName(name).filter((piece) => !/^\[|^\d+$|^weight$/.test(piece));
  return pieces.slice(pieces.at(-1) === 'bias' ? -2 : -1).join('.');
};

const findTask = (tensors: readonly DerivedTensor[], task: RegExp) => tensors.find((tensor) => task.test(tensor.task));

/** Groups tensors of equal size, because leaving out any of them gives the same wrong number: `q_proj or o_proj`. */
function groupBySize(tensors: readonly DerivedTensor[]): readonly (readonly [Count, string])[] {
  const groups = new Map<Count, string[]>();
  for (const { name, value } of tensors) groups.set(value, [...(groups.get(value) ?? []), shortName(name)]);
  return [...groups].map(([value, names]) => [value, wrong.either([...new Set(names)])]);
}

/**
 * Returns the likely errors for a part. `layers`: the number of layers of the model. `hidden`: its hidden dimension, if it has a single
 * one.
 */
export function listPartErrors(step: DerivedStep, layers: number, hidden: Count | undefined): WrongAnswer[] {
  const { tensors, value, copies, heads } = step;
  const out: WrongAnswer[] = [];
  const add: Add = (expression, says) => out.push({ value: expression, says });
  if (isInLayer(step)) add(`${value} * ${copies}`, wrong.allLayers(grouped(copies as Count)));
  addExperts(step, add);
  addHeads(step, add);
  addOmissions(step, add);
  if (hidden !== undefined) addWidths(step, Number(hidden), add);
  if (tensors.every(({ shape }) => shape.length === 1)) addVectors(step, layers, add);
  else if (tensors.length === 1) addTable(step, layers, add);
  addBiases(step, add);
  if (heads !== undefined && heads !== '1' && findTask(tensors, /^query$/)) add(`int(${value} / ${heads})`, wrong.oneHead(grouped(heads)));
  return [...out, ...listLast(value)];
}

function addExperts({ part, value, experts, active }: DerivedStep, add: Add) {
  if (part !== 'experts' || experts === undefined) return;
  add(`int(${value} / ${experts})`, wrong.oneExpert(grouped(experts)));
  if (active !== undefined) add(`int(${value} * ${active} / ${experts})`, wrong.usedExperts(grouped(active), grouped(experts)));
}

function addHeads({ tensors, value, mechanism }: DerivedStep, add: Add) {
  const [query, key, values] = [/^query$/, /^key$/, /^value$/].map((task) => findTask(tensors, task));
  if (mechanism !== 'multi_head_attention' && query && key && values && BigInt(query.value) > BigInt(key.value))
    add(`${value} + 2 * ${query.value} - ${key.value} - ${values.value}`, wrong.asQueries);
}

function addOmissions({ tensors, value }: DerivedStep, add: Add) {
  if (tensors.length < 2) return;
  const groups = groupBySize(tensors).slice(0, MAX_TENSORS);
  for (const [own, names] of groups) add(`${value} - ${own}`, wrong.forgot(names));
  for (const [own, names] of groups.slice(0, 2)) add(own, wrong.alone(names));
}

/**
 * Adds the errors of using four times the hidden dimension, or the hidden dimension itself, as the inner dimension of a feed-forward block.
 */
function addWidths({ part, tensors }: DerivedStep, hidden: number, add: Add) {
  const matrices = tensors.filter(({ shape }) => shape.length === 2);
  if (part !== 'feed_forward' || matrices.length < 2) return;
  const [a, b] = matrices[0].shape.map(Number);
  const inner = a === hidden ? b : a;
  if ((a !== hidden && b !== hidden) || inner === hidden) return;
  if (inner !== 4 * hidden) add(`${matrices.length} * ${hidden} * 4 * ${hidden}`, wrong.fourTimes(grouped(String(inner))));
  add(`${matrices.length} * ${hidden} * ${hidden}`, wrong.squares(grouped(String(inner))));
}

/** Adds the likely errors in counting a part that has only vectors, such as a norm. */
function addVectors(step: DerivedStep, layers: number, add: Add) {
  const { tensors, value, mechanism } = step;
  const [{ shape }] = tensors;
  add(`int(${value} / ${shape[0]})`, wrong.perDimension);
  add(`${value} * ${shape[0]}`, wrong.vectorSquare);
  if (mechanism === 'rms_norm') add(`2 * ${value}`, wrong.shift);
  if (mechanism === 'layer_norm') add(`int(${value} / 2)`, wrong.noShift);
  if (!isInLayer(step)) add(`${value} * ${layers}`, wrong.onceNorm);
}

/** Adds the likely errors in counting a part that is one matrix, such as an embedding table. */
function addTable(step: DerivedStep, layers: number, add: Add) {
  const [rows, columns] = step.tensors[0].shape;
  if (columns === undefined) return;
  add(String(rows), wrong.rows(grouped(columns)));
  add(String(columns), wrong.columns(grouped(rows)));
  add(`${rows} + ${columns}`, wrong.added);
  if (rows !== columns) add(`${columns} * ${columns}`, wrong.square(grouped(rows)));
  if (!isInLayer(step)) add(`${step.value} * ${layers}`, wrong.onceTable);
}

/** Adds the error of counting biases that the part does not have, with one value per output. */
function addBiases({ tensors, value }: DerivedStep, add: Add) {
  const matrices = tensors.filter(({ shape, task }) => shape.length === 2 && !/embedding/.test(task));
  if (matrices.length === 0 || tensors.some(({ task }) => task.endsWith('bias'))) return;
  const outputs = matrices.map(({ shape, transposed }) => String(shape[transposed ? 1 : 0]));
  add(`${value} + ${outputs.join(' + ')}`, wrong.biases);
}

/** Wrong answers that are likely for any number. */
export const listLast = (expression: string): readonly WrongAnswer[] => [
  { value: `2 * (${expression})`, says: wrong.twice },
  { value: `int((${expression}) / 2)`, says: wrong.half },
  { value: 'parameters', says: wrong.wholeModel },
  { value: `3 * (${expression})`, says: wrong.triple },
  { value: `int((${expression}) / 4)`, says: wrong.quarter },
];

/** Returns the likely errors for a step that adds up other steps. `sum`: the terms of the step. `known`: all steps by name. */
export function listSumErrors(
  step: DerivedStep,
  sum: readonly string[],
  expression: string,
  known: ReadonlyMap<string, DerivedStep>,
): WrongAnswer[] {
  const out: WrongAnswer[] = [];
  const add: Add = (value, says) => out.push({ value, says });
  const names = (text: string, name: string) => new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(?![\\w.])`).test(text);
  const named = [...known.values()].filter(({ name }) => names(expression, name));
  if (step.kind === 'active') addActive(known, add);
  if (isInLayer(step)) add(`(${expression}) * ${step.copies}`, wrong.allLayers(grouped(step.copies as Count)));
  for (const term of sum.length > 1 ? sum.slice(0, MAX_TENSORS) : []) {
    const line = named.find(({ name }) => names(term, name));
    add(sum.filter((one) => one !== term).join(' + '), wrong.missingLine(line ? lineName(line.says) : term));
  }
  const layer = named.find(({ kind }) => kind === 'layer');
  if (step.kind === 'layers' && layer) addLayers(layer, expression, known, add);
  for (const term of sum.length > 1 ? sum : []) {
    const line = known.get(term);
    if (line) add(`${expression} + ${term}`, wrong.lineTwice(lineName(line.says)));
  }
  for (const one of known.values())
    if (one.kind === 'part' && !named.includes(one) && one.value !== '0' && (one.layers === undefined) !== (step.kind === 'layer'))
      add(`${expression} + ${one.name}`, wrong.lineTooMuch(lineName(one.says)));
  return [...out, ...listLast(expression)].slice(0, MAX_READ);
}

/** Adds the likely errors in subtracting the inactive experts. */
function addActive(known: ReadonlyMap<string, DerivedStep>, add: Add) {
  add('parameters', wrong.allParameters);
  const idle = known.get('idle');
  const experts = [...known.values()].find(({ part, active }) => part === 'experts' && active !== undefined);
  if (!idle) return;
  add('idle', wrong.idle);
  add('parameters + idle', wrong.idleAdded);
  if (!experts) return;
  add(`int(parameters * ${experts.active} / ${experts.experts})`, wrong.shareOfModel);
  add(`parameters - ${experts.name} * ${experts.copies ?? '1'}`, wrong.allExpertsAway(grouped(experts.active as Count)));
}

/** Adds the likely errors in multiplying a layer by the number of layers. */
function addLayers(layer: DerivedStep, expression: string, known: ReadonlyMap<string, DerivedStep>, add: Add) {
  add(layer.name, wrong.oneLayer(grouped(layer.copies as Count)));
  for (const part of known.values())
    if (part.kind === 'part' && part.list === layer.list && part.layers === layer.layers && part.copies === layer.copies)
      add(`${expression} - ${part.copies ?? '1'} * ${part.name}`, wrong.missingInLayers(lineName(part.says)));
  add(`${expression} - ${layer.name}`, wrong.oneLess);
  add(`${expression} + ${layer.name}`, wrong.oneMore);
}
