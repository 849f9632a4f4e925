// Solar Open: like GLM-4.5, with a mixture of experts in each layer.
// Source: transformers, models/solar_open.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {.hidden = 4096, .layers = 48, .vocabulary = 196608, .heads = 64});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 128);
  const bool bias = c.flag("attention_bias", false);
  const Mixture m = mixture_fields(c, s.d, {.count = 128, .active = 8, .inner = 1280, .shared = 1}, {.correction = RouterBias::buffer});
  return sparse_decoder(b, {s, {.layers = sparse_everywhere(s.n_layers), .mixture = m}},
                        Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias});
}

}  // namespace

extern const Family solar_open{
    .model_type = "solar_open",
    .summary = "Like GLM-4.5, with experts in each layer.",
    .classes = {"SolarOpen", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
