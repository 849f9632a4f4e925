// Kolibri: a mixture of experts with a shared expert in each layer, norms before and after each block, and QK-Norm.
// Source: transformers, models/kolibri1; names as in conversion_mapping.py.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2560), n_layers = c.integer("num_hidden_layers", 50), vocab = c.integer("vocab_size", 128000);
  const Expr n = c.integer("num_attention_heads", 48, 1), n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", 128);
  Mixture m = mixture_fields(c, d, {.count = 384, .active = 6, .inner = 512, .count_field = "num_local_experts"});
  m.shared = c.integer("shared_expert_intermediate_size", 512);
  const Attention a{.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .head_norms = QkNorm::per_head};
  return sparse_decoder(b,
                        {.sizes = {.d = d, .f = {}, .n_layers = n_layers, .vocab = vocab, .n = n},
                         .feed_forward = {.layers = {all(n_layers), {}}, .mixture = m},
                         .norms = {"input_layernorm", "post_attn_norm", "post_attention_layernorm", "post_ffn_norm"}},
                        [&] {
                          b.repeat("layers", all(n_layers), [&] {
                            attention(b, "self_attn", a);
                            b.part(Part::router, [&] { b.buffer("moe.router.expert_bias", {m.count}); });
                          });
                        });
}

}  // namespace

extern const Family kolibri1{
    .model_type = "kolibri1",
    .summary = "Mixture of experts with a shared expert in each layer; QK-Norm, pre- and post-norms.",
    .classes = {"Kolibri1", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::every(513, 5),
};

}  // namespace param_ledger
