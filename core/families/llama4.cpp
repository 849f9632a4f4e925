// Llama 4 with vision: Llama 4's text model and a vision transformer. Neighbouring patches are merged and projected to the text model.
// Source: transformers, models/llama4.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family llama4_text;  // defined in llama4_text.cpp
extern const Family llama4_vision_model;

namespace {

/// Records the vision tower. Returns vision_output_dim as its width, because the projector to the text model has that input width, whatever
/// projector_output_dim is.
BackboneOutput vision(Config c, Builder& b) {
  const VisionLayers m = vision_fields(c, {768, 5632, 34, 16}, llama_named_layers(true));
  const Image image = image_fields(c, 448, 14);
  const Expr d = m.attention.hidden, d_out = c.integer("vision_output_dim", 7680);
  const Expr d_in = c.integer("projector_input_dim", 4096), d_merged = c.integer("projector_output_dim", 4096);
  b.tower(Tower::vision, "", [&] {
    b.part(Part::embedding, [&] {
      b.parameter("class_embedding", {d});
      b.parameter("positional_embedding_vlm", {image.patches() + 1, d}, StorageKind::table);
      linear(b, "patch_embedding.linear", image.channels * power(image.patch, 2), d);
    });
    layer_norm(b, "layernorm_pre", d);
    layer_norm(b, "layernorm_post", d);
    b.scope("model", [&] { vision_layers(b, m); });
    b.tower(Tower::projector, "vision_adapter.mlp", [&] {
      linear(b, "fc1", m.inner, d_in, false, TensorRole::up);
      linear(b, "fc2", d_merged, d_merged, false, TensorRole::down);
    });
  });
  return {.hidden = d_out};
}

/// Records the model. The text model's own classes contain only the text model, although their configuration describes the whole model.
BackboneOutput backbone(Config c, Builder& b) {
  Config text = c.section("text_config");
  if (b.architecture().head != Head::conditional_generation) return nested(text, b, "", llama4_text);
  const Expr d_vision = nested(c.section("vision_config"), b, "vision_model", llama4_vision_model).hidden;
  BackboneOutput out = nested(text, b, "language_model.model", llama4_text);
  b.tower(Tower::projector, "", [&] { linear(b, "multi_modal_projector.linear_1", d_vision, out.hidden); });
  out.language_model = "language_model.lm_head";
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) { decoder_head(c.section("text_config"), b, m); }

constexpr Architecture classes[] = {{"Llama4ForConditionalGeneration", Head::conditional_generation, ""},
                                    {"Llama4ForCausalLM", Head::causal_lm, "model"},
                                    {"Llama4TextModel", Head::none, ""}};

}  // namespace

extern const Family llama4{
    .model_type = "llama4",
    .summary = "Vision-language model: Llama 4 with a vision encoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .cache = caches::of_text_model,
    .uncomputed = "transformers computes every expert for every token; other programs do not.",
};
extern const Family llama4_vision_model{
    .model_type = "llama4_vision_model",
    .summary = "Vision encoder of Llama 4.",
    .classes = {"Llama4Vision", heads::base, ""},
    .backbone = vision,
};

}  // namespace param_ledger
