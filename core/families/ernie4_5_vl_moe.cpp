// ERNIE 4.5-VL: ERNIE 4.5 with two mixtures of experts, one for text and one for images, in all layers that are not dense, and a vision
// transformer. Its output for neighbouring patches and frames is merged.
// Source: transformers, models/ernie4_5_vl_moe.

#include "core/builder/inference.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/qwen_vision.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "moe_num_experts"}, {"num_experts_per_tok", "moe_k"}};

/// Records the routers, the experts for text, the experts for images (which follow in the same list) and the shared experts, if there are
/// any.
void mixtures(Builder& b, const Mixture& m, Expr seen_inner) {
  b.scope("mlp", [&] {
    b.part(Part::router, [&] {
      for (const Text name : {"gate.weight", "gate.weight_1"})
        b.scope(name == "gate.weight" ? TensorRole::router : TensorRole::unspecified, "", [&] {
          b.parameter(name, {m.hidden, m.count}, StorageKind::matrix);
        });
      record_skipped_macs(b, m.hidden * m.count);  // text tokens do not use the second router
      b.parameter("moe_statics.e_score_correction_bias", {b.pool().literal(2), m.count});
    });
    routed_experts(b, m);
    b.part(Part::feed_forward, [&] {
      // The experts for images are not used for text tokens.
      b.repeat_experts("experts", between(m.count, 2 * m.count), b.pool().literal(0), [&] { gated_mlp(b, "", m.hidden, seen_inner); });
    });
    if (!m.shared) return;
    b.owned_by(Owner::shared_expert, [&] {
      const InBlock block(b, {.shared = m.shared_count});
      gated_mlp(b, "shared_experts", m.hidden, m.shared, m.shared_bias);
    });
  });
}

BackboneOutput text_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2560, 12288, 28, 103424, 20});
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  const bool bias = c.flag("use_bias", false, Null::allowed);
  Mixture m =
      mixture_fields(c, s.d, {.count = 64, .active = 6, .count_field = "moe_num_experts", .active_field = "moe_k"}, {.shared_bias = bias});
  const std::vector<Expr> inner = c.dimensions("moe_intermediate_size", {1536, 512});
  const Expr n_shared = c.integer("moe_num_shared_experts", 2);
  const Split layers = listed_sparse_layers(c, s.n_layers, c.literal(1));
  if (!layers.in.empty()) {
    if (inner.size() < 2) c.refuse(ErrorCode::inconsistent, "moe_intermediate_size", "must have a width for text and one for images.");
    m.inner = inner[0];
    m.shared_count = n_shared;
    if (n_shared.decide() > 0) m.shared = m.inner * n_shared;
  }
  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", s.d);
      attention(b, "self_attn", {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
      rms_norm(b, "post_attention_layernorm", s.d);
    });
    b.repeat("layers", layers.out, [&] { gated_mlp(b, "mlp", s.d, s.f, bias); });
    b.repeat("layers", layers.in, [&] { mixtures(b, m, inner[1]); });
  });
}
constexpr Family text_model{
    .aliases = aliases,
    .backbone = text_backbone,
    .cache = caches::all_tokens,
};

/// Records the vision tower. Returns the total width of the neighbouring patches that are merged into one token.
Expr vision(Config c, Builder& b) {
  QwenVision m = qwen_vision_fields(c, "hidden_size", {1280, 32, 14, 16, 0});
  m.layers.inner = c.integer("intermediate_size", 5120);
  m.layers.up = "fc1";
  m.layers.down = "fc2";
  const Expr d = m.layers.attention.hidden;
  b.part(Part::embedding, [&] { linear(b, "patch_embed.proj", m.channels * power(m.patch, 2), d); });
  vision_layers(b, m.layers);
  layer_norm(b, "ln", d);
  return m.merged;
}

BackboneOutput backbone(Config c, Builder& b) {
  Config seen = c.section("vision_config").with(qwen_vision_aliases);
  Expr merged;
  b.tower(Tower::vision, "vision_model", [&] { merged = vision(seen, b); });
  const Expr frames = seen.integer("temporal_merge_size", 2);
  BackboneOutput out = nested(c.section("text_config"), b, "", text_model);
  const auto layers = [&](Text name, Expr in) {
    b.scope(name, [&] {
      linear(b, "0", in, merged, true);
      linear(b, "2", merged, merged, true);
      layer_norm(b, "3", merged);
    });
  };
  b.tower(Tower::projector, "resampler_model", [&] {
    layers("spatial_linear", merged);
    layers("temporal_linear", frames * merged);
    linear(b, "mlp", merged, out.hidden, true);
    rms_norm(b, "after_norm", out.hidden);
  });
  out.tie_by_default = true;
  return out;
}

constexpr Architecture old_names[] = {{"Ernie4_5_VL_MoeForConditionalGeneration", Head::conditional_generation, "model"},
                                      {"Ernie4_5_VL_MoeModel", Head::none, ""}};

}  // namespace

extern const Family ernie4_5_vl_moe{
    .model_type = "ernie4_5_vl_moe",
    .summary = "Vision-language ERNIE 4.5 with separate text and vision experts.",
    .classes = {"Ernie4_5_VLMoe", heads::conditional | heads::base, "model", {}, old_names},
    .backbone = backbone,
};

}  // namespace param_ledger
