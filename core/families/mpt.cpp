// MPT: one projection for query, key and value, two-matrix feed-forward, no biases at all; positions are told by ALiBi.
// Source: transformers, models/mpt.

#include "core/blocks/attention.hpp"
#include "core/blocks/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Architecture also[] = {{"MPTForCausalLM", Head::causal_lm, "transformer"}};  // of the first published configs

constexpr Alias aliases[] = {{"num_attention_heads", "n_heads"}, {"hidden_size", "d_model"}, {"num_hidden_layers", "n_layers"}};

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 2048), n_layers = c.integer("n_layers", 24), n = c.integer("n_heads", 16, 1);
  const Expr vocab = c.integer("vocab_size", 50368);
  c.ignore("expansion_ratio", "The feed-forward block is always four times as wide as the hidden size.");
  const Tensor table = embedding(b, "wte", vocab, d);
  b.repeat("blocks", all(n_layers), [&] {
    require_positive(d);
    rms_norm(b, "norm_1", d);  // layer norms without bias
    attention(b, "attn", {.hidden = d, .heads = n, .even_share = false, .scaled_by_head_dim = false, .fused = "Wqkv", .o = "out_proj"});
    rms_norm(b, "norm_2", d);
    mlp(b, "ffn", d, 4 * d);
  });
  rms_norm(b, "norm_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .token_classifier = "classifier"};
}

}  // namespace

extern const Family mpt{
    .model_type = "mpt",
    .summary = "Multi-head attention in one projection, two-matrix feed-forward, no biases, tied head.",
    .classes = {.prefix = "Mpt", .heads = heads::all, .backbone = "transformer", .listed = also},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
