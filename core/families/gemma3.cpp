// Gemma 3 with vision: a vision tower (by default SigLIP's), with patches pooled and projected to the text model.
// Source: transformers, models/gemma3.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family gemma3_text;  // defined in gemma.cpp

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput tower = vision_tower(c.section("vision_config"), b, "vision_tower", {"siglip_vision_model", "clip_vision_model"});
  BackboneOutput out = nested(c.section("text_config"), b, "language_model.model", gemma3_text);
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    b.parameter("mm_input_projection_weight", {tower.hidden, out.hidden}, StorageKind::matrix);
    rms_norm(b, "mm_soft_emb_norm", tower.hidden);
  });
  out.language_model = "language_model.lm_head";
  if (b.architecture().head == Head::conditional_generation) (void)c.flag("tie_word_embeddings", out.tie_by_default, Null::allowed);
  return out;
}

}  // namespace

extern const Family gemma3{
    .model_type = "gemma3",
    .summary = "Vision-language model: Gemma 3 with SigLIP.",
    .classes = {"Gemma3", heads::conditional | heads::base | heads::sequence, ""},
    .backbone = backbone,
    .cache = caches::of_text_model,
};

}  // namespace param_ledger
