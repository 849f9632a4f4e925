// Qwen1.5-MoE and Qwen2-MoE: like Qwen2, with a mixture of experts in the layers that mlp_only_layers and decoder_sparse_step select, and
// with a gate on the shared expert's output. Source: transformers, models/qwen2_moe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 5632, 24, 151936, 16});
  const Expr n_kv = c.integer("num_key_value_heads", 16), h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  const bool bias = c.flag("qkv_bias", true);
  Mixture m = mixture_fields(c, s.d, {.count = 60, .active = 4, .inner = 1408, .count_field = "num_experts"},
                             {.shared_name = "shared_expert", .shared_gate = "shared_expert_gate"});
  m.shared = c.integer("shared_expert_intermediate_size", 5632);
  return sparse_decoder(b, {s, {.layers = sparse_layers(c, s.n_layers), .mixture = m, .dense = s.f}},
                        Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias});
}

/// Whether a layer has a sliding window in a configuration without layer_types.
bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) { return layer % 2 == 0 && layer < peeked(c, "max_window_layers", 28); }

}  // namespace

extern const Family qwen2_moe{
    .model_type = "qwen2_moe",
    .summary = "Like Qwen2, with a mixture of experts and a gated shared expert in all or some layers.",
    .classes = {"Qwen2Moe", heads::all},
    .backbone = backbone,
    .cache = caches::windows({.layers = Window::Layers::listed, .size = 4096, .switched = true, .slides = slides}),
    .peft = PeftExperts::parameters,
};

}  // namespace param_ledger
