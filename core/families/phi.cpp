// Phi 1 and 2: attention and an ungated feed-forward block in parallel after one norm, and biases in all linear layers, including lm_head.
// Source: transformers, models/phi.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

/// Records the query and key norms. Their width is hidden ÷ heads, regardless of head_dim.
void head_norms(Builder& b, const LlamaDecoder& m) {
  for (const Text name : {"self_attn.q_layernorm", "self_attn.k_layernorm"})
    layer_norm(b, name, floor_divide(m.attention.hidden, m.attention.heads));
}

constexpr LlamaType type{.sizes = {2048, 8192, 24, 51200, 32},
                         .head_dim = attribute,
                         .switches =
                             [](Config c, LlamaDecoder& m) {
                               if (c.flag("qk_layernorm", false)) m.more = head_norms;
                             },
                         .layout = {.attention = {.qkv_bias = true, .output_bias = true, .o = "dense"},
                                    .mlp_bias = true,
                                    .feed_forward = FeedForward::plain,
                                    .up = "fc1",
                                    .down = "fc2",
                                    .norms = parallel_norms,
                                    .norm = Norm::layer,
                                    .last_norm = "final_layernorm"}};

BackboneOutput backbone(Config c, Builder& b) {
  BackboneOutput out = llama_type(c, b, type);
  out.language_model_bias = true;
  return out;
}

}  // namespace

extern const Family phi{
    .model_type = "phi",
    .summary = "Parallel attention and ungated MLP with a shared norm, biases everywhere.",
    .classes = {"Phi", heads::decoder | heads::sequence | heads::token},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
