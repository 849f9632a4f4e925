// What stands under the picture.

export const hint = 'Point at a part of the picture, tap it or go there with Tab: what it is, and why it is that large.';
export const one = (name: string, product: string, total: string, share: string) => `${name}, ${product} = ${total}, ${share}.`;
export const several = (name: string, total: string, share: string) => `${name}, ${total}, ${share}.`;

/** What a tensor is for, by the last word of its module's name. */
export const purposes: readonly (readonly [name: RegExp, purpose: string])[] = [
  [/^(q_proj|query|q|wq)$/, 'Makes the queries: what each token looks for.'],
  [/^(k_proj|key|k|wk)$/, 'Makes the keys: by what each token is found.'],
  [/^(v_proj|value|v|wv)$/, 'Makes the values: what is passed on of a token that is found.'],
  [/^(qkv_proj|c_attn|query_key_value|in_proj_weight|Wqkv|qkv)$/, 'Makes queries, keys and values in one.'],
  [/^(o_proj|out_proj|wo)$/, 'Brings what the heads found back to the stream.'],
  [/^(gate_proj|w1)$/, 'Decides how much of what is widened passes.'],
  [/^(up_proj|w3|c_fc|fc1)$/, 'Widens the stream for the feed-forward block.'],
  [/^(down_proj|w2|fc2)$/, 'Narrows it again to the width of the stream.'],
  [/^(embed_tokens|wte|word_embeddings|shared)$/, 'A row for each token of the vocabulary.'],
  [/^lm_head$/, 'A score for each token of the vocabulary.'],
];
