// ModernVBERT and UltraVBERT: a text encoder with a vision tower, by default SigLIP's. Neighbouring patches are concatenated and projected
// to the width of the text tokens.
// Source: transformers, models/modernvbert, ultravbert, conversion_mapping.py.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

BackboneOutput joined(Config c, Builder& b, const BackboneOutput& tower, Text type, bool normed) {
  const Expr features = power(c.integer("pixel_shuffle_factor", 4, 1), 2) * tower.hidden;
  Config text = c.section("text_config");
  require_type(text, type);
  BackboneOutput out = nested_auto(text, b, "text_model", type);
  b.tower(Tower::projector, "connector", [&] {
    linear(b, "modality_projection", features, out.hidden);
    if (normed) rms_norm(b, "norm", out.hidden);
  });
  out.tie_by_default = false;
  out.language_model = {};
  return out;
}

BackboneOutput modern_backbone(Config c, Builder& b) {
  const BackboneOutput tower =
      vision_tower(c.section("vision_config"), b, "vision_model", {"siglip_vision_model", "clip_vision_model", "pixtral"});
  return joined(c, b, tower, "modernbert", false);
}

void modern_head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  if (kind == Head::none) return;
  Config text = c.section("text_config");
  const bool bias = text.flag("classifier_bias", false), norm_bias = text.flag("norm_bias", false);
  b.scope(Part::output_head, kind == Head::masked_lm ? "projection_head" : "head", [&] {
    linear(b, "dense", m.hidden, m.hidden, bias);
    norm(b, norm_bias ? Norm::layer : Norm::unbiased, "norm", m.hidden);
  });
  if (kind != Head::masked_lm) return classifier(c, b, "classifier", m.hidden);
  BackboneOutput biased = m;
  biased.language_model_bias = text.flag("decoder_bias", true);
  language_model_head(c, b, biased);
}

BackboneOutput base_tower(Config c, Builder& b) {
  const BackboneOutput out{.hidden = siglip_encoder(c, b, {768, 3072, 12, 12, 224, 16}).attention.hidden};
  layer_norm(b, "post_layernorm", out.hidden);
  return out;
}
constexpr Family unnamed{
    .backbone = base_tower,
};

BackboneOutput ultra_backbone(Config c, Builder& b) {
  const BackboneOutput tower = vision_tower_or(c, b, "vision_model", {"siglip_vision_model", "clip_vision_model", "pixtral"}, unnamed);
  return joined(c, b, tower, "ultrabert", true);
}

void ultra_head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  if (kind == Head::none) return;
  if (kind != Head::masked_lm) return classifier(c, b, "classifier", m.hidden);
  const Expr inner = c.section("text_config").integer("prediction_head_size", 768);
  b.scope(Part::output_head, "head", [&] {
    linear(b, "linear1", m.hidden, inner);
    linear(b, "linear2", inner, m.hidden);
  });
  BackboneOutput named = m;
  named.language_model = "head.decoder";
  language_model_head(c, b, named);
}

constexpr unsigned classes = heads::base | heads::masked | heads::sequence | heads::token;

}  // namespace

extern const Family modernvbert{
    .model_type = "modernvbert",
    .summary = "Vision-language encoder: ModernBERT with SigLIP.",
    .classes = {"ModernVBert", classes},
    .backbone = modern_backbone,
    .head = modern_head,
};
extern const Family ultravbert{
    .model_type = "ultravbert",
    .summary = "Vision-language encoder: UltraBERT with SigLIP.",
    .classes = {"UltraVBert", classes},
    .backbone = ultra_backbone,
    .head = ultra_head,
};

}  // namespace param_ledger
