// A derivation: the parameter count written out step by step.

import type { Article } from './article.ts';
import type { Part, Role, SymbolRow } from './count.ts';
import type { DevicesOptions } from './devices.ts';
import type { Count, Formula } from './formula.ts';

/**
 * `part`: tensors of one part of the model, outside of all layers or within one layer. `layer`: the sum of one layer's parts. `layers`: the
 * sum over all kinds of layers in a list, each the size of a layer times the number of such layers. Other modules that are repeated in a
 * list count as layers, too. `subtotal`: part of a long sum. `tied`: tensors that share storage with others and are not counted again.
 * `idle`: the experts that a token does not use. `beside`: stored in published files only. `device`: what one device holds. `share`: an
 * even share of the model. `beyond`: what the device holds in excess of the even share.
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
  /**
   * Adds a section that derives what one device holds: the device with the given `rank` or, without a rank, the one that holds the most.
   */
  readonly devices?: DevicesOptions;
}

/**
 * The mechanism of a block, and the block's sizes. A member is absent if it does not apply, or if it is not the same for all tensors of the
 * block.
 */
export interface BlockFacts {
  readonly mechanism?: string;
  /** `cross`: the block is cross-attention. `shared_expert`: it is a shared expert. */
  readonly owner?: 'cross' | 'shared_expert';
  readonly heads?: Count;
  readonly kv_heads?: Count;
  /** Experts per layer, and the number of them that a token uses. */
  readonly experts?: Count;
  readonly active?: Count;
  /** The number of shared experts per layer, if the configuration gives it. */
  readonly shared?: Count;
  /** The most tokens that a query sees, for attention without a recorded cache. */
  readonly window?: Count;
  /**
   * How a gated feed-forward block combines gate and up projection, if both are clamped first: as usual (`clamped`), or as
   * (up + 1) · gate · sigmoid(α · gate) (`scaled`).
   */
  readonly gate?: 'clamped' | 'scaled';
  /** True if layers without an indexer of their own reuse the selection of this one. */
  readonly reused?: true;
  /** True if the block belongs to a multi-token-prediction layer, which is stored in published files only. */
  readonly predicted?: true;
}

/** The parameter count that the model would have without one of its design choices, or with a different one. */
export interface Counterfactual {
  /** The identifier: `multi_head`, `no_gate`, `tied`, `learned_positions`, … */
  readonly id: string;
  /** The field that is changed; absent if tensors are removed or added instead. */
  readonly field?: string;
  /**
   * The field's old and new value; for the field `multi_query`, the old and new number of key-value heads. Without `field`: the values in
   * which the designs differ, the sides of the table that is added, or absent.
   */
  readonly from?: string;
  readonly to?: string;
  readonly parameters: Count;
  /** The change in parameters: `+805306368`, `-4096`, `0`. */
  readonly difference: string;
  /** The parameters that a token would use. Absent if the configuration does not give the number of experts per token. */
  readonly active?: Count;
  /** The names of the tensors that the change concerns. They need not change in size. */
  readonly tensors: readonly string[];
  /** The counterfactual in one sentence. */
  readonly says: string;
}

/** One tensor of a step. */
export interface DerivedTensor {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  /** Each dimension as a formula. */
  readonly shape_math: readonly Formula[];
  /** The shape in symbols: `n·h × d`. */
  readonly shape_formula: string;
  /** In the section `device`: `vector` for a tensor of one dimension, else `matrix`. */
  readonly role: Role;
  /** What the tensor is for: `query`, `expert gate bias`; empty if unknown, and in the section `device`. */
  readonly task: string;
  /** True if a matrix is stored as [in, out]. */
  readonly transposed?: boolean;
  /** What the tensor does, in one sentence; in the section `device`, why it is divided as it is. */
  readonly says: string;
  /** The number of elements that the tensor adds to the step: those of all experts, and of one layer if the step is about one layer. */
  readonly value: Count;
  readonly math: Formula;
  readonly formula: string;
}

export interface DerivedStep extends BlockFacts {
  readonly kind: DerivedStepKind;
  /** The name that the formulas of later steps use for this step's value. */
  readonly name: string;
  readonly says: string;
  /** An explanation of the step, if it needs one. */
  readonly why?: string;
  /** Sentences about counterfactuals. Each is mentioned only in the step that contains most of the elements that it concerns. */
  readonly otherwise?: string;
  readonly part?: Part | 'experts' | 'projection' | 'scales';
  /** The module list that contains the layers: `model.layers`. */
  readonly list?: string;
  /** The indices of the layers in that list: `[3-60]`, `0`. */
  readonly layers?: string;
  /** The number of those layers. */
  readonly copies?: Count;
  readonly value: Count;
  readonly math: Formula;
  /** The formula in short symbols and names of earlier steps. */
  readonly formula: string;
  /** The formula with numbers instead of symbols. */
  readonly substitution: string;
  readonly tensors: readonly DerivedTensor[];
}

export interface DerivedSection {
  readonly section:
    'vision' | 'audio' | 'projector' | 'text' | 'rest' | 'shared' | 'encoder' | 'decoder' | 'total' | 'active' | 'files' | 'device';
  readonly title: string;
  readonly steps: readonly DerivedStep[];
}

/** The derivation of a model's parameter count. */
export interface Derivation {
  readonly ok: true;
  readonly model_type: string;
  readonly architecture: string;
  readonly parameters: Count;
  /** The fields and derived quantities that the formulas use. For a field: also where its value comes from. */
  readonly setting: readonly (SymbolRow & { readonly source?: 'given' | 'default' | 'derived' })[];
  readonly sections: readonly DerivedSection[];
  /** Where most of the parameters are, in a few sentences. */
  readonly overview: readonly string[];
  /** Other design choices and their effect on the count. Computed when this property is first read. */
  readonly counterfactuals: readonly Counterfactual[];
  /** Components that have no parameters, such as RoPE, each with the reason. */
  readonly without_parameters: readonly string[];
  /**
   * Facts that the explanations need: the activation function, whether the model type has rotary positions, the model type in `text_config`
   * or else of the whole configuration, whether that type is `llama`, whether the class is a `…ForCausalLM`, whether the class generates
   * tokens with a key-value cache, and the task of a class with a head for question answering, token classification or multiple choice.
   * Absent or undefined if a fact is unknown or false; `type` is empty if the configuration names none.
   */
  readonly config: {
    readonly activation?: string;
    readonly rotary?: boolean;
    readonly type?: string;
    readonly meta?: boolean;
    readonly causal?: boolean;
    readonly caches?: boolean;
    readonly task?: 'answers' | 'tokens' | 'choices';
  };
  /** Every name in the formulas: fields, derived quantities and steps. */
  readonly symbols: readonly SymbolRow[];
  /** The derivation, without the section `device`, as a worked article. `ledger.article` judges each of its steps right. */
  readonly article: Article;
}
