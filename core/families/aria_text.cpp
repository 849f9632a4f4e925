// Aria's text model: like Llama, with a mixture of experts in each layer. The routed experts' weights are stacked and transposed.
// moe_num_shared_experts gives the number of shared experts.
// Source: transformers, models/aria.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 4096, 32, 32000, 32});
  const Attention a = attention_fields(c, s, Default{}, Default{});
  const bool mlp_bias = c.flag("mlp_bias", false);
  const Mixture m = mixture_fields(c, s.d,
                                   {.count = 8,
                                    .active = 2,
                                    .shared = 2,
                                    .count_field = "moe_num_experts",
                                    .active_field = "moe_topk",
                                    .shared_field = "moe_num_shared_experts"},
                                   {.inner = s.f,
                                    .layout = ExpertLayout::stacked_transposed,
                                    .down = "fc2.weight",
                                    .gate_up = "fc1.weight",
                                    .router = "router",
                                    .shared_bias = mlp_bias});
  require_multiple(s.d, s.n);
  return sparse_decoder(b, {s, {.layers = sparse_everywhere(s.n_layers), .mixture = m}}, a);
}

}  // namespace

extern const Family aria_text{
    .model_type = "aria_text",
    .summary = "Like Llama, with a mixture of experts and shared experts in each layer.",
    .classes = {"AriaText", heads::decoder},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
