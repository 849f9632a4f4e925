// Qwen2-VL and Qwen2.5-VL: a vision transformer over patches of two frames, whose neighbours are merged and projected into the
// tokens of a Qwen2.
// Source: transformers, models/qwen2_vl, qwen2_5_vl.

#include "core/blocks/qwen_vision.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"

namespace param_ledger {

namespace {

Backbone text_backbone(Config c, Builder& b) {
  LlamaDecoder m = llama_fields(c, {8192, 29568, 80, 152064, 64});
  m.attention.kv_heads = c.integer("num_key_value_heads", fixed_not_null(8).or_else(m.attention.heads));
  m.attention.qkv_bias = true;
  return llama_decoder(b, m);
}
constexpr Family text_model{
    .backbone = text_backbone,
};

void merger(Builder& b, const QwenVision& m, Norm kind, Expr out) {
  b.scope(Part::projector, "merger", [&] {
    norm(b, kind, "ln_q", m.layers.attention.hidden);
    linear(b, "mlp.0", m.merged, m.merged, true);
    linear(b, "mlp.2", m.merged, out, true);
  });
}

void vision(Config c, Builder& b) {
  QwenVision m = qwen_vision_fields(c, "embed_dim", {1280, 32, 14});
  m.layers.inner = c.integer("mlp_ratio", 4) * m.layers.attention.hidden;
  m.layers.up = "fc1";
  m.layers.down = "fc2";
  const Expr out = c.integer("hidden_size", 3584);
  qwen_vision_layers(b, m, false);
  merger(b, m, Norm::layer, out);
}

void vision_2_5(Config c, Builder& b) {
  QwenVision m = qwen_vision_fields(c, "hidden_size", {3584, 32, 14});
  m.layers.inner = c.integer("intermediate_size", 3420);
  m.layers.norm = Norm::rms;
  m.layers.gated = true;
  const Expr out = c.integer("out_hidden_size", 3584);
  qwen_vision_layers(b, m, false);
  merger(b, m, Norm::rms, out);
}

/// The text model's section; old files hold its fields beside the sections.
Config text_section(Config c) {
  const Json given = c.peek("text_config");
  return given && !given.is_null() ? c.section("text_config") : c;
}

template <void (*tower)(Config c, Builder& b)>
Backbone backbone(Config c, Builder& b) {
  b.tower(Part::vision, "visual", [&] { tower(c.section("vision_config").with(qwen_vision_aliases), b); });
  // The files of the whole name the text model as it was named before there was a vision model beside it.
  return nested(text_section(c), b, b.architecture().head == Head::none ? "language_model" : "model", text_model);
}

bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) { return layer >= peeked(c, "max_window_layers", 80); }
constexpr Cache cache = caches::windows({.layers = Window::Layers::listed, .size = 4096, .switched = true, .slides = slides});

/// tie_word_embeddings counts in either place.
void head(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head == Head::none) return;
  const bool in_text = c.has("text_config") && c.section("text_config").flag("tie_word_embeddings", false, Null::allowed);
  language_model_head(b, m, c.flag("tie_word_embeddings", false) || in_text);
}

}  // namespace

extern const Family qwen2_vl{
    .model_type = "qwen2_vl",
    .summary = "Qwen2 with a vision tower.",
    .classes = {"Qwen2VL", heads::conditional | heads::base, ""},
    .backbone = backbone<vision>,
    .head = head,
    .cache = cache,
};
extern const Family qwen2_5_vl{
    .model_type = "qwen2_5_vl",
    .summary = "Qwen2.5 with a vision tower.",
    .classes = {"Qwen2_5_VL", heads::conditional | heads::base, ""},
    .backbone = backbone<vision_2_5>,
    .head = head,
    .cache = cache,
};

}  // namespace param_ledger
