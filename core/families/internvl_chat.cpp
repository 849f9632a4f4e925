// InternVL 1.5 to 3.5 as built by the code published with the models, which differs from transformers' model type internvl: a vision
// transformer with LayerScale, a projector on merged patches, and a language model of one of several types with an untied head.
// Source: OpenGVLab/InternVL, internvl_chat/internvl/model/internvl_chat.

#include <algorithm>

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"InternVLChatModel", Head::conditional_generation, ""}};
constexpr std::string_view language_models[] = {"LlamaForCausalLM", "InternLM2ForCausalLM", "Phi3ForCausalLM",  "Qwen2ForCausalLM",
                                                "Qwen3ForCausalLM", "Qwen3MoeForCausalLM",  "GptOssForCausalLM"};

/// Records the vision tower. Returns its output width.
Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  c.consume("architectures");
  const bool normed = c.flag("qk_normalization", true), bias = c.flag("qkv_bias", false);
  static constexpr std::string_view norms[] = {"rms_norm", "layer_norm"};
  const Norm kind = c.text("norm_type", "rms_norm", norms) == "rms_norm" ? Norm::rms : Norm::layer;
  const VisionLayers m = vision_fields(
      c, {3200, 12800, 48, 25},
      {.attention =
           {.qkv_bias = bias, .output_bias = true, .head_norms = normed ? QkNorm::whole : QkNorm::none, .fused = "qkv", .o = "proj"},
       .attention_name = "attn",
       .norm1 = "norm1",
       .norm2 = "norm2",
       .norm = kind,
       .scale1 = "ls1",
       .scale2 = "ls2"});
  const Expr d = m.attention.hidden;
  const Image image = image_fields(c, 224, 14);
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "class_embedding", 1, d);
    patch_embedding(b, "patch_embedding", image.channels, d, image.patch);
    tokens(b, "position_embedding", image.patches() + 1, d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  return d;
}

const Family& language_family(Config c, Builder& b) {
  const Json named = c.peek("architectures");
  const bool listed = named.is(Json::Type::list) && named.size() > 0 && named[0].is(Json::Type::string);
  if (!listed || std::find(std::begin(language_models), std::end(language_models), named[0].string()) == std::end(language_models))
    c.refuse(ErrorCode::unsupported, "architectures",
             "must name the class of the language model: LlamaForCausalLM, InternLM2ForCausalLM, Phi3ForCausalLM, Qwen2ForCausalLM, "
             "Qwen3ForCausalLM, Qwen3MoeForCausalLM or GptOssForCausalLM.");
  return family_of_section(c, b, "llama");
}

BackboneOutput backbone(Config c, Builder& b) {
  Config llm = c.section("llm_config"), seen = c.section("vision_config");
  for (const Text lora : {"use_backbone_lora", "use_llm_lora"})
    if (c.integer(lora, 0).decide() > 0) c.refuse(ErrorCode::unsupported, lora, "adds adapters inside the model, which are not counted.");
  Expr d_seen;
  b.tower(Tower::vision, "vision_model", [&] { d_seen = vision(seen, b); });
  BackboneOutput out = nested(llm, b, "language_model.model", language_family(llm, b));
  const Expr merged = power(pixel_shuffle_side(c), 2) * d_seen;
  b.tower(Tower::projector, "mlp1", [&] {
    layer_norm(b, "0", merged);
    linear(b, "1", merged, out.hidden, true);
    linear(b, "3", out.hidden, out.hidden, true);
  });
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  BackboneOutput named = m;
  const std::string module = concat({"language_model.", m.language_model.value_or("lm_head")});
  named.language_model = module;
  c.ignore("tie_word_embeddings", "The published code never ties the head.");
  c.section("llm_config").ignore("tie_word_embeddings", "The published code never ties the head.");
  language_model_head(b, named, false);
}

}  // namespace

extern const Family internvl_chat{
    .model_type = "internvl_chat",
    .summary = "InternVL with its original code: InternViT with Llama, InternLM2, Phi-3 or Qwen.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .own_code = true,
};

}  // namespace param_ledger
