// Qwen2-VL and Qwen2.5-VL: a vision transformer on patches of several frames (by default two), and a Qwen2. Neighbouring patches are merged
// and projected to the text model. Source: transformers, models/qwen2_vl, qwen2_5_vl.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/qwen_vision.hpp"

namespace param_ledger {

extern const Family qwen2_vl_text, qwen2_5_vl_text, qwen2_5_vl_vision;

namespace {

BackboneOutput text_backbone(Config c, Builder& b) {
  LlamaDecoder m = llama_fields(c, {8192, 29568, 80, 152064, 64});
  m.attention.kv_heads = c.integer("num_key_value_heads", fixed_not_null(8).or_else(m.attention.heads));
  m.attention.qkv_bias = true;
  return llama_decoder(b, m);
}
BackboneOutput vision(Config c, Builder& b) {
  QwenVision m = qwen_vision_fields(c, "embed_dim", {1280, 32, 14});
  m.layers.inner = c.integer("mlp_ratio", 4) * m.layers.attention.hidden;
  m.layers.up = "fc1";
  m.layers.down = "fc2";
  const Expr out = c.integer("hidden_size", 3584);
  qwen_vision_layers(b, m, false);
  qwen_merger(b, m, Norm::layer, out);
  return {.hidden = out};
}

BackboneOutput vision_2_5(Config c, Builder& b) { return qwen2_5_vision(c, b, false); }

constexpr Family vision_model{.aliases = qwen_vision_aliases, .backbone = vision};  // AutoModel does not support its type, qwen2_vl_vision

template <const Family& tower, const Family& text>
BackboneOutput backbone(Config c, Builder& b) {
  b.tower(Tower::vision, "visual", [&] { nested(c.section("vision_config"), b, "", tower); });
  // In files of the model with a head, the text model's tensors are named as in a model without vision.
  return nested(section_or_self(c, "text_config"), b, b.architecture().head == Head::none ? "language_model" : "model", text);
}

bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) { return layer >= peeked(c, "max_window_layers", 80); }
constexpr Cache cache = caches::windows({.layers = Window::Layers::listed, .size = 4096, .switched = true, .slides = slides});

/// Records the head. It is tied if tie_word_embeddings is true at the top level or in text_config.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const bool in_text = c.has("text_config") && c.section("text_config").flag("tie_word_embeddings", false, Null::allowed);
  language_model_head(b, m, c.flag("tie_word_embeddings", false) || in_text);
}

constexpr Architecture text_classes[] = {{"Qwen2VLTextModel", Head::none, ""}};
constexpr Architecture text_2_5_classes[] = {{"Qwen2_5_VLTextModel", Head::none, ""}};
constexpr Architecture vision_2_5_classes[] = {{"Qwen2_5_VisionTransformerPretrainedModel", Head::none, ""}};

}  // namespace

extern const Family qwen2_vl{
    .model_type = "qwen2_vl",
    .summary = "Vision-language model: Qwen2 with a vision encoder.",
    .classes = {"Qwen2VL", heads::conditional | heads::base, ""},
    .backbone = backbone<vision_model, qwen2_vl_text>,
    .head = head,
    .cache = caches::of_text_model,
};
extern const Family qwen2_5_vl{
    .model_type = "qwen2_5_vl",
    .summary = "Vision-language model: Qwen2.5 with a vision encoder.",
    .classes = {"Qwen2_5_VL", heads::conditional | heads::base, ""},
    .backbone = backbone<qwen2_5_vl_vision, qwen2_5_vl_text>,
    .head = head,
    .cache = caches::of_text_model,
};

extern const Family qwen2_vl_text{
    .model_type = "qwen2_vl_text",
    .summary = "Text model of Qwen2-VL.",
    .classes = {.listed = text_classes},
    .backbone = text_backbone,
    .cache = cache,
};
extern const Family qwen2_5_vl_text{
    .model_type = "qwen2_5_vl_text",
    .summary = "Text model of Qwen2.5-VL.",
    .classes = {.listed = text_2_5_classes},
    .backbone = text_backbone,
    .cache = cache,
};
extern const Family qwen2_5_vl_vision{
    .model_type = "qwen2_5_vl_vision",
    .summary = "Vision encoder of Qwen2.5-VL.",
    .classes = {.listed = vision_2_5_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision_2_5,
};

}  // namespace param_ledger
