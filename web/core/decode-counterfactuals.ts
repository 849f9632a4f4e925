// Converts a model's counterfactuals to their public form, and adds a sentence to each.

import { grouped } from '../support/numbers.ts';
import * as texts from '../texts/counterfactuals.ts';
import type { Counterfactual, DerivedStep } from '../types/index.ts';
import { countAll } from '../answer/overview.ts';
import { lazyProperty } from './lazy-properties.ts';

/** A counterfactual as the core writes it, without a sentence: core/derivation/counterfactuals.hpp. */
export type RawCounterfactual = Omit<Counterfactual, 'says'> & { readonly towers_keep?: true };

/** Decodes the counterfactuals, except those that change no tensor. */
const decodeCounterfactuals = (raw: readonly RawCounterfactual[]): readonly Counterfactual[] =>
  raw
    .filter(({ tensors }) => tensors.length > 0)
    .map((one) => {
      const { towers_keep: towersKeep, ...rest } = one;
      return { ...rest, says: describe(rest, towersKeep ? texts.thisPart : texts.model) };
    });

function describe({ id, field = '', from = '', to = '', difference, active = '' }: Omit<Counterfactual, 'says'>, what: string): string {
  const size = grouped(difference.replace(/^[+-]/, ''));
  const change = difference === '0' ? texts.same : (difference.startsWith('-') ? texts.fewer : texts.more)(size);
  return texts.counterfactuals[id]?.({ field, from: grouped(from), to: grouped(to), change, active: grouped(active), what }) ?? '';
}

/** The counterfactuals of a derivation, computed when they are first read. */
export class Choices {
  readonly #count: () => readonly RawCounterfactual[];
  readonly #steps: readonly DerivedStep[];
  #all?: readonly Counterfactual[];
  #sentences?: ReadonlyMap<string, string>;

  constructor(count: () => readonly RawCounterfactual[], steps: readonly DerivedStep[]) {
    this.#count = count;
    this.#steps = steps;
  }

  get all(): readonly Counterfactual[] {
    return (this.#all ??= decodeCounterfactuals(this.#count()));
  }

  /** The sentences by step name. A counterfactual is mentioned only in the step with the most elements in the tensors that it changes. */
  get sentences(): ReadonlyMap<string, string> {
    if (this.#sentences) return this.#sentences;
    const out = new Map<string, string>();
    for (const { tensors, says } of this.all) {
      const about = new Set(tensors);
      let step: DerivedStep | undefined;
      let most = 0n;
      for (const one of this.#steps.filter(({ kind }) => kind === 'part')) {
        const changed = one.tensors.filter(({ name }) => about.has(name)).reduce((sum, tensor) => sum + countAll(tensor), 0n);
        if (changed > most) [step, most] = [one, changed];
      }
      if (step) out.set(step.name, [out.get(step.name), says].filter(Boolean).join(' '));
    }
    return (this.#sentences = out);
  }
}

export const ALL = lazyProperty((choices: Choices) => choices.all);
export const OTHERWISE = lazyProperty((choices: Choices, { name }: DerivedStep) => choices.sentences.get(name));
