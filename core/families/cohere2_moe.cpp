// Command A+: as Cohere 2, attention and feed-forward side by side behind one norm, with a mixture of experts after the first
// first_k_dense_replace layers.
// Source: transformers, models/cohere2_moe.

#include "core/families.hpp"
#include "core/sparse_decoders.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {8192, 22528, 40, 256000, 64});
  const Attention a = attention_fields(c, s, Default{}, fixed(128));
  const Expr n_shared = c.integer("num_shared_experts", 0);
  Mixture m = mixture_fields(c, s.d, {.count = 8, .active = 2, .count_field = "num_experts"}, {.inner = s.f});
  if (n_shared.value() > 0) m.shared = s.f * n_shared;
  const Expr n_dense = c.integer("first_k_dense_replace", 0), f_dense = c.integer("prefix_dense_intermediate_size", s.f);
  if (n_dense.value() > s.n_layers.value())
    c.refuse(ErrorCode::inconsistent, "first_k_dense_replace", "must not exceed num_hidden_layers.");
  Backbone out = sparse_decoder(b,
                                {.sizes = s,
                                 .feed_forward = {.layers = listed_sparse_layers(c, s.n_layers, n_dense), .mixture = m, .dense = f_dense},
                                 .norms = {"input_layernorm"}},
                                a);
  out.tie_by_default = true;
  return out;
}

}  // namespace

const Family cohere2_moe{
    "cohere2_moe", "As Cohere 2, with routed and shared experts after dense first layers.", {"Cohere2Moe", heads::decoder}, {}, backbone};

}  // namespace param_ledger
