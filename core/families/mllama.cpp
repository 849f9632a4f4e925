// Llama 3.2 Vision: Llama, with cross-attention to the image instead of self-attention in some layers, and a vision transformer on image
// tiles that ends with gated layers. Source: transformers, models/mllama.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family mllama_text_model, mllama_vision_model;

namespace {

BackboneOutput text_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 14336, 40, 128256, 32});
  const Attention self{.hidden = s.d, .heads = s.n, .kv_heads = c.integer("num_key_value_heads", 8), .head_dim = floor_divide(s.d, s.n)};
  Attention cross = self;
  cross.head_norms = QkNorm::per_head;
  cross.is_cross_attention = true;
  const LayerList crossing(c.integers("cross_attention_layers", {3, 8, 13, 18, 23, 28, 33, 38}));
  const Split layers = split(c, s.n_layers, "num_cross_attention_layers", "L_x", "Layers with cross-attention to the image.",
                             [&](std::size_t i) { return crossing.has(i); });
  // The embedding table has eight additional rows for special tokens such as the image token.
  decoder(b, s.vocab + 8, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "input_layernorm", s.d); });
    b.repeat("layers", layers.out, [&] { attention(b, "self_attn", self); });
    b.repeat("layers", layers.in, [&] {
      attention(b, "cross_attn", cross);
      b.owned_by(Owner::cross, [&] { b.part(Part::attention, [&] { b.parameter("cross_attn_attn_gate", {c.literal(1)}); }); });
      b.part(Part::feed_forward, [&] { b.parameter("cross_attn_mlp_gate", {c.literal(1)}); });
    });
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "post_attention_layernorm", s.d);
      gated_mlp(b, "mlp", s.d, s.f);
    });
  });
  return {.hidden = s.d, .vocabulary = s.vocab};
}

/// The number of aspect ratio embeddings: one for each supported aspect ratio, and one for padding. The default list is for four tiles.
Expr aspect_ratios(Config c, Expr tiles) {
  constexpr Text usual = "[[1,1],[1,2],[1,3],[1,4],[2,1],[2,2],[3,1],[4,1]]";
  const Json given = c.peek("supported_aspect_ratios");
  c.consume("supported_aspect_ratios");
  const bool missing = !given || given.is_null();
  if (!missing && !given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, "supported_aspect_ratios", "must be a list of pairs.");
  if (tiles.decide() != 4 && (missing || dump(given) == usual))
    c.refuse(ErrorCode::inconsistent, "max_num_tiles", "must be 4 with the default supported_aspect_ratios.");
  return c.count("num_aspect_ratios", "R", "Aspect ratios of images: the entries of supported_aspect_ratios.", missing ? 8 : given.size()) +
         1;
}

void gates(Builder& b, const VisionLayers& /*m*/) {
  b.part(Part::attention, [&] { b.parameter("gate_attn", {b.pool().literal(1)}); });
  b.part(Part::feed_forward, [&] { b.parameter("gate_ffn", {b.pool().literal(1)}); });
}

constexpr Alias vision_aliases[] = {{"num_attention_heads", "attention_heads"}};
/// Records the vision tower. Its output is the concatenation of the outputs of the last layer and of intermediate layers.
BackboneOutput vision(Config c, Builder& b) {
  VisionLayers m = llama_named_layers(false);
  const Expr d = m.attention.hidden = c.integer("hidden_size", 1280);
  m.inner = c.integer("intermediate_size", 5120);
  m.n_layers = c.integer("num_hidden_layers", 32);
  m.attention.heads = c.integer("attention_heads", 16, 1);
  m.attention.head_dim = floor_divide(d, m.attention.heads);
  VisionLayers global = m;
  global.n_layers = c.integer("num_global_layers", 8);
  global.more = gates;
  const Image image = image_fields(c, 448, 14);
  const Expr tiles = c.integer("max_num_tiles", 4), d_out = c.integer("vision_output_dim", 7680), ratios = aspect_ratios(c, tiles);
  const Expr positions = image.patches() + 1, one = c.literal(1);

  b.tower(Tower::vision, "", [&] {
    b.part(Part::embedding, [&] {
      b.parameter("class_embedding", {d});
      patch_embedding(b, "patch_embedding", image.channels, d, image.patch, false);
      b.scope("gated_positional_embedding", [&] {
        b.parameter("gate", {one});
        b.parameter("embedding", {positions, d}, StorageKind::table);
        table(b, "tile_embedding", ratios, tiles * positions * d);
      });
      for (const Text name : {"pre_tile_positional_embedding", "post_tile_positional_embedding"})
        b.scope(name, [&] {
          b.parameter("gate", {one});
          table(b, "embedding", ratios, tiles * d);
        });
    });
    layer_norm(b, "layernorm_pre", d);
    layer_norm(b, "layernorm_post", d);
    b.scope("transformer", [&] { vision_layers(b, m); });
    b.scope("global_transformer", [&] { vision_layers(b, global); });
  });
  return {.hidden = d_out};
}

/// Records the model. The text model's own classes contain only the text model, although their configuration describes the whole model.
BackboneOutput backbone(Config c, Builder& b) {
  Config text = c.section("text_config");
  if (b.architecture().head == Head::causal_lm || b.architecture().head == Head::encoder) return nested(text, b, "", mllama_text_model);
  const Expr d_vision = nested(c.section("vision_config"), b, "vision_model", mllama_vision_model).hidden;
  BackboneOutput out = nested(text, b, "language_model.model", mllama_text_model);
  b.tower(Tower::projector, "", [&] { linear(b, "multi_modal_projector", d_vision, out.hidden, true); });
  out.language_model = "language_model.lm_head";
  return out;
}

constexpr Architecture classes[] = {{"MllamaForConditionalGeneration", Head::conditional_generation, ""},
                                    {"MllamaModel", Head::none, ""},
                                    {"MllamaForCausalLM", Head::causal_lm, "model"},
                                    {"MllamaTextModel", Head::encoder, ""}};

constexpr Architecture text_classes[] = {{"MllamaForCausalLM", Head::causal_lm, "model"}, {"MllamaTextModel", Head::none, ""}};

}  // namespace

extern const Family mllama{
    .model_type = "mllama",
    .summary = "Llama 3.2 Vision: Llama with cross-attention layers for images.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .cache = caches::all_tokens,
    .uncomputed = "Cross-attention layers for images are skipped for text.",
};
extern const Family mllama_text_model{
    .model_type = "mllama_text_model",
    .summary = "Text model of Llama 3.2 Vision.",
    .classes = {.listed = text_classes},
    .backbone = text_backbone,
    .cache = caches::all_tokens,
    .uncomputed = "Cross-attention layers for images are skipped for text.",
};
extern const Family mllama_vision_model{
    .model_type = "mllama_vision_model",
    .summary = "Vision encoder of Llama 3.2 Vision.",
    .classes = {"MllamaVision", heads::base, ""},
    .aliases = vision_aliases,
    .backbone = vision,
};

}  // namespace param_ledger
