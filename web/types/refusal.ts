// Refusals: why a request cannot be answered.

export type ErrorCode =
  | 'malformed_json'
  | 'too_large'
  | 'too_deep'
  | 'unknown_architecture'
  | 'missing_field'
  | 'wrong_type'
  | 'out_of_range'
  | 'not_divisible'
  | 'inconsistent'
  | 'overflow'
  | 'unsupported'
  | 'not_loaded'
  | 'internal';

/**
 * Reasons for refusing a configuration, or one of its totals, on purpose although transformers can build a model from it. CONTRIBUTING.md
 * describes each of them.
 */
export type RefusedKind =
  | 'learned_activation'
  | 'no_experts'
  | 'no_heads'
  | 'unsaid_experts'
  | 'router_width'
  | 'list_length'
  | 'shared_layers'
  | 'two_spellings'
  | 'per_layer_config'
  | 'attribute_map'
  | 'label_keys'
  | 'listed_layers'
  | 'early_alias'
  | 'unwritable';

export interface Refusal {
  readonly ok: false;
  readonly error: {
    readonly code: ErrorCode;
    /** The field or option that the error is about, with dots if nested; empty if it is about no single one. */
    readonly field: string;
    readonly message: string;
    readonly kind?: RefusedKind;
    /** For `malformed_json`: the position of the error, counted from 1. The column counts UTF-16 code units. */
    readonly line?: number;
    readonly column?: number;
    /** If a model type, a class or an option is unknown or ambiguous: the names that may have been meant. */
    readonly nearest?: readonly string[];
  };
}
