// One sentence per counterfactual, keyed by the ids of the core (core/derivation/counterfactuals.hpp). `change` is, for example,
// "805,306,368 more parameters". `from` and `to` are the values that the counterfactual replaces and sets or, for `learned_positions`, the
// rows and columns of the table.

export interface Choice {
  readonly field: string;
  readonly from: string;
  readonly to: string;
  readonly change: string;
  readonly active: string;
  /** The subject of the sentence: the model, or the part of it whose number of parameters would change. */
  readonly what: string;
}

export const model = 'the model';
/** The subject if the model's towers also have such tensors, which the counterfactual leaves unchanged. */
export const thisPart = 'this part of the model';

const would = (condition: string) => (choice: Choice) => `${condition}, ${choice.what} would have ${choice.change}.`;

const withField = ({ field, from, to, what, change }: Choice) => `With ${field} = ${to} instead of ${from}, ${what} would have ${change}.`;

export const counterfactuals: Readonly<Record<string, (choice: Choice) => string>> = {
  multi_head: ({ from, to, what, change }) =>
    `With ${to} key-value heads instead of ${from}, one for each query head, ${what} would have ${change}.`,
  multi_query: would('With one key-value head for all query heads'),
  multi_head_in_some: withField,
  multi_query_in_some: withField,
  tied: would('With the embedding and the output head tied'),
  untied: ({ change }) => `The embedding and the output head are tied. Untied, the model would have ${change}.`,
  all_untied: ({ field, change }) => `With ${field} = false, no tensors would be tied, and the model would have ${change}.`,
  no_position_table: would('Without learned position embeddings'),
  no_relative_positions: would('Without the relative position bias'),
  learned_positions: ({ from, to, change }) =>
    `With a learned table of ${from} positions × ${to} dimensions instead of RoPE, the model would have ${change}.`,
  full_queries: ({ field, change }) => `Without the compression of queries (${field} = null), the model would have ${change}.`,
  no_output_gate: would('Without the gate on the attention output'),
  no_cross_attention: would('Without cross-attention'),
  no_cross_attention_layers: would('Without the layers with cross-attention'),
  no_cross_attention_and_norms: would('Without cross-attention and its norms'),
  no_indexer: would('Without the indexer'),
  no_query_norms: would('Without the norms on queries'),
  no_query_key_norms: would('Without the norms on queries and keys'),
  no_gate: would('Without gate projections, as in a plain MLP'),
  one_expert: ({ from, change }) =>
    `With one expert instead of ${from} in each of these layers, and no router, the model would have ${change}.`,
  twice_the_active_experts: ({ from, to, active }) =>
    `With ${to} experts for each token instead of ${from}, ${active} parameters would be active; the total would not change.`,
  no_shared_experts: would('Without shared experts'),
  twice_the_state: ({ from, to, change }) => `With a state dimension of ${to} instead of ${from}, the model would have ${change}.`,
  norms_with_shift: would('With a shift in each norm that has a scale, as in LayerNorm with biases'),
  norms_without_shift: would('Without the shifts of the LayerNorms, as in RMSNorm'),
  no_biases: would('Without biases in attention and feed-forward blocks'),
  no_attention_biases: would('Without biases in attention blocks'),
  no_feed_forward_biases: would('Without biases in feed-forward blocks'),
  no_pooler: would('Without the pooler'),
  no_masked_prediction: would('Without the prediction head’s own tensors'),
  no_classifier: would('Without the classification head'),
};

export const more = (count: string) => `${count} more parameters`;
export const fewer = (count: string) => `${count} fewer parameters`;
export const same = 'as many parameters';
