// Phi-3-small: grouped-query attention with a fused projection, fused gate and up projections, layer norms, biases in attention and
// feed-forward, and a head that is tied by default. Source: modeling_phi3_small.py and configuration_phi3_small.py as published with the
// models. transformers has no model type for them.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

void inner_width(Config c, LlamaDecoder& m) {
  const Json multiplier = c.peek("ff_dim_multiplier");
  if (multiplier && !multiplier.is_null())
    c.refuse(ErrorCode::unsupported, "ff_dim_multiplier", "is not supported. Give ff_intermediate_size instead.");
  m.inner = c.integer("ff_intermediate_size", 14336);
}

constexpr LlamaType type{.sizes = {.hidden = 4096, .layers = 32, .vocabulary = 100352, .heads = 32},
                         .kv_heads = fixed(8),
                         .head_dim = absent,
                         .switches = inner_width,
                         .layout = {.attention = {.qkv_bias = true, .output_bias = true, .fused = "query_key_value", .o = "dense"},
                                    .mlp_bias = true,
                                    .feed_forward = FeedForward::gated_fused,
                                    .up = "up_proj",
                                    .norm = Norm::layer,
                                    .last_norm = "final_layernorm",
                                    .tied = true}};

BackboneOutput backbone(Config c, Builder& b) {
  const InBlock block(b, {.gate = Gate::scaled});
  return llama_type(c, b, type);
}

}  // namespace

extern const Family phi3small{
    .model_type = "phi3small",
    .summary = "Grouped-query attention, fused QKV projection, gated MLP, LayerNorm, biases, tied embeddings.",
    .classes = {"Phi3Small", heads::decoder | heads::sequence},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
