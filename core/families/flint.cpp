// Flint: like Qwen3-MoE, with a shared expert, a learned attention sink per head and, by default, two dense first layers.
// Source: transformers, models/flint; names as in conversion_mapping.py.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 6144, 49, 150144, 32});
  const Attention a =
      attention_fields(c, s, fixed(4), fixed(128), {.head_norms = QkNorm::per_head, .sinks = true, .sinks_name = "softmax_offset"});
  Mixture m =
      mixture_fields(c, s.d, {.count = 256, .active = 6, .inner = 512, .count_field = "num_experts"}, {.shared_name = "shared_expert"});
  m.shared = c.integer("shared_expert_intermediate_size", 1024);
  return sparse_decoder(b, {s, {.layers = sparse_layers(c, s.n_layers, {0, 1}), .mixture = m, .dense = s.f}}, a);
}

/// Whether a layer has a sliding window in a configuration without layer_types.
bool slides(Config /*c*/, std::size_t layer, std::size_t n_layers) { return layer >= 2 && layer % 4 != 1 && layer + 1 != n_layers; }

}  // namespace

extern const Family flint{
    .model_type = "flint",
    .summary = "Like Qwen3-MoE, with a shared expert, attention sinks and dense first layers.",
    .classes = {"Flint", heads::decoder},
    .backbone = backbone,
    .cache = caches::listed(513, slides),
};

}  // namespace param_ledger
