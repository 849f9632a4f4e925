// Cosmos 3 Edge: a vision transformer for images of different sizes and a decoder with ungated feed-forward blocks. Neighbouring patches
// are merged and projected to the decoder.
// Source: transformers, models/cosmos3_edge.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

/// Records the text model. `whole`: in files of the whole model, its projections have other names than in files of the text model alone.
template <bool whole>
BackboneOutput text_backbone(Config c, Builder& b) {
  static constexpr LlamaType type{.sizes = {2048, 9216, 28, 131072, 16},
                                  .kv_heads = fixed_not_null(8),
                                  .head_dim = fixed(128),
                                  .switches =
                                      [](Config config, LlamaDecoder& m) {
                                        both_biases(config, m);
                                        Attention& a = m.attention;
                                        if (whole) a.q = "to_q", a.k = "to_k", a.v = "to_v", a.o = "to_out";
                                      },
                                  .divisible = true,
                                  .layout = {.feed_forward = FeedForward::plain,
                                             .up = whole ? Text("up_proj") : Text("fc1"),
                                             .down = whole ? Text("down_proj") : Text("fc2")}};
  return llama_type(c, b, type);
}

template <bool whole>
BackboneOutput vision_backbone(Config c, Builder& b) {
  VisionLayers m = vision_fields(c, {1152, 4304, 27, 16});
  if (whole) {
    m.attention.q = "to_q", m.attention.k = "to_k", m.attention.v = "to_v";
    m.up = "up_proj", m.down = "down_proj";
  }
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 16);
  const Expr patches = c.integer("num_patches", 256);
  b.scope(Part::embedding, "embeddings", [&] {
    linear(b, "patch_embedding", channels * power(patch, 2), d, true);
    embedding(b, "position_embedding", patches, d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "post_layernorm", d);
  return {.hidden = d};
}

constexpr Family text_of_whole{
    .backbone = text_backbone<true>,
    .cache = caches::all_tokens,
};
constexpr Family vision_of_whole{
    .backbone = vision_backbone<true>,
};

/// Records the model. In classes with a head, the tensor names of the text model have no module prefix. The head is never tied.
BackboneOutput backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none;
  Config seen = c.section("vision_config");
  BackboneOutput tower;
  b.tower(Tower::vision, bare ? "visual" : "model.visual", [&] { tower = nested(seen, b, "", vision_of_whole); });
  const Expr merged = power(seen.integer("spatial_merge_size", 2), 2) * tower.hidden, f = c.integer("projector_hidden_size", 11520);
  const BackboneOutput out = nested(c.section("text_config"), b, bare ? "language_model" : "", text_of_whole);
  b.tower(Tower::projector, bare ? "projector" : "model.projector", [&] {
    layer_norm(b, "norm", tower.hidden);
    linear(b, "linear_fc1", merged, f, true);
    linear(b, "linear_fc2", f, out.hidden, true);
  });
  return {.hidden = out.hidden, .vocabulary = b.row(out.embedding).shape.front()};
}

constexpr Architecture text_classes[] = {{"Cosmos3EdgeTextModel", Head::none, ""}};
constexpr Architecture vision_classes[] = {{"Cosmos3EdgeVisionModel", Head::none, ""}};

}  // namespace

extern const Family cosmos3_edge{
    .model_type = "cosmos3_edge",
    .summary = "Small vision-language model.",
    .classes = {"Cosmos3Edge", heads::conditional | heads::base, ""},
    .backbone = backbone,
};
extern const Family cosmos3_edge_text{
    .model_type = "cosmos3_edge_text",
    .summary = "Text model of Cosmos 3 Edge: like Llama, with an ungated MLP.",
    .classes = {.listed = text_classes},
    .backbone = text_backbone<false>,
    .cache = caches::all_tokens,
};
extern const Family cosmos3_edge_vision{
    .model_type = "cosmos3_edge_vision",
    .summary = "Vision encoder of Cosmos 3 Edge.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone<false>,
};

}  // namespace param_ledger
