// LFM2-VL: SigLIP 2's vision tower, whose neighbouring patches are joined and projected into the tokens of an LFM2.
// Source: transformers, models/lfm2_vl.

#include "core/blocks/vision.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const Backbone tower = vision_tower(c.section("vision_config"), b, "vision_tower",
                                      {"siglip2_vision_model", "siglip_vision_model", "clip_vision_model", "pixtral"});
  const Expr joined = power(c.integer("downsample_factor", 2), 2) * tower.hidden, inner = c.integer("projector_hidden_size", 2560);
  const bool bias = c.flag("projector_bias", true), normed = c.flag("projector_use_layernorm", true);
  Backbone out = text_beside_vision(c.section("text_config"), b, "language_model", "lfm2");
  b.scope(Part::projector, "multi_modal_projector", [&] {
    if (normed) layer_norm(b, "layer_norm", joined);
    two_layers(b, joined, inner, out.hidden, bias);
  });
  out.tie_by_default = true;
  return out;
}

constexpr Alias aliases[] = {{"tie_embedding", "tie_word_embeddings"}};

}  // namespace

extern const Family lfm2_vl{
    .model_type = "lfm2_vl",
    .summary = "LFM2 with SigLIP 2's vision tower.",
    .classes = {"Lfm2Vl", heads::conditional | heads::base},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::of_text_model,
};

}  // namespace param_ledger
