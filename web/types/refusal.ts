// Why something is not answered.

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

/** What is refused on purpose, though transformers builds something: CONTRIBUTING.md says which configurations each of them is. */
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
    /** The field it is about; empty for the text as a whole. */
    readonly field: string;
    readonly message: string;
    readonly kind?: RefusedKind;
    /** For `malformed_json`: where, from 1. */
    readonly line?: number;
    readonly column?: number;
    /** Where a name was probably mistyped: the names that may have been meant. */
    readonly nearest?: readonly string[];
  };
}
