// A count written out, step by step.

import type { Article } from './article.ts';
import type { Part, Role, SymbolRow } from './count.ts';
import type { DevicesOptions } from './devices.ts';
import type { Count, Formula } from './formula.ts';

/**
 * `part`: tensors of one part, outside of layers or in one layer. `layer`: their sum. `layers`: that times how many there are. `tied`: shared
 * with others, not counted again. `idle`: of the experts what a token does not use. `beside`: held by published files beside the model. `device`:
 * what one device holds. `share`: an even share of the model. `beyond`: what the device holds beyond it.
 */
export type DerivedStepKind =
  | 'part'
  | 'layer'
  | 'layers'
  | 'section'
  | 'subtotal'
  | 'tied'
  | 'total'
  | 'idle'
  | 'active'
  | 'buffers'
  | 'beside'
  | 'files'
  | 'device'
  | 'share'
  | 'beyond';

export interface DeriveOptions {
  /** With a last section: what the heaviest of these devices holds, or the one of `rank`. */
  readonly devices?: DevicesOptions;
}

/** What a block is: its mechanism by the name that its paper gives it, and its numbers. What is not the same for all its tensors is missing. */
export interface BlockFacts {
  readonly mechanism?: string;
  /** `cross`: of cross-attention. */
  readonly owner?: 'cross' | 'shared_expert';
  readonly heads?: Count;
  readonly kv_heads?: Count;
  /** Experts of a layer, and how many of them a token uses. */
  readonly experts?: Count;
  readonly active?: Count;
  /** Whether it is of a layer for multi-token prediction, which published files hold. */
  readonly predicted?: true;
}

/** What the model would have without one of its choices, or with another one: a count of its own, by the core. */
export interface Counterfactual {
  /** Such as `multi_head`, `no_gate`, `tied`, `learned_positions`. */
  readonly id: string;
  /** The field that is changed; none where tensors are left out or added. */
  readonly field?: string;
  /** Its values, or those that the choice is about. */
  readonly from?: string;
  readonly to?: string;
  readonly parameters: Count;
  /** How many more these are: `+805306368`, `-4096`, `0`. */
  readonly difference: string;
  /** How many of them a token uses. */
  readonly active: Count;
  /** Names of the tensors that it is about. */
  readonly tensors: readonly string[];
  /** The same as a sentence. */
  readonly says: string;
}

/** A tensor in a step. */
export interface DerivedTensor {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  /** Its dimensions as formulas. */
  readonly shape_math: readonly Formula[];
  /** The same in symbols: `n·h × d`. */
  readonly shape_formula: string;
  readonly role: Role;
  /** What the core takes it for: `query`, `expert gate bias`; empty where it does not say. */
  readonly task: string;
  /** Whether a matrix is stored as inputs × outputs. */
  readonly transposed?: boolean;
  /** What it does. */
  readonly says: string;
  /** What it has in this step, of one layer where the step is: all experts of it. */
  readonly value: Count;
  readonly math: Formula;
  readonly formula: string;
}

export interface DerivedStep extends BlockFacts {
  readonly kind: DerivedStepKind;
  /** What later formulas call its value. */
  readonly name: string;
  readonly says: string;
  /** Why it is so, where there is more to say. */
  readonly why?: string;
  /** What the model would have with another choice here: the counterfactuals of these tensors that no step before has said. */
  readonly otherwise?: string;
  readonly part?: Part | 'experts' | 'projection' | 'scales';
  /** The list of layers that it is about: `model.layers`. */
  readonly list?: string;
  /** Which of them: `[3-60]`. */
  readonly layers?: string;
  /** How many these are. */
  readonly copies?: Count;
  readonly value: Count;
  readonly math: Formula;
  /** In short symbols and the names of steps before. */
  readonly formula: string;
  /** With numbers in their place. */
  readonly substitution: string;
  readonly tensors: readonly DerivedTensor[];
}

export interface DerivedSection {
  readonly section: 'vision' | 'audio' | 'projector' | 'text' | 'shared' | 'encoder' | 'decoder' | 'total' | 'active' | 'files' | 'device';
  readonly title: string;
  readonly steps: readonly DerivedStep[];
}

/** A count, derived step by step. */
export interface Derivation {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly parameters: Count;
  /** The fields that its formulas name, and where their values come from. */
  readonly setting: readonly (SymbolRow & { readonly source?: 'given' | 'default' | 'derived' })[];
  readonly sections: readonly DerivedSection[];
  /** Where the parameters sit, in a few sentences. */
  readonly overview: readonly string[];
  /** What the model would have with other choices, in the order of the forward pass. Counted when it is first read. */
  readonly counterfactuals: readonly Counterfactual[];
  /** What has no parameters, and why. */
  readonly without_parameters: readonly string[];
  /** What explanations take from the configuration besides numbers: its activation, and whether its norms are RMSNorm. */
  readonly config: {
    readonly activation?: string;
    readonly rms?: boolean;
    readonly rotary?: boolean;
    readonly type?: string;
    readonly meta?: boolean;
  };
  /** Every name of its formulas: fields, and steps. */
  readonly symbols: readonly SymbolRow[];
  /** The same as a worked article: `ledger.article` finds each of its steps right. */
  readonly article: Article;
}
