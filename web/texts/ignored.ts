// Why a field affects no tensor, keyed by the field's name in config.json.

/** The reason for a field without a specific one. */
export const general = 'No tensor’s shape depends on this field.';

const REASONS: readonly (readonly [field: RegExp, reason: string])[] = [
  [/^(rope_|rotary_)/, 'RoPE rotates queries and keys by fixed angles; it has no learned parameters.'],
  [/_(eps|epsilon)$/, 'A constant that keeps the norm from dividing by zero; it is not learned.'],
  [/window/, 'A window changes only the attention mask; the projections stay the same.'],
  [/^(hidden_act|hidden_activation|activation_function)$/, 'No tensor’s shape depends on the activation.'],
  [/(dropout|_pdrop|layerdrop)$/, 'Dropout is a random mask during training; it has no parameters.'],
  [
    /^(max_position_embeddings|n_positions|max_seq_len|seq_length|model_max_length)$/,
    'In this model, no tensor’s shape depends on the context length.',
  ],
  [/^(initializer_|init_)/, 'It affects the initial values of the weights, not their number.'],
  [/^(torch_)?dtype$/, 'The data type changes the size in bytes, not the number of parameters.'],
  [/^use_cache$/, 'A cache holds activations, not parameters.'],
  [/_token_id$/, 'It is the id of a token; the number of rows of the embedding table is vocab_size.'],
];

/**
 * The reason to show for an ignored field. `reason` is the core's reason, if it gives one. If that is a general reason and this file has
 * one for the field, the one in this file is shown.
 */
export const whyIgnored = (field: string, reason: string | undefined): string | undefined =>
  reason === general ? (REASONS.find(([pattern]) => pattern.test(field.replace(/^.*\./, '')))?.[1] ?? general) : reason;
