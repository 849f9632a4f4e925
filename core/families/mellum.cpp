// Mellum 2: like Qwen3-MoE, but mlp_layer_types lists the kind of each layer's feed-forward block.
// Source: transformers, models/mellum.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "num_experts"}};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2304, 7168, 28, 98304, 32});
  const Attention a = attention_fields(c, s, fixed(4), fixed(128), {.head_norms = QkNorm::per_head});
  const Mixture m = mixture_fields(c, s.d, {.count = 64, .active = 8, .inner = 896, .count_field = "num_experts"});
  return sparse_decoder(b, {s, {.layers = listed_sparse_layers(c, s.n_layers, sparse_everywhere(s.n_layers)), .mixture = m, .dense = s.f}},
                        a);
}

}  // namespace

extern const Family mellum{
    .model_type = "mellum",
    .summary = "Like Qwen3-MoE, with experts in all or some layers.",
    .classes = {"Mellum", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::listed(1024),
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
