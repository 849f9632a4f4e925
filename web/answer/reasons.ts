// Why a term of the closed formula is there, in a sentence with the model's own numbers. What another choice would cost, the core counts.

import { setField } from '../config/config-text.ts';
import { grouped } from '../support/numbers.ts';
import { explainBlock } from './explanations.ts';
import type { Term } from './terms.ts';
import * as reasonsTexts from './reasons-texts.ts';
import type { ParameterCounter } from './parameter-counter.ts';
import type { CountAnswer, Derivation, DerivedTensor, TensorRow } from '../types/index.ts';

/** `config`: what the answer is to; `counting`: for what would be otherwise; without a derivation of it the shapes are all that is said. */
export function explainTerm(
  term: Pick<Term, 'rows'>,
  answer: CountAnswer,
  config: string,
  counting: ParameterCounter,
  derivation?: Derivation,
): string {
  const tensors = listTensors(derivation);
  const [only] = term.rows;
  const one = term.rows.length === 1 ? tensors.get(only.name)?.says : undefined;
  const sentences = one === undefined ? explainRows(term.rows, derivation) : [one];
  return [...sentences, describeVariant(term.rows, tensors, answer, config, counting)].filter(Boolean).join(' ');
}

const listTensors = (derivation?: Derivation): ReadonlyMap<string, DerivedTensor> =>
  new Map(derivation?.sections.flatMap(({ steps }) => steps.flatMap(({ tensors }) => tensors)).map((tensor) => [tensor.name, tensor]));

/** The blocks that these tensors stand in, each said of the given tensors alone. */
function explainRows(rows: readonly TensorRow[], derivation?: Derivation): string[] {
  const left = new Map(rows.map((row) => [row.name, row]));
  const sentences: string[] = [];
  for (const step of derivation?.sections.flatMap(({ steps }) => steps) ?? []) {
    const tensors = step.tensors.filter(({ name }) => left.delete(name));
    if (tensors.length > 0) sentences.push(explainBlock({ ...step, part: step.part ?? 'embedding', tensors }, derivation?.config));
  }
  const parts = [...new Set([...left.values()].map(({ part }) => part))];
  for (const part of parts) {
    const tensors = [...left.values()].filter((row) => row.part === part).map((row) => ({ ...row, task: '' }));
    sentences.push(explainBlock({ part, tensors }));
  }
  return sentences;
}

/** What the term would be with one other choice: keys and values for every head, a head of its own or none. */
function describeVariant(
  rows: readonly TensorRow[],
  tensors: ReadonlyMap<string, DerivedTensor>,
  answer: CountAnswer,
  config: string,
  counting: ParameterCounter,
): string {
  const total = answer.totals.parameters;
  const field = (name: string) => answer.fields.find((row) => row.name === name || row.name.endsWith(`.${name}`));
  const otherwise = (path: string, literal: string) => {
    const text = setField(config, path, literal);
    const count = text === undefined ? undefined : counting(text);
    if (count === undefined || count === total) return undefined;
    const change = BigInt(count) - BigInt(total);
    return change > 0n ? reasonsTexts.more(grouped(change)) : reasonsTexts.fewer(grouped(-change));
  };
  const keys = answer.symbols.find(({ symbol, field: own }) => own && symbol === 'n_kv');
  const heads = answer.symbols.find(({ symbol, field: own }) => own && symbol === 'n');
  if (
    keys &&
    heads &&
    keys.value !== heads.value &&
    rows.some(({ name }) => /^(key|value|query, key and value)$/.test(tensors.get(name)?.task ?? ''))
  ) {
    const change = otherwise(field(keys.name)?.given_as ?? keys.name, heads.value);
    if (change) return reasonsTexts.grouped(grouped(keys.value), grouped(heads.value), change);
  }
  const tie = field('tie_word_embeddings');
  if (tie && rows.some(({ part }) => part === 'embedding')) {
    const change = otherwise(tie.name, String(tie.value !== true));
    if (change) return tie.value === true ? reasonsTexts.tied(change) : reasonsTexts.untied(change);
  }
  return '';
}
