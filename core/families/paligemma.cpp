// PaliGemma: a text model, by default Gemma, with a vision tower, by default SigLIP's, and a linear projection of the patches. ShieldGemma
// 2: Gemma 3 with its vision tower, as an image classifier. Pi0: PaliGemma and a small Gemma that controls a robot. Source: transformers,
// models/paligemma, shieldgemma2, pi0; names of Pi0 as in conversion_mapping.py.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family gemma3;  // defined in gemma3.cpp

namespace {

/// Records the vision tower that transformers builds if vision_config is missing: SigLIP's, without the pooling head.
template <std::uint64_t inner>
BackboneOutput unnamed_tower(Config c, Builder& b) {
  const VisionLayers m = siglip_encoder(c, b, {1152, inner, 27, 16, 224, 14});
  layer_norm(b, "post_layernorm", m.attention.hidden);
  if (c.flag("vision_use_head", false)) attention_pool(b, "head", m);
  return {.hidden = m.attention.hidden};
}

constexpr LlamaType unnamed_text{.sizes = {2048, 16384, 18, 257152, 8},
                                 .kv_heads = fixed(1),
                                 .head_dim = fixed(256),
                                 .switches = attention_bias,
                                 .layout = {.tied = true}};
constexpr Family text_model{
    .backbone = of_type<unnamed_text>,
};

template <std::uint64_t inner>
BackboneOutput of_paligemma(Config c, Builder& b) {
  static constexpr Family tower{
      .backbone = unnamed_tower<inner>,
  };
  Config vision = c.section("vision_config"), text = c.section("text_config");
  BackboneOutput seen;
  if (is_given(c, "vision_config"))
    seen = vision_tower(vision, b, "vision_tower", {"siglip_vision_model", "clip_vision_model", "siglip2_vision_model"});
  else
    b.tower(Tower::vision, "vision_tower", [&] { seen = nested(vision, b, "", tower); });
  const Expr projected = c.integer("projection_dim", 2048);
  BackboneOutput out = is_given(c, "text_config") ? text_beside_vision(text, b, "language_model.model", "gemma")
                                                  : nested(text, b, "language_model.model", text_model);
  b.tower(Tower::projector, "multi_modal_projector", [&] { linear(b, "linear", seen.hidden, projected, true); });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

constexpr std::uint64_t usual_inner = 4096, inner_of_pi0 = 4304;

/// Records ShieldGemma 2, which contains Gemma 3 as a submodule.
BackboneOutput shieldgemma2_backbone(Config c, Builder& b) {
  BackboneOutput out;
  require_type(c.section("text_config"), "gemma3_text");
  b.scope("model.model", [&] { out = gemma3.backbone(c, b); });
  out.language_model = "model.lm_head";
  return out;
}

void shieldgemma2_head(Config c, Builder& b, const BackboneOutput& m) {
  const bool tied = c.flag("tie_word_embeddings", false);
  const bool tied_text = c.section("text_config").flag("tie_word_embeddings", true);
  language_model_head(b, m, tied || tied_text);
}

/// Records Pi0. Its action expert is a Gemma, by default a small one, with PaliGemma's vocabulary.
BackboneOutput pi0_backbone(Config c, Builder& b) {
  constexpr LlamaType unnamed{
      .sizes = {1024, 4096, 18, 257152, 8}, .kv_heads = fixed(1), .head_dim = fixed(256), .switches = attention_bias};
  constexpr LlamaType named{
      .sizes = {3072, 24576, 28, 256000, 16}, .kv_heads = fixed(16), .head_dim = fixed(256), .switches = attention_bias};
  const bool whole = b.architecture().head != Head::none;
  Config vlm = c.section("vlm_config"), acting = c.section("dit_config");
  require_type(vlm, "paligemma");
  require_type(acting, "gemma");
  BackboneOutput seeing;
  b.scope(whole ? "paligemma_with_expert.paligemma.model" : "vlm",
          [&] { seeing = is_given(c, "vlm_config") ? of_paligemma<usual_inner>(vlm, b) : of_paligemma<inner_of_pi0>(vlm, b); });
  const LlamaDecoder m = llama_type_fields(acting, is_given(c, "dit_config") ? named : unnamed);
  const Expr d = m.attention.hidden;
  require_multiple(d, c.literal(2));
  acting.ignore("vocab_size", "The vocabulary size of vlm_config is used.");
  const Expr vocab = b.row(seeing.embedding).shape.front();
  if (whole)
    embedding(b, "paligemma_with_expert.gemma_expert.lm_head", vocab, d);
  else
    embedding(b, "dit.embed_tokens", vocab, d, TensorRole::token_embedding);
  b.scope(whole ? "paligemma_with_expert.gemma_expert.model" : "dit", [&] {
    llama_layers(b, m);
    rms_norm(b, "norm", d);
  });
  return {.hidden = d};
}

void pi0_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const Expr d = m.hidden, state = c.integer("max_state_dim", 32), action = c.integer("max_action_dim", 32);
  b.tower(Tower::projector, "", [&] {
    linear(b, "state_proj", state, d, true);
    linear(b, "action_in_proj", action, d, true);
    linear(b, "action_time_mlp_in", 2 * d, d, true);
    linear(b, "action_time_mlp_out", d, d, true);
  });
  b.part(Part::output_head, [&] { linear(b, "action_out_proj", d, action, true); });
}

constexpr Architecture shieldgemma2_classes[] = {{"ShieldGemma2ForImageClassification", Head::image_classification, ""}};

}  // namespace

extern const Family paligemma{
    .model_type = "paligemma",
    .summary = "Vision-language model: Gemma with SigLIP.",
    .classes = {"PaliGemma", heads::conditional | heads::base, ""},
    .backbone = of_paligemma<usual_inner>,
};
extern const Family pi0{
    .model_type = "pi0",
    .summary = "Robot control (vision-language-action): PaliGemma with a Gemma action expert.",
    .classes = {"PI0", heads::conditional | heads::base, ""},
    .backbone = pi0_backbone,
    .head = pi0_head,
};
extern const Family shieldgemma2{
    .model_type = "shieldgemma2",
    .summary = "Image safety classification: Gemma 3 with SigLIP.",
    .classes = {.listed = shieldgemma2_classes},
    .backbone = shieldgemma2_backbone,
    .head = shieldgemma2_head,
};

}  // namespace param_ledger
