// A count written out, step by step.

import type { Article } from './article.ts';
import type { Part, Role, SymbolRow } from './count.ts';
import type { DevicesOptions } from './devices.ts';
import type { Count, Formula } from './formula.ts';

/**
 * `part`: tensors of one part, outside of layers or in one layer. `layer`: their sum. `layers`: that times the number of layers. `tied`:
 * shared with others, not counted again. `idle`: the experts that a token does not use. `beside`: stored in published files only. `device`:
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
  /** Adds a section: what the heaviest of these devices holds, or the one of `rank`. */
  readonly devices?: DevicesOptions;
}

/** The kind of a block, named as in its paper, and its sizes. Members that differ between its tensors are missing. */
export interface BlockFacts {
  readonly mechanism?: string;
  /** `cross`: cross-attention. */
  readonly owner?: 'cross' | 'shared_expert';
  readonly heads?: Count;
  readonly kv_heads?: Count;
  /** Experts per layer, and how many of them a token uses. */
  readonly experts?: Count;
  readonly active?: Count;
  /** Whether it belongs to a multi-token-prediction layer, which is stored in published files only. */
  readonly predicted?: true;
}

/** What the model would have without one of its choices, or with another one, as counted by the core. */
export interface Counterfactual {
  /** For example `multi_head`, `no_gate`, `tied`, `learned_positions`. */
  readonly id: string;
  /** The field that is changed; missing if tensors are left out or added. */
  readonly field?: string;
  /** Its old and new value, or the values that the choice is about. */
  readonly from?: string;
  readonly to?: string;
  readonly parameters: Count;
  /** The difference in parameters: `+805306368`, `-4096`, `0`. */
  readonly difference: string;
  /** How many of them a token uses. Missing if the configuration does not give the number of experts per token. */
  readonly active?: Count;
  /** The names of the tensors that it is about. */
  readonly tensors: readonly string[];
  /** The counterfactual in one sentence. */
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
  /** Its role: `query`, `expert gate bias`; empty if unknown. */
  readonly task: string;
  /** Whether a matrix is stored as [in, out]. */
  readonly transposed?: boolean;
  /** What it does, in one sentence. */
  readonly says: string;
  /** Its elements in this step, per layer if the step is about one layer, including all experts. */
  readonly value: Count;
  readonly math: Formula;
  readonly formula: string;
}

export interface DerivedStep extends BlockFacts {
  readonly kind: DerivedStepKind;
  /** The name that later formulas use for its value. */
  readonly name: string;
  readonly says: string;
  /** The reason, if there is more to say. */
  readonly why?: string;
  /** Counterfactuals of these tensors that no earlier step mentions. */
  readonly otherwise?: string;
  readonly part?: Part | 'experts' | 'projection' | 'scales';
  /** The list of layers: `model.layers`. */
  readonly list?: string;
  /** The layers of the list: `[3-60]`. */
  readonly layers?: string;
  /** The number of these layers. */
  readonly copies?: Count;
  readonly value: Count;
  readonly math: Formula;
  /** In short symbols and the names of earlier steps. */
  readonly formula: string;
  /** With numbers instead of symbols. */
  readonly substitution: string;
  readonly tensors: readonly DerivedTensor[];
}

export interface DerivedSection {
  readonly section:
    'vision' | 'audio' | 'projector' | 'text' | 'rest' | 'shared' | 'encoder' | 'decoder' | 'total' | 'active' | 'files' | 'device';
  readonly title: string;
  readonly steps: readonly DerivedStep[];
}

/** A count, derived step by step. */
export interface Derivation {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly parameters: Count;
  /** The fields in its formulas, and the origin of their values. */
  readonly setting: readonly (SymbolRow & { readonly source?: 'given' | 'default' | 'derived' })[];
  readonly sections: readonly DerivedSection[];
  /** Where the parameters are, in a few sentences. */
  readonly overview: readonly string[];
  /** The effect of other choices, in the order of the forward pass. Counted when first read. */
  readonly counterfactuals: readonly Counterfactual[];
  /** What has no parameters, with reasons. */
  readonly without_parameters: readonly string[];
  /** Facts from the configuration that explanations need: its activation, whether its norms are RMSNorm, and whether it predicts the next token. */
  readonly config: {
    readonly activation?: string;
    readonly rms?: boolean;
    readonly rotary?: boolean;
    readonly type?: string;
    readonly meta?: boolean;
    readonly causal?: boolean;
  };
  /** Every name in its formulas: fields, and steps. */
  readonly symbols: readonly SymbolRow[];
  /** The same as a worked article: `ledger.article` judges each of its steps right. */
  readonly article: Article;
}
