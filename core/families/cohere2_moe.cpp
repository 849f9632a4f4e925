// Command A+: like Cohere 2, with attention and feed-forward in parallel after one norm. The layers that mlp_layer_types lists as sparse
// have a mixture of experts; by default all except the first first_k_dense_replace. Source: transformers, models/cohere2_moe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {8192, 22528, 40, 256000, 64});
  const Attention a = attention_fields(c, s, Default{}, fixed(128));
  const Expr n_shared = c.integer("num_shared_experts", 0);
  Mixture m = mixture_fields(c, s.d, {.count = 8, .active = 2, .count_field = "num_experts"}, {.inner = s.f});
  m.shared_count = n_shared;
  if (!is_zero(n_shared)) m.shared = s.f * n_shared;
  const Expr n_dense = c.integer("first_k_dense_replace", 0), f_dense = c.integer("prefix_dense_intermediate_size", s.f);
  if (n_dense.decide() > s.n_layers.decide())
    c.refuse(ErrorCode::inconsistent, "first_k_dense_replace", "must not exceed num_hidden_layers.");
  BackboneOutput out =
      sparse_decoder(b,
                     {.sizes = s,
                      .feed_forward = {.layers = listed_sparse_layers(c, s.n_layers, n_dense), .mixture = m, .dense = f_dense},
                      .norm = is_given(c, "rms_norm_eps") ? Norm::rms : Norm::unbiased,
                      .norms = {"input_layernorm"}},
                     a);
  out.tie_by_default = true;
  return out;
}

/// Whether a layer has a sliding window in a configuration without layer_types.
bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) {
  const Count dense = peeked(c, "first_k_dense_replace", 0);
  const bool first = layer < dense;
  const Count period = first ? peeked(c, "prefix_dense_sliding_window_pattern", 1) : peeked(c, "sliding_window_pattern", 4);
  return ((first ? layer : layer - dense) + 1) % std::max<Count>(1, period) != 0;
}

}  // namespace

extern const Family cohere2_moe{
    .model_type = "cohere2_moe",
    .summary = "Like Cohere 2, with a mixture of experts and shared experts after the dense layers.",
    .classes = {"Cohere2Moe", heads::decoder},
    .backbone = backbone,
    .cache = caches::listed(4096, slides),
};

}  // namespace param_ledger
