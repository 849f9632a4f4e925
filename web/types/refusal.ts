// Why a question is not answered.

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

/** Configurations that are refused on purpose although transformers builds something: CONTRIBUTING.md describes each kind. */
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
    /** The field concerned; empty for the whole text. */
    readonly field: string;
    readonly message: string;
    readonly kind?: RefusedKind;
    /** For `malformed_json`: the position, from 1. */
    readonly line?: number;
    readonly column?: number;
    /** The names that were probably meant, if one was mistyped. */
    readonly nearest?: readonly string[];
  };
}
