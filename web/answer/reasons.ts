// Explains a term of the closed formula in sentences with the model's own numbers. The core computes the counterfactuals in them.

import { explainBlock } from './explanations.ts';
import type { Term } from './terms.ts';
import type { Derivation, DerivedTensor, TensorRow } from '../types/index.ts';

/** Explains a term. Without a derivation, nothing is known but the names, shapes, roles and parts of the tensors. */
export function explainTerm(term: Pick<Term, 'rows'>, derivation?: Derivation): string {
  const tensors = listTensors(derivation);
  const [only] = term.rows;
  const one = term.rows.length === 1 ? tensors.get(only.name)?.says : undefined;
  const sentences = one === undefined ? explainRows(term.rows, derivation) : [one];
  return [...sentences, ...describeChoices(term.rows, derivation)].filter(Boolean).join(' ');
}

const listTensors = (derivation?: Derivation): ReadonlyMap<string, DerivedTensor> =>
  new Map(derivation?.sections.flatMap(({ steps }) => steps.flatMap(({ tensors }) => tensors)).map((tensor) => [tensor.name, tensor]));

/** Explains each block that some of these tensors belong to, as if it contained no others. */
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

/** Sentences about counterfactuals that change some of these tensors, at most MAX_CHOICES. */
const describeChoices = (rows: readonly TensorRow[], derivation?: Derivation) =>
  (derivation?.counterfactuals ?? [])
    .filter(({ tensors }) => rows.some(({ name }) => tensors.includes(name)))
    .slice(0, MAX_CHOICES)
    .map(({ says }) => says);
const MAX_CHOICES = 2;
