// Qwen3-Next and Qwen3.5, text: Gated DeltaNet and, by default in every fourth layer, gated attention. The feed-forward blocks are Qwen3's
// or, with an added shared expert, Qwen3-MoE's. Source: transformers, models/qwen3_next, qwen3_5, qwen3_5_moe.

#include "core/nn/text/qwen.hpp"

namespace param_ledger {

namespace {

BackboneOutput hybrid(Config c, Builder& b, const DecoderSizes& s, std::uint64_t kv_heads, bool fused,
                      const SparseFeedForward& feed_forward) {
  const Attention gated_attention = gated_attention_fields(c, s, kv_heads);
  GatedDelta delta = gated_delta_fields(c, s.d);
  delta.fused = fused;
  const Expr interval = c.integer("full_attention_interval", 4, 1);
  const Split layers = linear_layers(c, s.n_layers, [&](std::size_t i) { return (i + 1) % interval.decide() == 0; });
  return sparse_decoder(b, {s, feed_forward}, [&] {
    b.repeat("layers", layers.in, [&] { gated_delta(b, "linear_attn", delta); });
    b.repeat("layers", layers.out, [&] { attention(b, "self_attn", gated_attention); });
  });
}

BackboneOutput next(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 5632, 48, 151936, 16});
  const Mixture experts = gated_experts_fields(c, s.d, 512, 10);
  return hybrid(c, b, s, 2, true, {.layers = sparse_layers(c, s.n_layers), .mixture = experts, .dense = s.f});
}

BackboneOutput dense(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 12288, 32, 248320, 16});
  return hybrid(c, b, s, 4, false, {.layers = {{}, all(s.n_layers)}, .mixture = {.hidden = s.d}, .dense = s.f});
}

BackboneOutput sparse(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {.hidden = 2048, .layers = 40, .vocabulary = 248320, .heads = 16});
  return hybrid(c, b, s, 2, false, {.layers = {all(s.n_layers), {}}, .mixture = gated_experts_fields(c, s.d, 256, 8)});
}

constexpr Architecture dense_classes[] = {
    {"Qwen3_5ForCausalLM", Head::causal_lm, "model"},
    {"Qwen3_5TextModel", Head::none, ""},
    {"Qwen3_5TextForSequenceClassification", Head::sequence_classification, "model"},
};
constexpr Architecture sparse_classes[] = {
    {"Qwen3_5MoeForCausalLM", Head::causal_lm, "model"},
    {"Qwen3_5MoeTextModel", Head::none, ""},
};

}  // namespace

extern const Family qwen3_next{
    .model_type = "qwen3_next",
    .summary = "Hybrid of Gated DeltaNet and gated attention; mixture of experts with a shared expert.",
    .classes = {"Qwen3Next", heads::all, "model", "transformer"},
    .backbone = next,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::apart, .field = "mtp_num_hidden_layers"},
    .peft = PeftExperts::converted,
};
extern const Family qwen3_5_text{
    .model_type = "qwen3_5_text",
    .summary = "Like Qwen3-Next, with dense MLPs.",
    .classes = {.listed = dense_classes},
    .backbone = dense,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::apart, .field = "mtp_num_hidden_layers"},
};
extern const Family qwen3_5_moe_text{
    .model_type = "qwen3_5_moe_text",
    .summary = "Like Qwen3-Next, with experts in each layer.",
    .classes = {.listed = sparse_classes},
    .backbone = sparse,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::apart, .field = "mtp_num_hidden_layers"},
};

}  // namespace param_ledger
