// Qwen3-MoE: like Qwen3, with a mixture of experts in the layers that mlp_only_layers and decoder_sparse_step select. Source: transformers,
// models/qwen3_moe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "num_experts"}};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 6144, 24, 151936, 32});
  const Attention a = attention_fields(c, s, fixed(4), attribute, {.head_norms = QkNorm::per_head});
  const Mixture m = mixture_fields(c, s.d, {.count = 128, .active = 8, .inner = 768, .count_field = "num_experts"});
  return sparse_decoder(b, {s, {.layers = sparse_layers(c, s.n_layers), .mixture = m, .dense = s.f}}, a);
}

}  // namespace

extern const Family qwen3_moe{
    .model_type = "qwen3_moe",
    .summary = "Like Qwen3, with a mixture of experts in all or some layers.",
    .classes = {"Qwen3Moe", heads::all, "model", "transformer"},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::windows({.layers = Window::Layers::all, .size = 4096, .switched = true}),
    .peft = PeftExperts::converted,
};

}  // namespace param_ledger
