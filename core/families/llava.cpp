// LLaVA and others like it: a vision tower and a text model, each of a type that the configuration names, and a projector of two
// layers between them.
// Source: transformers, models/llava, mistral3, lfm2_vl.

#include "core/blocks/vision.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"

namespace param_ledger {

namespace {

/// Whether the configuration has that section: without it a type's towers have other defaults than with an empty one.
bool given(Config c, Text section) {
  const Json json = c.peek(section);
  return json && !json.is_null();
}

/// linear_1, linear_2.
void two_layers(Builder& b, Expr in, Expr inner, Expr out, bool bias) {
  linear(b, "linear_1", in, inner, bias);
  linear(b, "linear_2", inner, out, bias);
}

/// `vision_tower`: of one of these types, or what is meant where there is no section.
Backbone vision_or(Config c, Builder& b, std::initializer_list<Text> types, const Family& unnamed) {
  Config vision = c.section("vision_config");
  if (given(c, "vision_config")) return vision_tower(vision, b, "vision_tower", types);
  Backbone out;
  b.tower(Part::vision, "vision_tower", [&] { out = nested(vision, b, "", unnamed); });
  return out;
}

Backbone llava_tower(Config c, Builder& b) { return clip_vision(c, b, {1024, 4096, 24, 16, 336, 14}); }
constexpr Family unnamed_llava_tower{
    .backbone = llava_tower,
};

Backbone llava_backbone(Config c, Builder& b) {
  const Backbone tower =
      vision_or(c, b, {"clip_vision_model", "siglip_vision_model", "siglip2_vision_model", "pixtral"}, unnamed_llava_tower);
  const bool bias = c.flag("multimodal_projector_bias", true);
  const Expr features = feature_width(c, tower.hidden);
  Backbone out = text_beside_vision(c.section("text_config"), b, "language_model.model", "llama");
  b.scope(Part::projector, "multi_modal_projector", [&] { two_layers(b, features, out.hidden, out.hidden, bias); });
  out.language_model = "language_model.lm_head";
  return out;
}

/// tie_word_embeddings counts in either place.
void llava_head(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head == Head::none) return;
  const bool in_text = c.section("text_config").flag("tie_word_embeddings", m.tie_by_default);
  language_model_head(b, m, c.flag("tie_word_embeddings", false) || in_text);
}

Backbone mistral3_tower(Config c, Builder& b) { return pixtral_vision(c, b, 14); }
constexpr Family unnamed_mistral3_tower{
    .backbone = mistral3_tower,
};
constexpr LlamaType mistral3_text{.sizes = {5120, 32768, 40, 131072, 32}, .kv_heads = fixed(8), .head_dim = fixed(128)};
constexpr Family unnamed_mistral3_text{
    .backbone = of_type<mistral3_text>,
};

Backbone mistral3_backbone(Config c, Builder& b) {
  const Backbone tower =
      vision_or(c, b, {"pixtral", "clip_vision_model", "siglip_vision_model", "siglip2_vision_model"}, unnamed_mistral3_tower);
  const Expr joined = power(c.integer("spatial_merge_size", 2), 2) * tower.hidden, features = feature_width(c, tower.hidden);
  const bool bias = c.flag("multimodal_projector_bias", false);
  Config text = c.section("text_config");
  Backbone out = given(c, "text_config") ? text_beside_vision(text, b, "language_model.model", "mistral")
                                         : nested(text, b, "language_model.model", unnamed_mistral3_text);
  b.scope(Part::projector, "multi_modal_projector", [&] {
    rms_norm(b, "norm", tower.hidden);
    linear(b, "patch_merger.merging_layer", joined, tower.hidden);
    two_layers(b, features, out.hidden, out.hidden, bias);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

Backbone lfm2_backbone(Config c, Builder& b) {
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

constexpr Alias lfm2_aliases[] = {{"tie_embedding", "tie_word_embeddings"}};

}  // namespace

extern const Family llava{
    .model_type = "llava",
    .summary = "A vision tower and a text model of any type, with a projector between.",
    .classes = {"Llava", heads::conditional | heads::base, ""},
    .backbone = llava_backbone,
    .head = llava_head,
    .cache = caches::of_text_model,
};
extern const Family mistral3{
    .model_type = "mistral3",
    .summary = "A Mistral with Pixtral's vision tower.",
    .classes = {"Mistral3", heads::conditional | heads::base, ""},
    .backbone = mistral3_backbone,
    .cache = caches::of_text_model,
};
extern const Family lfm2_vl{
    .model_type = "lfm2_vl",
    .summary = "LFM2 with SigLIP 2's vision tower.",
    .classes = {"Lfm2Vl", heads::conditional | heads::base},
    .aliases = lfm2_aliases,
    .backbone = lfm2_backbone,
    .cache = caches::of_text_model,
};

}  // namespace param_ledger
