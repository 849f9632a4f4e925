// Ovis 2: a SigLIP-like vision transformer with RMSNorm and gated feed-forward blocks. It maps each square of hidden_stride × hidden_stride
// patches to a distribution over visual tokens, which have their own embedding table. Source: transformers, models/ovis2.

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

/// Records the vision tower. Returns the size of the visual vocabulary.
Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  const bool qkv_bias = c.flag("qkv_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const VisionLayers m = vision_fields(c, {1024, 2816, 24, 8},
                                       {.attention = {.qkv_bias = qkv_bias, .output_bias = qkv_bias, .o = "out_proj"},
                                        .attention_name = "attention",
                                        .mlp_name = "ffn",
                                        .norm1 = "rms_norm1",
                                        .norm2 = "rms_norm2",
                                        .norm = Norm::rms,
                                        .gated = true,
                                        .mlp_bias = mlp_bias});
  const Expr d = m.attention.hidden;
  const Image image = image_fields(c, 224, 14);
  const Expr vocab = c.integer("vocab_size", 16384), indicators = c.integer("num_visual_indicator_tokens", 5);
  const Expr stride = c.integer("hidden_stride", 1), words = vocab - indicators;
  b.scope("transformer", [&] {
    b.scope(Part::embedding, "embeddings", [&] {
      patch_embedding(b, "patch_embedding", image.channels, d, image.patch);
      embedding(b, "position_embedding", image.patches(), d, TensorRole::position_embedding);
      rms_norm(b, "rms_norm", d);
    });
    b.scope("encoder", [&] { vision_layers(b, m); });
    rms_norm(b, "rms_norm", d);
  });
  b.part(Part::output_head, [&] { linear(b, "head_linear", d * power(stride, 2), words); });
  layer_norm(b, "head_norm", words);
  return vocab;
}

BackboneOutput backbone(Config c, Builder& b) {
  Expr words;
  b.tower(Tower::vision, "vision_tower", [&] { words = vision(c.section("vision_config"), b); });
  // The width of the visual embeddings and both dimensions of an untied head are given at the top level, not in text_config.
  const Expr d = c.integer("hidden_size", 1536), vocab = c.integer("vocab_size", 151643);
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "qwen2");
  b.tower(Tower::projector, "", [&] { table(b, "visual_embeddings_table", words, d); });
  out.hidden = d;
  out.vocabulary = vocab;
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family ovis2{
    .model_type = "ovis2",
    .summary = "Vision-language model: any language model with visual tokens from a learned vocabulary.",
    .classes = {"Ovis2", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
